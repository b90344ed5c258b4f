#include "cases/output/netcdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace rankine::cases {
namespace {

using Attributes = std::vector<std::pair<std::string, std::string>>;

enum class Tag : std::uint32_t { dimension = 10, variable = 11, attribute = 12 };
enum class Type : std::uint32_t { character = 2, real = 6 };

/// A buffer of big-endian numbers; names and values are padded to multiples of four bytes.
class Bytes {
 public:
  void add(std::uint64_t value, int bytes) {
    for (int k = bytes - 1; k >= 0; --k) text_ += static_cast<char>(value >> (8 * k) & 0xff);
  }
  void add(std::size_t value) { add(value, 4); }
  void add_padded(const std::string& characters) {
    text_ += characters;
    text_.append((4 - characters.size() % 4) % 4, '\0');
  }
  void add_name(const std::string& name) {
    add(name.size());
    add_padded(name);
  }
  /// Header of a list; for an empty list its tag and length are zero.
  void begin_list(Tag tag, std::size_t length) {
    add(length > 0 ? static_cast<std::size_t>(tag) : 0);
    add(length);
  }
  void add_attributes(const Attributes& attributes) {
    begin_list(Tag::attribute, attributes.size());
    for (const auto& [name, value] : attributes) {
      add_name(name);
      add(static_cast<std::size_t>(Type::character));
      add_name(value);
    }
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// A variable with the indices of its dimensions, and its data.
struct Stored {
  const NetcdfVariable& variable;
  std::vector<std::size_t> dimensions;
  Type type;
  Bytes data;
};

class File {
 public:
  explicit File(const std::vector<std::pair<std::string, std::int32_t>>& dimensions)
      : dimensions_(dimensions) {}

  void add(const NetcdfVariable& variable) {
    Stored stored{variable, {}, Type::real, {}};
    std::size_t count = 1;
    for (const std::string& name : variable.dimensions) {
      stored.dimensions.push_back(number_of(name));
      count *= static_cast<std::size_t>(dimensions_[stored.dimensions.back()].second);
    }
    const auto require = [&](std::size_t found) {
      if (found == count) return;
      throw std::logic_error(
          fmt::format("netcdf: {} has {} values, {} are needed", variable.name, found, count));
    };
    if (const auto* reals = std::get_if<std::vector<double>>(&variable.values)) {
      require(reals->size());
      for (const double each : *reals) stored.data.add(std::bit_cast<std::uint64_t>(each), 8);
    } else {
      const auto& strings = std::get<std::vector<std::string>>(variable.values);
      require(strings.size());
      std::size_t longest = 1;
      for (const std::string& each : strings) longest = std::max(longest, each.size());
      stored.type = Type::character;
      stored.dimensions.push_back(string_dimension(longest));
      std::string all;
      for (const std::string& each : strings) all += each + std::string(longest - each.size(), ' ');
      stored.data.add_padded(all);
    }
    variables_.push_back(std::move(stored));
  }

  std::string bytes(const Attributes& attributes) const {
    const std::size_t first = header(attributes, 0).size();
    std::string text = header(attributes, first);
    for (const Stored& each : variables_) text += each.data.text();
    return text;
  }

 private:
  std::size_t number_of(const std::string& name) const {
    const auto at = std::find_if(dimensions_.begin(), dimensions_.end(),
                                 [&](const auto& each) { return each.first == name; });
    if (at == dimensions_.end()) throw std::logic_error("netcdf: no dimension " + name);
    return static_cast<std::size_t>(at - dimensions_.begin());
  }
  std::size_t string_dimension(std::size_t length) {
    const std::string name = fmt::format("string{}", length);
    for (std::size_t k = 0; k < dimensions_.size(); ++k) {
      if (dimensions_[k].first == name) return k;
    }
    dimensions_.emplace_back(name, static_cast<std::int32_t>(length));
    return dimensions_.size() - 1;
  }
  /// The header, with offsets of data that begin at byte `first`.
  std::string header(const Attributes& attributes, std::size_t first) const {
    Bytes bytes;
    bytes.add_padded("CDF\1");
    bytes.add(std::size_t{0});  // records
    bytes.begin_list(Tag::dimension, dimensions_.size());
    for (const auto& [name, size] : dimensions_) {
      bytes.add_name(name);
      bytes.add(static_cast<std::size_t>(size));
    }
    bytes.add_attributes(attributes);
    bytes.begin_list(Tag::variable, variables_.size());
    for (const Stored& each : variables_) {
      bytes.add_name(each.variable.name);
      bytes.add(each.dimensions.size());
      for (const std::size_t dimension : each.dimensions) bytes.add(dimension);
      bytes.add_attributes(each.variable.attributes);
      bytes.add(static_cast<std::size_t>(each.type));
      bytes.add(each.data.text().size());
      bytes.add(first);
      first += each.data.text().size();
    }
    return bytes.text();
  }

  std::vector<std::pair<std::string, std::int32_t>> dimensions_;
  std::vector<Stored> variables_;
};

}  // namespace

std::string netcdf(const std::vector<std::pair<std::string, std::int32_t>>& dimensions,
                   const Attributes& attributes, const std::vector<NetcdfVariable>& variables) {
  File file(dimensions);
  for (const NetcdfVariable& each : variables) file.add(each);
  return file.bytes(attributes);
}

}  // namespace rankine::cases
