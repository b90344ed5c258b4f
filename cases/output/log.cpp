#include "cases/output/log.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "cases/output/printable.hpp"

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
  put(fmt::format("{} {}", styled("33", "warning:"), warnings_.back()));
}

void Log::error(const std::string& text) {
  if (level_ == Level::silent) return;
  put(fmt::format("{} {}", styled("31", "error:"), short_printable(text)));
}

void Log::progress(const std::string& text) {
  if (!terminal_ || level_ != Level::normal) return;
  write(fmt::format("{}  {}", clear_line, short_printable(text)));
  progress_shown_ = true;
}

}  // namespace rankine::cases
