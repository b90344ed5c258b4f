// `rankine keys`: the keys of a case file, as a TOML file with comments, as the pages
// docs/reference/case*.md, and as a JSON schema (draft 7) for editors.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cases/input/read_case.hpp"
#include "cases/output/standard_output.hpp"
#include "cases/particles/read_particle_case.hpp"
#include "cases/verbs/verbs.hpp"

namespace rankine::cases {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t columns = 98;

/// `text` wrapped to lines of at most `columns`, each with the prefix `begin`.
std::string wrapped(const std::string& begin, const std::string& text) {
  std::string all, line = begin;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > columns && line != begin) {
      all += line + "\n";
      line = begin;
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return all + line + "\n";
}

/// The text of a key and its permitted values.
std::string comment(const Row& key) {
  std::string text = key.about.text;
  text.pop_back();  // removes the full stop
  const auto add = [&](const std::string& more) { text += more.empty() ? "" : "; " + more; };
  add(key.about.unit);
  add(describe(key.about.range));
  add(fmt::format("{}", fmt::join(key.words, " | ")));
  if (!key.about.otherwise.empty()) add("default: " + key.about.otherwise);
  if (!key.about.example.empty()) add("required");
  return text;
}

/// A line `key = default`; without a default `# key = type`, or an example.
std::string in_toml(const Row& key) {
  const bool has_default = key.about.written && key.about.example.empty() && !key.value.empty();
  std::string value = key.type == "number" && has_default ? fmt::format("{}", std::stod(key.value))
                      : has_default                       ? key.value
                                                          : key.type;
  std::replace(value.begin(), value.end(), '\'', '"');
  const std::string line =
      key.about.example.empty()
          ? fmt::format("{}{:<9} = {}", has_default ? "" : "# ", key.name, value)
          : "# " + key.about.example;
  const std::string short_line = fmt::format("{:<28}  # {}", line, comment(key));
  if (short_line.size() <= columns) return short_line + "\n";
  return wrapped("#", comment(key)) + line + "\n";
}

std::string in_toml(const std::vector<TableText>& tables) {
  std::string text;
  for (const TableText& table : tables) {
    if (!text.empty()) text += "\n";
    if (!table.path.empty())
      text += wrapped("#", table.text) +
              fmt::format(fmt::runtime(table.list ? "[[{}]]\n" : "[{}]\n"), table.path);
    for (const Row& key : table.rows) text += in_toml(key);
  }
  return text;
}

constexpr auto first_page =
    "Printed by `rankine keys --markdown`; `--page` prints the other pages. A case file is TOML "
    "with SI units. Paths are relative to the file (of a pipe, to the working directory). What "
    "follows has every key with its default; `case.resolved.toml` in the results has those of "
    "the case. A key that is unknown, or that the shape, kind or type does not take, is an error "
    "with its line; all errors are reported together.";
constexpr auto overrides =
    "`--set key=value` overrides one key: `--set solver.tolerance=1e-8 --set "
    "\"problem.velocity=[0, 0, 1]\"`. `rankine keys --json > case.schema.json` writes a JSON "
    "schema; editors that know TOML complete and check a case file whose first line is "
    "`#:schema case.schema.json`. How to use the keys: "
    "[cases/README.md](../../cases/README.md#for-users).";

std::string in_code(const std::vector<TableText>& tables) {
  return "\n```toml\n" + in_toml(tables) + "```\n";
}

/// A page on the tables of a surface case, selected by the first part of their names.
std::string page_of(KeysPage page) {
  std::vector<TableText> tables;
  for (const TableText& table : surface_tables()) {
    const std::string name = table.path.substr(0, table.path.find('.'));
    const bool of_wings = name == "lift" || name == "control" || name == "rotor",
               of_output =
                   name == "solver" || name == "fmm" || name == "output" || name == "verify";
    const KeysPage own = of_wings    ? KeysPage::wings
                         : of_output ? KeysPage::output
                                     : KeysPage::surface;
    if (own == page) tables.push_back(table);
  }
  return in_code(tables);
}

/// The page on particle cases, without the tables shared with surface cases.
std::string particle_page() {
  std::vector<TableText> tables;
  std::vector<std::string> same;
  const std::vector<TableText> of_surfaces = surface_tables();
  for (const TableText& table : particle_tables()) {
    const bool known = std::any_of(of_surfaces.begin(), of_surfaces.end(), [&](const auto& each) {
      return !each.path.empty() && in_toml({each}) == in_toml({table});
    });
    if (known)
      same.push_back("`" + table.path + "`");
    else
      tables.push_back(table);
  }
  return "# Keys of a case of particles\n\n" +
         wrapped("", fmt::format("A [case](case.md) whose `problem.kind` is `gravity` or `vortex` "
                                 "moves particles. A body among vortices has a `[mesh]`. As in "
                                 "cases of a surface: {}.",
                                 fmt::join(same, ", "))) +
         in_code(tables);
}

std::string page(KeysPage which) {
  switch (which) {
    case KeysPage::wings:
      return "# Keys of wings and rotors\n\nTables of a [case](case.md) with lift.\n" +
             page_of(which);
    case KeysPage::output:
      return "# Keys of solver, output and verification\n\nTables of any [case](case.md) of a "
             "surface.\n" +
             page_of(which);
    case KeysPage::particles:
      return particle_page();
    case KeysPage::surface:
      break;
  }
  return "# Keys of a case file\n\n" + wrapped("", first_page) + "\n" + wrapped("", overrides) +
         "\nFurther tables: [wings and rotors](case-wings.md), [solver, output and "
         "verification](case-output.md),\n[cases of particles](case-particles.md).\n" +
         page_of(which);
}

Json list_of(const Json& items, int size) {
  Json schema{{"type", "array"}, {"items", items}};
  if (size > 0) schema["minItems"] = schema["maxItems"] = size;
  return schema;
}

/// One item or an array of two. Draft 7 applies ranges to numbers and lengths to arrays only.
Json one_or_two(const Json& items) {
  Json schema = list_of(items, 2);
  schema.update(items);
  schema["type"] = {items["type"], "array"};
  return schema;
}

Json schema_of(const Row& key) {
  const Range& range = key.about.range;
  Json number{{"type", "number"}}, whole{{"type", "integer"}}, text{{"type", "string"}};
  for (Json* each : {&number, &whole}) {
    if (std::isfinite(range.least))
      (*each)[range.above_least ? "exclusiveMinimum" : "minimum"] = range.least;
    if (std::isfinite(range.most)) (*each)["maximum"] = range.most;
  }
  if (!key.words.empty()) text["enum"] = key.words;
  const std::map<std::string, Json> types{
      {"number", number},
      {"whole number", whole},
      {"true or false", {{"type", "boolean"}}},
      {"text", text},
      {"path", text},
      {"word", text},
      {"two numbers", list_of(number, 2)},
      {"number or two numbers", one_or_two(number)},
      {"whole number or two of them", one_or_two(whole)},
      {"three numbers", list_of(number, 3)},
      {"three whole numbers", list_of(whole, 3)},
      {"list of names", list_of(text, 0)},
      {"list of words", list_of(text, 0)},
      {"name or list of names", {{"anyOf", Json::array({text, list_of(text, 0)})}}},
      {"list of points", list_of(list_of(number, 3), 0)}};
  Json schema = types.at(key.type);
  schema["description"] = comment(key);
  return schema;
}

/// The schema of all tables as one object.
Json schema_of(const std::vector<TableText>& tables) {
  Json root{{"type", "object"}, {"additionalProperties", false}};
  std::map<std::string, Json*> objects{{"", &root}};
  for (const TableText& table : tables) {
    const std::size_t dot = table.path.rfind('.');
    Json* object = &root;
    if (!table.path.empty()) {
      Json& parent = *objects.at(dot == std::string::npos ? "" : table.path.substr(0, dot));
      object = &parent["properties"][table.path.substr(dot + 1)];
      (*object)["description"] = table.text;
      if (table.list) {
        (*object)["type"] = "array";
        object = &(*object)["items"];
      }
      (*object)["type"] = "object";
      // [sweep] accepts any key.
      (*object)["additionalProperties"] = table.path == "sweep";
      objects[table.path] = object;
    }
    for (const Row& key : table.rows) (*object)["properties"][key.name] = schema_of(key);
  }
  return root;
}

}  // namespace

int run(const KeysArguments& arguments) {
  if (arguments.json) {
    const Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                      {"title", "Case file of Rankine, version 1"},
                      {"if", {{"required", {"particles"}}}},
                      {"then", schema_of(particle_tables())},
                      {"else", schema_of(surface_tables())}};
    print(schema.dump(1) + "\n");
  } else {
    print(arguments.markdown ? page(arguments.page)
                             : "# Cases of a surface\n\n" + in_toml(surface_tables()) +
                                   "\n# Cases of particles\n\n" + in_toml(particle_tables()));
  }
  return exit_solved;
}

}  // namespace rankine::cases
