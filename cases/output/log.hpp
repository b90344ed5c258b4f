// The log on stderr: phases with their seconds, facts in aligned columns, the residual table, and
// on a terminal one line that moves. Colour only on a terminal and without NO_COLOR (no-color.org).
#pragma once

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::cases {

class Log {
 public:
  enum class Level { normal, quiet };
  explicit Log(Level level = Level::normal, std::FILE* stream = stderr);

  /// Clears a progress line that is still shown.
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void title(const std::string& text);
  /// `name` in a column of its own, then what is to be said about it.
  void fact(const std::string& name, const std::string& text);
  void line(const std::string& text);
  void blank() { line({}); }
  /// Said even when quiet.
  void warning(const std::string& text);
  void error(const std::string& text);

  /// One moving line, only on a terminal; the next line of any other kind replaces it.
  void progress(const std::string& text);

  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  void put(const std::string& text);
  std::string styled(const char* code, const std::string& text) const;

  std::FILE* stream_;
  Level level_;
  bool terminal_ = false, colour_ = false, progress_shown_ = false;
  std::vector<std::string> warnings_;
};

/// Seconds of every phase of a run, in order.
class Phases {
 public:
  explicit Phases(Log& log) : log_(log) {}

  /// Runs `work` as the phase `name`, showing it as progress meanwhile;
  /// returns what `work` returns.
  template <class Work>
  auto time(const std::string& name, Work&& work) {
    log_.progress(name + " ...");
    const Stopwatch watch;
    struct Record {
      Phases& phases;
      const std::string& name;
      const Stopwatch& watch;
      ~Record() { phases.seconds_.emplace_back(name, watch.seconds()); }
    } record{*this, name, watch};
    return std::forward<Work>(work)();
  }

  double seconds(const std::string& name) const;
  double total() const { return total_.seconds(); }
  const std::vector<std::pair<std::string, double>>& all() const { return seconds_; }

 private:
  Log& log_;
  Stopwatch total_;
  std::vector<std::pair<std::string, double>> seconds_;
};

}  // namespace rankine::cases
