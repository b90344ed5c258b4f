#include "rankine/meshes/formats/text_file.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/meshes/formats/text_words.hpp"
#include "rankine/meshes/message_parts.hpp"

namespace rankine::meshes {

TextFile::TextFile(const std::filesystem::path& path, std::string comments, char continued)
    : path_(path),
      file_(path, std::ios::binary),
      comments_(std::move(comments)),
      continued_(continued) {}

bool TextFile::next_raw() {
  constexpr std::size_t lines_between_checks = 4096;
  rest_ = {};
  if (!std::getline(file_, text_)) return false;
  bytes_ += text_.size() + (file_.eof() ? 0 : 1);
  line_ = ++lines_;
  if (line_ % lines_between_checks == 0) throw_if_stopped();
  for (std::string next; continued_ != '\0'; text_ += next) {
    text_.resize(text_.find_last_not_of(blanks) + 1);
    if (!text_.ends_with(continued_)) break;
    text_.back() = ' ';
    if (!std::getline(file_, next)) break;
    ++lines_;
  }
  rest_ = text_;
  return true;
}

bool TextFile::next() {
  while (next_raw()) {
    rest_ = rest_.substr(0, rest_.find_first_of(comments_));
    if (!at_line_end()) return true;
  }
  return false;
}

void TextFile::require_next(std::string_view what) {
  if (!next()) refuse_end(what);
}

void TextFile::require_next(std::string_view noun, std::int64_t index, std::int64_t count) {
  if (!next()) refuse_end(of_count(noun, index, count));
}

std::string_view TextFile::rest() const {
  return rest_.substr(std::min(rest_.find_first_not_of(blanks), rest_.size()));
}

std::size_t TextFile::words_left() const {
  std::size_t words = 0;
  for (std::string_view left = rest_; !take_word(left).empty();) ++words;
  return words;
}

std::string TextFile::key() {
  const std::size_t end = rest_.find('=');
  if (end == std::string_view::npos) return {};
  std::string_view front = rest_.substr(0, end);
  rest_.remove_prefix(end + 1);
  return std::string(take_word(front));
}

std::string_view TextFile::word() { return take_word(rest_); }

double TextFile::number(std::string_view what) {
  double value = 0.0;
  const std::string_view found = word();
  if (!to_real(found, value)) refuse(std::string(what) + " needs a number, found " + shown(found));
  return value;
}

std::int64_t TextFile::integer(std::string_view what, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  const std::string_view found = word();
  if (!to_number(found, value) || value < least || value > most) {
    const std::string range = least == most ? std::to_string(least)
                                            : "a whole number from " + std::to_string(least) +
                                                  " to " + std::to_string(most);
    refuse(std::string(what) + " must be " + range + ", found " + shown(found));
  }
  return value;
}

double TextFile::finite(std::string_view what) {
  double value = 0.0;
  const std::string_view found = word();
  if (!to_real(found, value) || !std::isfinite(value)) {
    refuse(std::string(what) + " needs three finite numbers, found " + shown(found) +
           (found.empty() ? "" : ", which is not a place"));
  }
  return value;
}

Vec3d TextFile::point(std::string_view what) {
  const double x = finite(what), y = finite(what), z = finite(what);
  return {x, y, z};
}

void TextFile::require_line_end(std::string_view what) {
  if (!at_line_end())
    refuse("after " + std::string(what) + " the line should end, found " + shown(word()));
}

void TextFile::refuse_at(std::size_t line, std::string_view what) const {
  throw MeshError(path_.string() + ":" + std::to_string(line) + ": " + std::string(what) +
                  "; repair the file or export it again");
}

void TextFile::refuse_end(std::string_view what) const {
  throw MeshError(path_.string() + ":" + std::to_string(line_) + ": the file ends where " +
                  std::string(what) + " should follow; it was cut off: export or copy it again");
}

std::string of_count(std::string_view noun, std::int64_t index, std::int64_t count) {
  return std::string(noun) + " " + std::to_string(index + 1) + " of " + std::to_string(count);
}

bool to_real(std::string_view word, double& value) {
  if (to_number(word, value)) return true;
  std::string text(word);
  const std::size_t exponent = text.find_first_of("dD");
  if (exponent == std::string::npos) return false;
  text[exponent] = 'e';
  return to_number(std::string_view(text), value);
}

std::string shown(std::string_view word) {
  constexpr std::size_t most_letters = 40;
  if (word.empty()) return "the end of the line";
  std::string text(1, '"');
  text += printable(std::string(word.substr(0, most_letters)));
  text += word.size() > most_letters ? "...\"" : "\"";
  return text;
}

}  // namespace rankine::meshes
