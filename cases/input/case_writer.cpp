#include "cases/input/case_writer.hpp"

#include <cstdint>
#include <sstream>

#include "cases/input/toml.hpp"

namespace rankine::cases {

template <class T>
std::string value(const T& each) {
  std::ostringstream text;
  text << toml::toml_formatter{toml::value<T>(each)};
  return text.str();
}
template std::string value(const double& each);
template std::string value(const std::int64_t& each);
template std::string value(const bool& each);
template std::string value(const std::string& each);

std::string value(const Vec3d& v) {
  return fmt::format("[{}, {}, {}]", value(v.x), value(v.y), value(v.z));
}

std::string value(const std::filesystem::path& path, const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  const fs::path target = fs::weakly_canonical(path), base = fs::weakly_canonical(folder);
  const fs::path relative = target.lexically_relative(base);
  return value((relative.empty() ? target : relative).generic_string());
}

std::string list(const std::vector<std::string>& each) {
  std::string text;
  for (const std::string& one : each) text += (text.empty() ? "" : ", ") + value(one);
  return "[" + text + "]";
}

void write_fmm(CaseWriter& out, const FmmInput& fmm) {
  out.header("[fmm]");
  out.line("method", method_words, fmm.method);
  out.line("tolerance", value(fmm.tolerance));
  out.line("order", value<std::int64_t>(fmm.order));
  out.line("leaf_capacity", value<std::int64_t>(fmm.leaf_capacity));
  out.line("precision", precision_words, fmm.precision);
}

}  // namespace rankine::cases
