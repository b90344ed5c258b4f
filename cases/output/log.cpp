#include "cases/output/log.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <string_view>

#include "cases/output/printable.hpp"
#include "cases/output/show.hpp"
#include "cases/output/warning_number.hpp"

namespace rankine::cases {
namespace {

constexpr auto clear_line = "\r\033[K";

}  // namespace

Log::Log(Level level, std::FILE* stream) : stream_(stream), level_(level) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  terminal_ =
      ::isatty(::fileno(stream)) == 1 && (kind == nullptr || std::string_view(kind) != "dumb");
  colour_ = terminal_ && (no_colour == nullptr || *no_colour == '\0');
}

Log::~Log() {
  shows_ = {};
  if (progress_shown_) write(clear_line);
}

void Log::write(std::string_view text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stream_));
  std::fflush(stream_);
}

std::string Log::styled(const char* code, const std::string& text) const {
  return colour_ ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

void Log::put(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (progress_shown_) write(clear_line);
  progress_shown_ = false;
  write(text + "\n");
}

void Log::title(const std::string& text) {
  if (level_ == Level::normal) put(styled("1", short_printable(text)));
}

void Log::fact(const std::string& name, const std::string& text) {
  if (level_ != Level::normal) return;
  put(styled("36", fmt::format("  {:<10} ", name)) + short_printable(text));
}

void Log::line(const std::string& text) {
  if (level_ == Level::normal) put(short_printable(text));
}

void Log::warning(const std::string& text) {
  warnings_.push_back(short_printable(text));
  if (level_ == Level::silent) return;
  const std::string number = warning_number(text);
  put(fmt::format("{} {}",
                  styled("33", fmt::format("warning{}{}:", number.empty() ? "" : " ", number)),
                  warnings_.back()));
}

void Log::error(const std::string& text) {
  if (level_ == Level::silent) return;
  put(fmt::format("{} {}", styled("31", "error:"), short_printable(text)));
}

void Log::progress(const std::string& text, double left) {
  if (!terminal_ || level_ != Level::normal) return;
  const std::lock_guard lock(mutex_);
  stage_ = short_printable(text);
  since_ = {};
  left_ = left;
  progress_shown_ = true;
  show_progress();
  if (shows_.joinable()) return;
  shows_ = std::jthread([this](const std::stop_token& token) {
    std::condition_variable_any stops;
    std::unique_lock locked(mutex_);
    while (!stops.wait_for(locked, token, std::chrono::seconds(1), [] { return false; }) &&
           !token.stop_requested()) {
      if (progress_shown_) show_progress();
    }
  });
}

void Log::show_progress() {
  constexpr double is_long = 3.0;  // seconds before elapsed time is shown
  const double seconds = since_.seconds();
  const double left = left_ > 0.0 ? left_ - seconds : loops_.seconds_left();
  std::string text = stage_ + " ...";
  if (seconds >= is_long) text += ", " + show_duration(seconds);
  if (left > 0.0 && seconds + left >= is_long)
    text += (left_ > 0.0 ? ", " : ", at least ") + show_duration(left) + " left";
  write(fmt::format("{}  {}", clear_line, text));
}

}  // namespace rankine::cases
