// `rankine report` and `rankine view`: Python writes the page and draws the picture.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cases/output/view_script.hpp"
#include "cases/verbs/verbs.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

constexpr auto write_page = R"(
import sys
try:
    from rankine.__main__ import main
except ImportError as missing:
    print(f"error: reports need the Python package rankine-bem, and {sys.executable} has none "
          f"({missing}); install it (docs/howto/python.md), or name the Python that has it in "
          "RANKINE_PYTHON", file=sys.stderr)
    sys.exit(6)
sys.exit(main())
)";

/// Replaces this process by Python, which runs the script with these arguments. `needed`: message
/// for users without Python.
[[noreturn]] void run_python(std::string script, std::vector<std::string> words,
                             const std::string& needed) {
  const char* const given = std::getenv("RANKINE_PYTHON");
  std::string python = given != nullptr ? given : "python3";
  words.insert(words.begin(), {python, "-c", std::move(script)});
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execvp(python.c_str(), pointers.data());
  throw DeviceError(
      fmt::format("{} cannot be started: {}; install Python 3 with {}, or name it in "
                  "RANKINE_PYTHON",
                  python, std::strerror(errno), needed));
}

}  // namespace

int run(const ReportArguments& arguments) {
  std::vector<std::string> words = {"report", arguments.results.string()};
  if (!arguments.output.empty()) {
    words.emplace_back("--output");
    words.push_back(arguments.output.string());
  }
  run_python(write_page, words, "the package rankine-bem (docs/howto/python.md)");
}

int run(const ViewArguments& arguments) {
  const bool particles = fs::exists(fs::path(arguments.words.front()) / "particles.pvd");
  run_python(std::string(particles ? particle_view_script() : view_script()), arguments.words,
             "VTK (Debian: apt-get install python3-vtk9 xvfb)");
}

}  // namespace rankine::cases
