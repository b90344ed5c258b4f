// The rankine program: results on standard output, log and errors on standard error. Mesh
// files of Gmsh and VTK are read by the program rankine-reader, which it starts.
#include <exception>
#include <new>
#include <variant>

#include "cases/command_line.hpp"
#include "cases/exit_code.hpp"
#include "cases/output/log.hpp"
#include "cases/output/standard_output.hpp"
#include "cases/resources/out_of_memory.hpp"
#include "rankine/fmm/core/error.hpp"

int main(int argc, char** argv) {
  using namespace rankine::cases;
  prepare_standard_streams();
  try {
    const Command command = parse_command_line(argc, argv);
    return std::visit([](const auto& arguments) { return run(arguments); }, command);
  } catch (const rankine::Error& error) {
    Log().error(error.what());
    return exit_code_of(error);
  } catch (const std::bad_alloc& error) {
    Log().error(out_of_memory(argc > 1 ? argv[1] : "start"));
    return exit_code_of(error);
  } catch (const std::exception& error) {
    Log().error(std::string("internal error, please report it with the output of rankine info: ") +
                error.what());
    return exit_internal_error;
  }
}
