#include "cases/resources/fit.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cases/output/show.hpp"

namespace rankine::cases {
namespace {

/// An estimate may be so many times too high.
constexpr double uncertainty = 1.3;

/// Rounded down to two digits. Fewer panels need less memory each.
std::string panels_for(const SolveSize& size, double needed, double free) {
  const double panels = size.panels * free / needed;
  if (panels < 100.0) return "";
  const double unit = std::pow(10.0, std::floor(std::log10(panels)) - 1.0);
  return fmt::format(" (about {} fit)",
                     show_count(static_cast<long long>(std::floor(panels / unit) * unit)));
}

std::string shortage(const std::string& where, double needed, double free) {
  return fmt::format("the solve needs about {}, but {} has {} free: {} are missing",
                     show_bytes(needed), where, show_bytes(free), show_bytes(needed - free));
}

std::string advice(const SolveSize& size, double needed, double free) {
  std::string text =
      "use fewer panels" + panels_for(size, needed, free) + ", a looser fmm.tolerance";
  if (size.inner) text += ", solver.precision = \"float\" or no relaxation";
  if (size.probes && size.probe_nodes > size.nodes) text += ", no probes";
  return text;
}

}  // namespace

Verdict judge(const SolveSize& size, BackendChoice choice, Place wanted, const Room& room) {
  const double on_host = memory_of(size, Place::host).host;
  Verdict verdict{.place = wanted, .warning = {}, .refusal = {}};
  if (wanted == Place::device) {
    const double needed = memory_of(size, Place::device).device;
    if (needed <= room.device) return verdict;
    const std::string missing = shortage(room.device_name, needed, room.device);
    if (needed <= uncertainty * room.device) {
      verdict.warning =
          missing + "; it may fit all the same. If not, " + advice(size, needed, room.device);
    } else if (choice == BackendChoice::automatic && on_host <= room.host) {
      verdict.place = Place::host;
      verdict.warning = missing + "; solving on the processor instead";
    } else {
      verdict.refusal = fmt::format("{}; {}, or --backend cpu, which needs {} of the host's {}",
                                    missing, advice(size, needed, room.device), show_bytes(on_host),
                                    show_bytes(room.host));
    }
    return verdict;
  }
  if (on_host > room.host) {
    verdict.warning =
        fmt::format("{}; {}, or a machine with more memory",
                    shortage("this machine", on_host, room.host), advice(size, on_host, room.host));
  }
  return verdict;
}

}  // namespace rankine::cases
