// The reference of case files is what the program prints, and its schema accepts what the reader
// accepts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cases/input/toml.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using namespace testing;

Json in_json(const std::string& toml) {
  std::ostringstream text;
  text << toml::json_formatter{toml::parse(toml)};
  return Json::parse(text.str());
}

/// What `value` has that the schema does not allow; empty if it is valid. Knows the part of draft 7
/// that `rankine keys` uses.
std::string objection(const Json& schema, const Json& value) {
  if (schema.contains("if")) {
    const bool holds = objection(schema["if"], value).empty();
    return objection(schema[holds ? "then" : "else"], value);
  }
  if (schema.contains("anyOf")) {
    for (const Json& each : schema["anyOf"]) {
      if (objection(each, value).empty()) return {};
    }
    return "no alternative for " + value.dump();
  }
  if (schema.contains("type") && schema["type"].is_array()) {
    // One of two types; ranges are of numbers, lengths of arrays.
    Json one = schema;
    one["type"] = schema["type"][value.is_array() ? 1 : 0];
    return objection(one, value);
  }
  const std::string type = schema.value("type", "");
  const bool right =
      type.empty() || (type == "object" && value.is_object()) ||
      (type == "array" && value.is_array()) || (type == "string" && value.is_string()) ||
      (type == "boolean" && value.is_boolean()) || (type == "number" && value.is_number()) ||
      (type == "integer" && value.is_number() &&
       value.get<double>() == std::floor(value.get<double>()));
  if (!right) return value.dump() + " is no " + type;
  for (const Json& name : schema.value("required", Json::array())) {
    if (!value.contains(name)) return "no " + name.dump();
  }
  if (schema.contains("enum") &&
      std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
    return value.dump() + " is not a word";
  if (value.is_number()) {
    const double x = value.get<double>();
    if (x < schema.value("minimum", x) || x > schema.value("maximum", x) ||
        (schema.contains("exclusiveMinimum") && x <= schema["exclusiveMinimum"].get<double>()))
      return value.dump() + " is out of range";
  }
  if (value.is_array()) {
    if (value.size() < schema.value("minItems", value.size()) ||
        value.size() > schema.value("maxItems", value.size()))
      return value.dump() + " has another length";
    for (const Json& each : value) {
      if (const std::string wrong = objection(schema["items"], each); !wrong.empty()) return wrong;
    }
  }
  if (value.is_object() && schema.contains("properties")) {
    for (const auto& [name, each] : value.items()) {
      if (!schema["properties"].contains(name)) return "unknown key " + name;
      if (const std::string wrong = objection(schema["properties"][name], each); !wrong.empty())
        return name + ": " + wrong;
    }
  }
  return {};
}

TEST(Keys, ReferenceIsWhatIsPrinted) {
  const std::string pages = "../docs/reference/case";
  EXPECT_EQ(run_program({"keys", "--markdown"}).out, read_text(example(pages + ".md")));
  for (const std::string page : {"wings", "output", "particles"}) {
    EXPECT_EQ(run_program({"keys", "--markdown", "--page", page}).out,
              read_text(example(pages + "-" + page + ".md")));
  }
  EXPECT_EQ(run_program({"manual", "markdown"}).out,
            read_text(example("../docs/reference/command-line.md")));
}

TEST(Keys, TextIsToml) {
  const std::string text = run_program({"keys"}).out;
  const std::size_t particles = text.find("# Cases of particles");
  ASSERT_NE(particles, std::string::npos);
  const Json surface = in_json(text.substr(0, particles)), moving = in_json(text.substr(particles));
  EXPECT_EQ(surface["solver"]["restart"], 200);
  EXPECT_EQ(surface["mesh"]["semi_axes"], Json({3, 2, 1}));
  EXPECT_EQ(moving["output"]["every"], 50);
  EXPECT_EQ(moving["solver"]["tolerance"], 1e-4);
}

TEST(Keys, SchemaAcceptsEveryShippedCase) {
  const Json schema = Json::parse(run_program({"keys", "--json"}).out);
  int cases = 0;
  for (const auto& file : fs::recursive_directory_iterator(example("."))) {
    if (file.path().extension() != ".toml") continue;
    ++cases;
    EXPECT_EQ(objection(schema, in_json(read_text(file.path()))), "") << file.path();
  }
  EXPECT_GE(cases, 12);
}

TEST(Keys, SchemaRefusesWhatTheReaderRefuses) {
  const Json schema = Json::parse(run_program({"keys", "--json", "-"}).out);
  const std::string sphere = read_text(example("sphere/sphere.toml"));
  struct Mistake {
    std::string from, to, objection;
  };
  for (const Mistake& each :
       std::vector<Mistake>{{"tolerance", "tolerence", "solver: unknown key tolerence"},
                            {"[solver]", "[slover]", "unknown key slover"},
                            {"[[output.probe]]", "[[output.prob]]", "output: unknown key prob"},
                            {"panels = 20480", "panels = 3", "mesh: panels: 3 is out of range"},
                            {"panels = 20480", "panels = 40.5", "mesh: panels: 40.5 is no integer"},
                            {"radius = 1.0", "radius = 0.0", "mesh: radius: 0.0 is out of range"},
                            {"\"sphere\"", "\"spere\"", "mesh: shape: \"spere\" is not a word"}}) {
    EXPECT_EQ(objection(schema, in_json(replaced(sphere, each.from, each.to))), each.objection)
        << each.to;
  }
  const Json plummer = in_json(read_text(example("plummer/plummer.toml")));
  EXPECT_EQ(objection(schema["then"], plummer), "");
  EXPECT_NE(objection(schema["else"], plummer), "");
}

}  // namespace
}  // namespace rankine::cases
