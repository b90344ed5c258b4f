#include "rankine/meshes/formats/readers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/core/text.hpp"
#include "rankine/meshes/formats/mesh_builder.hpp"
#include "rankine/meshes/formats/text_file.hpp"
#include "rankine/meshes/formats/text_words.hpp"
#include "rankine/meshes/message_parts.hpp"

namespace rankine::meshes {
namespace {

template <class T>
double number_of(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return static_cast<double>(value);
}

/// A numeric type: names, size, and conversion from bytes.
struct Type {
  std::string_view old_name, name;
  std::size_t bytes;
  double (*number)(const char*);
};

constexpr std::array<Type, 8> types{{{"char", "int8", 1, number_of<std::int8_t>},
                                     {"uchar", "uint8", 1, number_of<std::uint8_t>},
                                     {"short", "int16", 2, number_of<std::int16_t>},
                                     {"ushort", "uint16", 2, number_of<std::uint16_t>},
                                     {"int", "int32", 4, number_of<std::int32_t>},
                                     {"uint", "uint32", 4, number_of<std::uint32_t>},
                                     {"float", "float32", 4, number_of<float>},
                                     {"double", "float64", 8, number_of<double>}}};

struct Property {
  std::string name;
  const Type* type;
  const Type* count;  ///< type of the count of a list; else null
};

struct PlyElement {
  std::string name;
  std::int64_t count;
  std::vector<Property> properties;
};

enum class Encoding { text, little, big };

/// Reads the values after the header of a PLY file in sequence. Throws if a value is not a number.
class Values {
 public:
  virtual ~Values() = default;
  Values() = default;
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;

  virtual void begin(const std::string& noun, std::int64_t index, std::int64_t count) = 0;
  virtual double take(const Type& type) = 0;
  virtual void end() = 0;
  /// The place of the current element for messages: a line, or an index from 0.
  virtual std::size_t place() const = 0;
  [[noreturn]] virtual void refuse(std::size_t place, const std::string& what) const = 0;
  /// Throws if the file contains more than its header declares.
  virtual void require_end() = 0;
};

class TextValues final : public Values {
 public:
  explicit TextValues(TextFile& file) : file_(file) {}

  void begin(const std::string& noun, std::int64_t index, std::int64_t count) override {
    file_.require_next(noun, index, count);
    noun_ = noun;
  }
  double take(const Type&) override { return file_.number(noun_); }
  void end() override { file_.require_line_end(noun_); }
  std::size_t place() const override { return file_.line(); }
  void refuse(std::size_t place, const std::string& what) const override {
    file_.refuse_at(place, what);
  }
  void require_end() override {
    if (file_.next()) file_.refuse("the file goes on after the elements of its header");
  }

 private:
  TextFile& file_;
  std::string noun_;
};

class BinaryValues final : public Values {
 public:
  BinaryValues(const std::filesystem::path& path, std::size_t first_byte, bool little)
      : path_(path),
        file_(path, std::ios::binary),
        swapped_(little != (std::endian::native == std::endian::little)) {
    file_.seekg(static_cast<std::streamoff>(first_byte));
  }

  void begin(const std::string& noun, std::int64_t index, std::int64_t count) override {
    constexpr std::size_t elements_between_checks = 4096;
    if (++place_ % elements_between_checks == 0) throw_if_stopped();
    noun_ = noun;
    index_ = index;
    count_ = count;
  }
  double take(const Type& type) override {
    std::array<char, sizeof(double)> bytes{};
    if (!file_.read(bytes.data(), static_cast<std::streamsize>(type.bytes))) {
      throw MeshError(path_.string() + ": the file ends within " + of_count(noun_, index_, count_) +
                      "; it was cut off: export or copy it again");
    }
    if (swapped_) std::reverse(bytes.begin(), bytes.begin() + type.bytes);
    return type.number(bytes.data());
  }
  void end() override {}
  std::size_t place() const override { return place_; }
  void refuse(std::size_t place, const std::string& what) const override {
    throw MeshError(path_.string() + ", element " + std::to_string(place) +
                    " from its header on: " + what + "; repair the file or export it again");
  }
  void require_end() override {
    if (file_.peek() != std::ifstream::traits_type::eof()) {
      throw MeshError(path_.string() +
                      ": the file goes on after the elements of its header; repair the file or "
                      "export it again");
    }
  }

 private:
  std::filesystem::path path_;
  std::ifstream file_;
  bool swapped_;
  std::size_t place_ = 0;
  std::string noun_;
  std::int64_t index_ = 0, count_ = 0;
};

class PlyReader {
 public:
  explicit PlyReader(const std::filesystem::path& path) : file_(path) {}

  SurfaceMesh read() {
    read_header();
    if (encoding_ == Encoding::text) {
      values_ = std::make_unique<TextValues>(file_);
    } else {
      values_ = std::make_unique<BinaryValues>(file_.path(), file_.bytes(),
                                               encoding_ == Encoding::little);
    }
    for (const PlyElement& element : elements_) read_elements(element);
    values_->require_end();
    return builder_.finish();
  }

 private:
  void next_header_line(const std::string& what) {
    if (!file_.next_raw()) file_.refuse_end(what);
  }

  void read_header() {
    next_header_line("ply");
    if (const std::string_view first = file_.word(); first != "ply" || !file_.at_line_end()) {
      file_.refuse("a PLY file begins with a line \"ply\", found " + shown(first));
    }
    std::optional<Encoding> encoding;
    while (true) {
      next_header_line("end_header");
      const std::string_view word = file_.word();
      if (word == "end_header") break;
      if (word == "format") {
        encoding = read_format();
      } else if (word == "element") {
        const std::string name(file_.word());
        elements_.push_back({name, file_.integer("the number of elements", 0, most_count), {}});
      } else if (word == "property") {
        read_property();
      } else if (word != "comment" && word != "obj_info" && !word.empty()) {
        file_.refuse(
            "a line of a PLY header begins with format, element, property, comment or "
            "end_header, found " +
            shown(word));
      }
    }
    if (!encoding) file_.refuse("the header has no line \"format\"");
    encoding_ = *encoding;
    for (const PlyElement& element : elements_) {
      if (element.properties.empty() && element.count > 0) {
        file_.refuse("the element " + shown(element.name) + " has no property");
      }
    }
  }

  Encoding read_format() {
    const std::string_view word = file_.word();
    if (word == "ascii") return Encoding::text;
    if (word == "binary_little_endian") return Encoding::little;
    if (word == "binary_big_endian") return Encoding::big;
    file_.refuse("the format is ascii, binary_little_endian or binary_big_endian, found " +
                 shown(word));
  }

  const Type* read_type() {
    const std::string_view word = file_.word();
    for (const Type& each : types) {
      if (word == each.old_name || word == each.name) return &each;
    }
    file_.refuse("a property needs a type, int, float or double, found " + shown(word));
  }

  void read_property() {
    if (elements_.empty()) file_.refuse("a property needs an element before it");
    std::string_view rest = file_.rest();
    const Type* count = nullptr;
    if (take_word(rest) == "list") {
      file_.word();
      count = read_type();
    }
    const Type* const type = read_type();
    elements_.back().properties.push_back({std::string(file_.word()), type, count});
  }

  void read_elements(const PlyElement& element) {
    const bool vertices = element.name == "vertex", faces = element.name == "face",
               strips = element.name == "tristrips";
    const std::string noun = printable(element.name);
    for (std::int64_t e = 0; e < element.count; ++e) {
      values_->begin(noun, e, element.count);
      Vec3d x;
      std::size_t coordinates = 0;
      for (const Property& property : element.properties) {
        if (property.count) {
          read_list(property);
          const bool corners = is_index_list(property);
          if (faces && corners) builder_.add_panel(list_, values_->place());
          if (strips && corners) builder_.add_strip(list_, values_->place());
          continue;
        }
        const double value = values_->take(*property.type);
        if (!vertices || property.name.size() != 1) continue;
        const int axis = property.name[0] - 'x';
        if (axis < 0 || axis > 2) continue;
        x[axis] = value;
        ++coordinates;
      }
      values_->end();
      if (vertices) add_vertex(x, coordinates);
    }
  }

  void add_vertex(const Vec3d& x, std::size_t coordinates) {
    if (coordinates != 3) values_->refuse(values_->place(), "a vertex needs properties x, y and z");
    if (!is_finite(x)) {
      values_->refuse(values_->place(), text_of("the vertex is at ", x, ", which is not a place"));
    }
    builder_.add_node(x, values_->place());
  }

  void read_list(const Property& property) {
    list_.clear();
    const double count = values_->take(*property.count);
    if (!(count >= 0.0) || count != std::floor(count)) {
      values_->refuse(values_->place(), "the length of a list is " + text_of(count));
    }
    for (double k = 0.0; k < count; k += 1.0) {
      const double value = values_->take(*property.type);
      constexpr double most = std::numeric_limits<std::uint32_t>::max();
      const bool index = std::abs(value) <= most && value == std::floor(value);
      if (!index && is_index_list(property)) {
        values_->refuse(values_->place(),
                        "a corner must be a whole number, found " + text_of(value));
      }
      list_.push_back(index ? static_cast<std::int64_t>(value) : 0);
    }
  }
  static bool is_index_list(const Property& property) {
    return property.name == "vertex_indices" || property.name == "vertex_index";
  }

  static constexpr std::int64_t most_count = std::numeric_limits<std::int64_t>::max();

  TextFile file_;
  MeshBuilder builder_{
      0, [this](std::size_t place, const std::string& what) { values_->refuse(place, what); }};
  Encoding encoding_ = Encoding::text;
  std::vector<PlyElement> elements_;
  std::unique_ptr<Values> values_;
  std::vector<std::int64_t> list_;
};

}  // namespace

SurfaceMesh read_ply(const std::filesystem::path& path) { return PlyReader(path).read(); }

}  // namespace rankine::meshes
