// Serialises values, arrays and texts to bytes, for another process on the same machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace rankine::meshes {

class ByteWriter {
 public:
  ByteWriter() { reserve(256); }
  /// Reserves memory for `more` further bytes.
  void reserve(std::size_t more) { bytes_.reserve(bytes_.size() + more); }

  template <class T>
  void value(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    append(&value, sizeof(T));
  }
  template <class T>
  void all(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    value(std::uint64_t{values.size()});
    append(values.data(), values.size() * sizeof(T));
  }
  void text(const std::string& text) {
    value(std::uint64_t{text.size()});
    append(text.data(), text.size());
  }
  std::vector<char> take() { return std::move(bytes_); }

 private:
  void append(const void* data, std::size_t size) {
    const char* const begin = static_cast<const char*>(data);
    if (size > 0) bytes_.insert(bytes_.end(), begin, begin + size);
  }

  std::vector<char> bytes_;
};

/// The data end too early or are invalid.
struct DamagedBytes : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads the data of a ByteWriter in the same order. Throws DamagedBytes.
class ByteReader {
 public:
  explicit ByteReader(std::span<const char> bytes) : rest_(bytes) {}

  template <class T>
  T value() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    take(&value, sizeof(T));
    return value;
  }
  template <class T>
  std::vector<T> all() {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> values(count(sizeof(T)));
    take(values.data(), values.size() * sizeof(T));
    return values;
  }
  std::string text() {
    std::string value(count(1), '\0');
    take(value.data(), value.size());
    return value;
  }
  /// Reads a count of items of `size` bytes each; throws if the remaining data are shorter.
  std::size_t count(std::size_t size) {
    const auto found = value<std::uint64_t>();
    if (found > rest_.size() / size) throw DamagedBytes("a count beyond the data");
    return static_cast<std::size_t>(found);
  }
  bool at_end() const { return rest_.empty(); }

 private:
  void take(void* to, std::size_t size) {
    if (size > rest_.size()) throw DamagedBytes("data cut short");
    if (size > 0) std::memcpy(to, rest_.data(), size);
    rest_ = rest_.subspan(size);
  }

  std::span<const char> rest_;
};

}  // namespace rankine::meshes
