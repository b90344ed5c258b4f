#include "cases/resources/fit.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cases/case_constants.hpp"
#include "cases/output/show.hpp"

namespace rankine::cases {
namespace {

/// Rounded down to two digits. Fewer panels need less memory each.
std::string panels_for(const SolveSize& size, double needed, double free) {
  const double panels = size.panels * free / needed;
  if (panels < 100.0) return "";
  const double unit = std::pow(10.0, std::floor(std::log10(panels)) - 1.0);
  return fmt::format(" (about {} fit)",
                     show_count(static_cast<long long>(std::floor(panels / unit) * unit)));
}

/// What the memory is for: the solve, or the evaluation at probe points where that takes most.
bool probes_take_most(const SolveSize& size, bem::MemorySpace place) {
  SolveSize alone = size;
  alone.probe_points = alone.probe_sources = 0.0;
  const Memory with = memory_of(size, place), without = memory_of(alone, place);
  return with.host + with.device > 2.0 * (without.host + without.device);
}

std::string shortage(const SolveSize& size, bem::MemorySpace place, const std::string& where,
                     double needed, double free) {
  const std::string what = probes_take_most(size, place)
                               ? fmt::format("the evaluation at {} probe points",
                                             show_count(static_cast<long long>(size.probe_points)))
                               : "the solve";
  return fmt::format("{} needs about {}, but {} has {} free: {} are missing", what,
                     show_bytes(needed), where, show_bytes(free), show_bytes(needed - free));
}

std::string advice(const SolveSize& size, bem::MemorySpace place, double needed, double free) {
  if (probes_take_most(size, place)) return "use fewer cells or points in [[output.probe]]";
  std::string text =
      "use fewer panels" + panels_for(size, needed, free) + ", a looser fmm.tolerance";
  if (size.second_operator) text += ", solver.precision = \"float\" or no relaxation";
  if (size.probe_sources > size.sources) text += ", no probes";
  return text;
}

/// Of a solve at verdict.place as far as the host's memory goes.
void judge_host(Verdict& verdict, const SolveSize& size, const Room& room) {
  const double needed = memory_of(size, verdict.place).host;
  if (needed <= room.host) return;
  const std::string missing = shortage(size, verdict.place, "this machine", needed, room.host),
                    change = advice(size, verdict.place, needed, room.host) +
                             ", or a machine with more memory";
  if (needed <= fitted::forecast_margin * (room.host + room.swap)) {
    verdict.warning = missing + "; it may fit all the same. If not, " + change;
  } else {
    verdict.refusal = missing + "; " + change;
  }
}

void judge_device(Verdict& verdict, const SolveSize& size, BackendChoice choice, const Room& room) {
  constexpr auto device = bem::MemorySpace::device;
  const double on_host = memory_of(size, bem::MemorySpace::host).host,
               needed = memory_of(size, device).device;
  if (needed <= room.device) return;
  const std::string missing = shortage(size, device, room.device_name, needed, room.device),
                    change = advice(size, device, needed, room.device);
  if (needed <= fitted::forecast_margin * room.device) {
    verdict.warning = missing + "; it may fit all the same. If not, " + change;
  } else if (choice == BackendChoice::automatic && on_host <= room.host) {
    verdict.place = bem::MemorySpace::host;
    verdict.warning = missing + "; solving on the processor instead";
  } else {
    verdict.refusal = fmt::format("{}; {}, or --backend cpu, which needs {} of the host's {}",
                                  missing, change, show_bytes(on_host), show_bytes(room.host));
  }
}

}  // namespace

Verdict judge(const SolveSize& size, BackendChoice choice, bem::MemorySpace wanted,
              const Room& room) {
  Verdict verdict{.place = wanted, .warning = {}, .refusal = {}};
  if (wanted == bem::MemorySpace::device) judge_device(verdict, size, choice, room);
  if (verdict.warning.empty() && verdict.refusal.empty()) judge_host(verdict, size, room);
  return verdict;
}

}  // namespace rankine::cases
