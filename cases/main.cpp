// The rankine program: results on standard output, log and errors on standard error. It starts the
// programs rankine-reader and rankine-vtk-reader to read files of Gmsh and VTK.
#include <exception>
#include <variant>

#include "cases/command_line.hpp"
#include "cases/exit_code.hpp"
#include "cases/output/log.hpp"
#include "cases/output/standard_output.hpp"
#include "cases/resources/processes.hpp"

namespace rankine::cases {
namespace {

int run_command(int argc, char** argv) {
  const SharedRun shared(&argc, &argv);
  try {
    Command command = parse_command_line(argc, argv);
    require_shareable(command);
    if (command.execution.threads == 0) command.execution.threads = threads_of_process();
    return command.execution.run(
        [&] { return std::visit([](const auto& verb) { return run(verb); }, command.verb); });
  } catch (const std::exception& error) {
    return end_after(error, argc > 1 ? argv[1] : "start");
  }
}

}  // namespace
}  // namespace rankine::cases

int main(int argc, char** argv) {
  using namespace rankine::cases;
  prepare_standard_streams();
  try {
    require_open_files();
    return run_command(argc, argv);
  } catch (const std::exception& error) {
    Log().error(message_of(error, argc > 1 ? argv[1] : "start"));
    return exit_code_of(error);
  }
}
