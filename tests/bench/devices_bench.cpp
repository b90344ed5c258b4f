// Sums over several processes, which threads play, with a device each: process r uses device r
// modulo their number. All points and results are on every device; the times are beside those of
// one device.
//
//   gpu_devices_bench sum POINTS N PRECISION TOLERANCE RANKS
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "rankine/fmm/distributed/thread_ranks.hpp"
#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/runtime/device.hpp"
#include "rankine/gpu/runtime/device_context.hpp"
#include "rankine/gpu/runtime/device_group.hpp"
#include "rankine/gpu/sums/cuda_operator.hpp"
#include "tests/bench/sum_case.hpp"

namespace rankine {
namespace {

Timed on_device(const SumCase& given, const gpu::DeviceGroup* group) {
  const auto stream = std::make_shared<const gpu::Stream>();
  const auto make = [&] {
    return gpu::make_cuda_operator({given.points, given.points}, given.options, stream, group);
  };
  make();  // loads the kernels
  const auto op = make();
  const gpu::DeviceBuffer<double> charges(given.charges, *stream);
  gpu::DeviceBuffer<double> potential(given.points.size(), *stream);
  const fmm::Strengths strengths{.charges = charges.span()};
  const fmm::Results results{.potential = potential.span()};
  Timed found;
  for (int warm = 0; warm < 3; ++warm) op->apply(strengths, results);
  stream->synchronize();
  constexpr int applies = 10;
  found.apply = seconds_of([&] {
                  for (int k = 0; k < applies; ++k) op->apply(strengths, results);
                  stream->synchronize();
                }) /
                applies;
  found.passes = op->breakdown(strengths, results);
  found.setup = op->info().setup_seconds;
  found.potential = potential.download(*stream);
  return found;
}

int sum(int argc, char** argv) {
  if (argc < 7) return 2;
  const SumCase given(argv);
  const Timed one = on_device(given, nullptr);
  Timed several;
  ThreadRanks(given.ranks, 8).run([&](Communicator& processes) {
    gpu::use_device(processes.rank() % static_cast<int>(gpu::devices().size()));
    const gpu::DeviceGroup group(processes);
    const Timed mine = on_device(given, &group);
    if (processes.rank() != 0) return;
    several = mine;
    std::printf("exchange by %s\n", group.transport().c_str());
  });
  print(argv, one, several);
  return 0;
}

}  // namespace
}  // namespace rankine

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const int code = what == "sum" ? rankine::sum(argc, argv) : 2;
  if (code == 2) std::fprintf(stderr, "arguments: see the first lines of the source\n");
  return code;
}
