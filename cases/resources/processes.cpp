#include "cases/resources/processes.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "cases/exit_code.hpp"
#include "cases/output/log.hpp"
#include "rankine/bem/petsc/petsc.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"

#ifdef RANKINE_MPI
#include "rankine/fmm/distributed/mpi.hpp"
#endif

namespace rankine::cases {
namespace {

SingleProcess alone;
Communicator* shared = &alone;

/// The number of processes that a launcher has started together, from its environment.
int launched_processes() {
  for (const char* const variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (const char* const text = std::getenv(variable)) return std::atoi(text);
  }
  return 1;
}

/// Counts what this process sends.
class CountedMessages final : public Communicator {
 public:
  explicit CountedMessages(Communicator& processes) : processes_(processes) {}

  double bytes() const { return bytes_; }

  int rank() const override { return processes_.rank(); }
  int size() const override { return processes_.size(); }
  void sum(std::span<double> values) override {
    count(values.size_bytes());
    processes_.sum(values);
  }
  void sum(std::span<std::int64_t> values) override {
    count(values.size_bytes());
    processes_.sum(values);
  }
  void maximum(std::span<double> values) override {
    count(values.size_bytes());
    processes_.maximum(values);
  }
  void gather(std::span<const std::byte> own, std::span<std::byte> all) override {
    count(own.size());
    processes_.gather(own, all);
  }
  std::vector<std::int64_t> transpose(std::span<const std::int64_t> to) override {
    count(to.size_bytes());
    return processes_.transpose(to);
  }
  void exchange(std::span<const Sent> sent, std::span<const Received> received) override {
    for (const Sent& each : sent) count(each.bytes.size());
    processes_.exchange(sent, received);
  }

 private:
  void count(std::size_t bytes) { bytes_ += static_cast<double>(bytes); }

  Communicator& processes_;
  double bytes_ = 0.0;
};

#ifdef RANKINE_MPI
std::optional<MpiSession> session;
#endif
std::optional<CountedMessages> counted;
std::optional<bem::Petsc> petsc;

}  // namespace

SharedRun::SharedRun([[maybe_unused]] int* argc, [[maybe_unused]] char*** argv) {
  const int launched = launched_processes();
  if (launched < 2) return;
#ifdef RANKINE_MPI
  session.emplace(argc, argv);
  shared = &counted.emplace(session->processes());
#else
  throw InputError(
      fmt::format("{} processes were started together, but this build of rankine has no MPI: each "
                  "would solve the whole case; start one, or build with -DRANKINE_MPI=ON",
                  launched));
#endif
}

SharedRun::~SharedRun() {
  shared = &alone;
  petsc.reset();
#ifdef RANKINE_MPI
  session.reset();
#endif
}

int threads_of_process() {
#ifdef RANKINE_MPI
  if (!session || std::getenv("OMP_NUM_THREADS") != nullptr) return 0;
  const int processors = default_thread_count();
  const bool bound = processors < ::sysconf(_SC_NPROCESSORS_ONLN);
  return bound ? processors : std::max(1, processors / session->local_size());
#else
  return 0;
#endif
}

Communicator& processes() { return *shared; }

int rank_on_machine() {
#ifdef RANKINE_MPI
  if (session) return session->local_rank();
#endif
  return 0;
}

std::string show_processes() { return fmt::format("{} processes, by MPI", processes().size()); }

bem::KrylovMethod petsc_method() {
  if (!petsc) petsc.emplace(is_shared());
  return petsc->method();
}

int end_after(const std::exception& error, const std::string& work) {
  const int code = exit_code_of(error);
  if (is_shared() && !is_first_process()) {
    // If all processes fail, the first one reports the error and ends them all.
    std::this_thread::sleep_for(std::chrono::seconds(2));
    Log().error(fmt::format("process {}: {}", processes().rank(), message_of(error, work)));
  } else {
    Log().error(message_of(error, work));
  }
#ifdef RANKINE_MPI
  if (is_shared()) session->abort(code);
#endif
  return code;
}

bool stop_wanted(const SignalWatch& watch) {
  double wanted = watch.requested() ? 1.0 : 0.0;
  processes().maximum(std::span(&wanted, 1));
  return wanted > 0.0;
}

void stop_if_wanted(const SignalWatch& watch) {
  throw_if_stopped();
  if (is_shared() && stop_wanted(watch)) throw Stopped("stopped on request");
}

Json describe_processes(const std::vector<std::pair<std::string, double>>& seconds) {
  const auto over_all = [](double own) {
    std::array<double, 2> ends{own, -own};
    double total = own;
    processes().maximum(ends);
    processes().sum(std::span(&total, 1));
    return Json{{"least", -ends[1]}, {"mean", total / processes().size()}, {"most", ends[0]}};
  };
  const double bytes = counted ? counted->bytes() : 0.0;
  Json json{{"seconds", Json::object()}, {"bytes_sent", over_all(bytes)}};
  for (const auto& [name, own] : seconds) json["seconds"][name] = over_all(own);
  return json;
}

std::string of_first_process(const std::string& text) {
  auto length = static_cast<double>(text.size());
  processes().maximum(std::span(&length, 1));
  std::string own = text;
  own.resize(static_cast<std::size_t>(length));
  std::string all(own.size() * static_cast<std::size_t>(processes().size()), '\0');
  processes().gather(std::as_bytes(std::span(own)), std::as_writable_bytes(std::span(all)));
  return all.substr(0, std::min(own.size(), all.find('\0')));
}

void require_same(const std::string& value, const std::string& what) {
  // The first 53 bits of a hash, which a double represents exactly.
  const auto hash = static_cast<double>(std::hash<std::string>{}(value) >> 11);
  std::array<double, 2> ends{hash, -hash};
  processes().maximum(ends);
  if (ends[0] == -ends[1]) return;
  throw DeviceError(fmt::format(
      "the processes of this run have read different {}; they must run the same program, on "
      "machines that see the same files",
      what));
}

}  // namespace rankine::cases
