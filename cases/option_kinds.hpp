// Option types of the command line: words, counts, vectors, one or two numbers.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "cases/input/section.hpp"
#include "cases/input/suggest.hpp"
#include "cases/verbs/verbs.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::cases {

inline CLI::Validator above_zero() {
  return {[](const std::string& text) {
            double value = 0.0;
            const bool number = CLI::detail::lexical_cast(text, value);
            return number && value > 0.0 && std::isfinite(value)
                       ? std::string{}
                       : fmt::format("{} is not a number above 0", text);
          },
          ""};
}
inline CLI::Validator whole(std::int64_t least, std::int64_t most) {
  return {[least, most](const std::string& text) {
            std::int64_t value = 0;
            const bool number = CLI::detail::lexical_cast(text, value);
            return number && value >= least && value <= most
                       ? std::string{}
                       : fmt::format("{} is not a whole number from {} to {}", text, least, most);
          },
          ""};
}
inline constexpr int most = std::numeric_limits<int>::max();

/// An option with the words of `choices`; for other words the error suggests the closest.
template <class T, class Target = T>
CLI::Option* add_choice(CLI::App* app, const std::string& name, Target& target,
                        const Choices<T>& choices, const std::string& help) {
  const std::vector<std::string> words = words_of(choices);
  const auto assign = [&target, choices](const std::string& text) {
    for (const auto& [each, value] : choices) {
      if (each == text) target = value;
    }
  };
  const auto known = [words](const std::string& text) {
    const bool found = std::find(words.begin(), words.end(), text) != words.end();
    return found ? std::string{}
                 : fmt::format("\"{}\" is not known{}", text, did_you_mean(text, words));
  };
  std::string initial;
  if constexpr (std::is_same_v<T, Target>) initial = word(choices, target);
  CLI::Option* option = app->add_option_function<std::string>(name, assign, help);
  return option->check(CLI::Validator(known, ""))
      ->type_name(fmt::format("{}", fmt::join(words, "|")))
      ->default_str(initial)
      ->run_callback_for_default(false);
}

/// A whole number; 1e6 is accepted.
inline CLI::Option* add_count(CLI::App* app, const std::string& name, std::int64_t& target,
                              const std::string& help) {
  const auto assign = [&target](const double& value) {
    if (value < 1.0 || value > 1e15 || value != std::floor(value)) {
      throw CLI::ValidationError(fmt::format("{} is not a whole number of at least 1", value));
    }
    target = static_cast<std::int64_t>(value);
  };
  return app->add_option_function<double>(name, assign, help)
      ->type_name("N")
      ->default_str(fmt::format("{}", target));
}

inline CLI::Option* add_vector(CLI::App* app, const std::string& name, Vec3d& target,
                               const std::string& help) {
  const auto assign = [&target](const std::vector<double>& v) { target = {v[0], v[1], v[2]}; };
  return app->add_option_function<std::vector<double>>(name, assign, help)
      ->expected(3)
      ->type_name("X Y Z")
      ->default_str(fmt::format("{} {} {}", target.x, target.y, target.z));
}

/// One number, or two separated by a comma.
template <class T>
CLI::Option* add_one_or_two(CLI::App* app, const std::string& name, OneOrTwo<T>& target,
                            const std::string& help) {
  const auto assign = [&target, name](const std::vector<T>& v) {
    if (v.size() > 2) throw CLI::ValidationError(name + " takes one number or two: A,B");
    target.first = v[0];
    if (v.size() > 1) target.second = v[1];
  };
  return app->add_option_function<std::vector<T>>(name, assign, help)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->default_str(fmt::format("{}", target.first));
}

inline void add_json(CLI::App* app, bool& json,
                     const std::string& help = "Print one JSON object to standard output") {
  app->add_flag("--json", json, help);
}

inline void add_threads(CLI::App* app, Command& command) {
  constexpr int most_threads = 4096;
  app->add_option("--threads", command.execution.threads, "CPU threads; 0: all")
      ->check(whole(0, most_threads))
      ->type_name("N");
}

}  // namespace rankine::cases
