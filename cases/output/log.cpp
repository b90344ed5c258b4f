#include "cases/output/log.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace rankine::cases {

Log::Log(Level level, std::FILE* stream) : stream_(stream), level_(level) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  terminal_ =
      ::isatty(::fileno(stream)) == 1 && (kind == nullptr || std::string_view(kind) != "dumb");
  colour_ = terminal_ && (no_colour == nullptr || *no_colour == '\0');
}

Log::~Log() {
  if (progress_shown_) fmt::print(stream_, "\r\033[K");
}

std::string Log::styled(const char* code, const std::string& text) const {
  return colour_ ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

void Log::put(const std::string& text) {
  if (progress_shown_) fmt::print(stream_, "\r\033[K");
  progress_shown_ = false;
  fmt::print(stream_, "{}\n", text);
  std::fflush(stream_);
}

void Log::title(const std::string& text) { line(styled("1", text)); }

void Log::fact(const std::string& name, const std::string& text) {
  line(fmt::format("{}{}", styled("36", fmt::format("  {:<11}", name)), text));
}

void Log::line(const std::string& text) {
  if (level_ != Level::quiet) put(text);
}

void Log::warning(const std::string& text) {
  warnings_.push_back(text);
  put(fmt::format("{} {}", styled("33", "warning:"), text));
}

void Log::error(const std::string& text) {
  put(fmt::format("{} {}", styled("31", "error:"), text));
}

void Log::progress(const std::string& text) {
  if (!terminal_ || level_ == Level::quiet) return;
  fmt::print(stream_, "\r\033[K  {}", text);
  std::fflush(stream_);
  progress_shown_ = true;
}

double Phases::seconds(const std::string& name) const {
  double sum = 0.0;
  for (const auto& [each, seconds] : seconds_) sum += each == name ? seconds : 0.0;
  return sum;
}

}  // namespace rankine::cases
