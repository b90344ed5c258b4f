// The log on standard error: facts in aligned columns, the table of residuals and, on a terminal, a
// progress line. Colour is used on terminals unless NO_COLOR is set (no-color.org). Every text
// passes through `short_printable`, because it may contain text from files.
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

  /// Clears the progress line.
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void title(const std::string& text);
  /// A line with `name` in the first column and `text` in the second.
  void fact(const std::string& name, const std::string& text);
  void line(const std::string& text);
  void blank() { line({}); }
  /// Printed unless the level is silent, and kept for the summary.
  void warning(const std::string& text);
  void error(const std::string& text);

  /// Shows the progress line, on a terminal only; the next line of any kind replaces it. After some
  /// seconds it includes the elapsed time of the stage. `left`: remaining seconds. If it is 0
  /// (unknown), the line shows the remaining seconds of the running loop, if loops report to
  /// loops() (Execution::progress).
  void progress(const std::string& text, double left = 0.0);

  LoopProgress& loops() { return loops_; }

  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Removes all warnings except the first `count`.
  void forget_warnings(std::size_t count) { warnings_.resize(std::min(count, warnings_.size())); }

 private:
  /// Ignores errors of the stream, so that the run continues.
  void write(std::string_view text);
  void put(const std::string& text);
  void show_progress();
  std::string styled(const char* code, const std::string& text) const;

  std::FILE* stream_;
  Level level_;
  bool terminal_ = false, colour_ = false, progress_shown_ = false;
  std::vector<std::string> warnings_;

  std::mutex mutex_;  ///< guards the output
  std::string stage_;
  Stopwatch since_;
  double left_ = 0.0;
  LoopProgress loops_;
  std::jthread shows_;  ///< redraws the progress line once a second
};

}  // namespace rankine::cases
