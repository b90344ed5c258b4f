#include "cases/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <sstream>
#include <string_view>
#include <vector>

namespace rankine::cases {
namespace {

/// One option or positional argument.
struct Item {
  std::vector<std::string> names;  ///< "-o", "--output"; empty for a positional argument
  std::string value;               ///< kind of the value: "DIR", "auto|cpu|cuda"; empty for a flag
  std::string text;
  std::string initial;             ///< default value; empty: none
  std::vector<std::string> words;  ///< all values of a list of choices

  bool is_positional() const { return names.empty(); }
};

struct Verb {
  std::string name, text;
  std::vector<Item> items;
};

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

Item item_of(const CLI::Option& option) {
  Item item;
  for (const std::string& name : option.get_snames()) item.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) item.names.push_back("--" + name);
  const bool flag = option.get_items_expected_max() == 0;
  if (!flag) item.value = option.get_type_name();
  item.text = option.get_description();
  item.initial = option.get_default_str();
  // Choices are in lower case; upper case, as in WORD|FILE, names kinds of values.
  const bool words = item.value.find('|') != std::string::npos &&
                     item.value.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos;
  if (words) item.words = split(item.value, '|');
  return item;
}

std::vector<Verb> verbs_of(const CLI::App& app) {
  std::vector<Verb> verbs;
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
    Verb verb{each->get_name(), each->get_description(), {}};
    for (const CLI::Option* option : each->get_options()) verb.items.push_back(item_of(*option));
    verbs.push_back(std::move(verb));
  }
  return verbs;
}

std::vector<std::string> names_of(const std::vector<Verb>& verbs) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs) names.push_back(verb.name);
  return names;
}

/// The form in the manual: "--output DIR", "CASE.toml".
std::string shown(const Item& item) {
  if (item.is_positional()) return item.value;
  return fmt::format("{}{}{}", fmt::join(item.names, ", "), item.value.empty() ? "" : " ",
                     item.value);
}

std::string explained(const Item& item) {
  return item.text + (item.initial.empty() ? "" : fmt::format(" [{}]", item.initial));
}

/// Escapes text for troff: backslashes, dashes, and dots at the start of a line.
std::string troff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
      result += c;
    }
  }
  return result;
}

std::string man_page(const std::vector<Verb>& verbs, const std::string& notes,
                     const std::string& version) {
  std::string text = fmt::format(
      ".TH RANKINE 1 \"\" \"rankine {}\" \"User Commands\"\n"
      ".SH NAME\nrankine \\- potential flow by boundary elements and a fast multipole method\n"
      ".SH SYNOPSIS\n.B rankine\n.I VERB\n[\\fIOPTIONS\\fR]\n.SH VERBS\n",
      version);
  for (const Verb& verb : verbs) {
    text += fmt::format(".SS rankine {}", verb.name);
    for (const Item& item : verb.items)
      if (item.is_positional()) text += " " + troff(item.value);
    text += "\n" + troff(verb.text) + ".\n";
    for (const Item& item : verb.items) {
      if (!item.is_positional())
        text += fmt::format(".TP\n.B {}\n{}\n", troff(shown(item)), troff(explained(item)));
    }
  }
  return text + ".SH NOTES\n.nf\n" + troff(notes) + "\n.fi\n";
}

/// `text` with a backslash before each character of `marked`.
std::string escaped(const std::string& text, std::string_view marked) {
  std::string result;
  for (const char c : text) {
    if (marked.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string markdown_page(const std::vector<Verb>& verbs, const std::string& notes) {
  std::string text =
      "# The command line\n\nPrinted by `rankine manual markdown`. `rankine manual man` prints the "
      "manual page, `rankine\nmanual bash`, `zsh` and `fish` the completions for these shells, "
      "which "
      "packages install.\n";
  for (const Verb& verb : verbs) {
    text +=
        fmt::format("\n## rankine {}\n\n{}.\n\n| option | |\n|---|---|\n", verb.name, verb.text);
    for (const Item& item : verb.items)
      text +=
          fmt::format("| `{}` | {} |\n", escaped(shown(item), "|"), escaped(explained(item), "|"));
  }
  return text + "\n## Notes\n\n```text\n" + notes + "\n```\n";
}

std::vector<std::string> option_names(const Verb& verb) {
  std::vector<std::string> names;
  for (const Item& item : verb.items)
    names.insert(names.end(), item.names.begin(), item.names.end());
  return names;
}

std::string bash_script(const std::vector<Verb>& verbs) {
  std::string values, options;
  for (const Verb& verb : verbs) {
    std::string first;
    for (const Item& item : verb.items) {
      if (item.words.empty()) continue;
      if (item.is_positional()) {
        first = fmt::format("{}", fmt::join(item.words, " "));
        continue;
      }
      std::vector<std::string> cases;
      for (const std::string& name : item.names)
        cases.push_back(fmt::format("'{} {}'", verb.name, name));
      values += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n",
                            fmt::join(cases, "|"), fmt::join(item.words, " "));
    }
    options += fmt::format("    {}) options='{}' first='{}' ;;\n", verb.name,
                           fmt::join(option_names(verb), " "), first);
  }
  return fmt::format(
      "# Completions of rankine for bash.\n"
      "_rankine() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} options= "
      "first=\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '{} --help --version' -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"${{COMP_WORDS[1]}} $before\" in\n{}  esac\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n{}  esac\n"
      "  if [[ $word == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
      "  elif [ -n \"$first\" ] && [ \"$COMP_CWORD\" -eq 2 ]; then\n"
      "    COMPREPLY=($(compgen -W \"$first\" -- \"$word\"))\n"
      "  else\n"
      "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o filenames -F _rankine rankine\n",
      fmt::join(names_of(verbs), " "), values, options);
}

/// Quotes text for a single-quoted argument of zsh's _arguments.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (const char c : escaped(text, "[]:\\")) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result;
}

std::string zsh_script(const std::vector<Verb>& verbs) {
  std::string text =
      "#compdef rankine\n# Completions of rankine for zsh.\n_rankine() {\n  local -a verbs=(\n";
  for (const Verb& verb : verbs)
    text += fmt::format("    '{}:{}'\n", verb.name, zsh_text(verb.text));
  text +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe 'verb' verbs\n    return\n  fi\n"
      "  local verb=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $verb in\n";
  for (const Verb& verb : verbs) {
    text += fmt::format("    {}) _arguments", verb.name);
    for (const Item& item : verb.items) {
      const std::string action =
          item.words.empty() ? "_files" : fmt::format("({})", fmt::join(item.words, " "));
      if (item.is_positional())
        text += fmt::format(" \\\n      ':{}:{}'", zsh_text(item.value), action);
      for (const std::string& name : item.names) {
        text += fmt::format(
            " \\\n      '{}[{}]{}'", name, zsh_text(item.text),
            item.value.empty() ? "" : fmt::format(":{}:{}", zsh_text(item.value), action));
      }
    }
    text += " ;;\n";
  }
  return text + "  esac\n}\n_rankine \"$@\"\n";
}

std::string fish_text(const std::string& text) { return escaped(text, "'\\"); }

std::string fish_script(const std::vector<Verb>& verbs) {
  std::string text = "# Completions of rankine for fish.\n";
  for (const Verb& verb : verbs) {
    text += fmt::format("complete -c rankine -f -n __fish_use_subcommand -a {} -d '{}'\n",
                        verb.name, fish_text(verb.text));
    for (const Item& item : verb.items) {
      std::string line =
          fmt::format("complete -c rankine -n '__fish_seen_subcommand_from {}'", verb.name);
      for (const std::string& name : item.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!item.words.empty()) line += fmt::format(" -x -a '{}'", fmt::join(item.words, " "));
      if (item.words.empty() && !item.value.empty() && !item.is_positional()) line += " -r";
      if (item.is_positional() && item.words.empty()) continue;  // files: the default of fish
      text += fmt::format("{} -d '{}'\n", line, fish_text(item.text));
    }
  }
  return text;
}

}  // namespace

std::string manual(const CLI::App& app, ManualFormat format, const std::string& notes,
                   const std::string& version) {
  const std::vector<Verb> verbs = verbs_of(app);
  const std::string plain = notes.substr(notes.find_first_not_of('\n'));
  switch (format) {
    case ManualFormat::man:
      return man_page(verbs, plain, version);
    case ManualFormat::bash:
      return bash_script(verbs);
    case ManualFormat::zsh:
      return zsh_script(verbs);
    case ManualFormat::fish:
      return fish_script(verbs);
    case ManualFormat::markdown:
      break;
  }
  return markdown_page(verbs, plain);
}

}  // namespace rankine::cases
