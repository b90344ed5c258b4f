// The log on standard error: facts in aligned columns, the residual table, and on a terminal one
// line of progress. Colour only on a terminal and without NO_COLOR (no-color.org). Every text is
// printed by `short_printable`, because it may hold words of files.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "rankine/fmm/core/loop_progress.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::cases {

class Log {
 public:
  enum class Level { normal, quiet, silent };
  explicit Log(Level level = Level::normal, std::FILE* stream = stderr);

  /// Clears a progress line that is still shown.
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void title(const std::string& text);
  /// `name` in a column of its own, then `text`.
  void fact(const std::string& name, const std::string& text);
  void line(const std::string& text);
  void blank() { line({}); }
  /// Printed also when quiet, not when silent, and kept for the summary.
  void warning(const std::string& text);
  void error(const std::string& text);

  /// The line of progress, only on a terminal; the next line of any kind replaces it. After some
  /// seconds it also shows how long the stage has run. `left`: seconds until it ends; 0: unknown,
  /// and the line shows those of the running loop if loops count here (Execution::progress).
  void progress(const std::string& text, double left = 0.0);

  LoopProgress& loops() { return loops_; }

  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Forgets all warnings but the first `count`.
  void forget_warnings(std::size_t count) { warnings_.resize(std::min(count, warnings_.size())); }

 private:
  /// Errors of the stream are ignored, so that the run continues.
  void write(std::string_view text);
  void put(const std::string& text);
  void show_progress();
  std::string styled(const char* code, const std::string& text) const;

  std::FILE* stream_;
  Level level_;
  bool terminal_ = false, colour_ = false, progress_shown_ = false;
  std::vector<std::string> warnings_;

  std::mutex mutex_;  ///< of what is written
  std::string stage_;
  Stopwatch since_;
  double left_ = 0.0;
  LoopProgress loops_;
  std::jthread shows_;  ///< the line of progress, once a second
};

}  // namespace rankine::cases
