#include "rankine/meshes/gmsh/gmsh_session.hpp"

#include <fcntl.h>
#include <gmsh.h>
#include <unistd.h>

#include <cstdio>
#include <new>

#include "rankine/meshes/message_parts.hpp"

namespace rankine::meshes {
namespace {

/// Sends what libraries print on standard output to nowhere while it lives:
/// results are printed there.
class SilentStandardOutput {
 public:
  SilentStandardOutput() {
    std::fflush(stdout);
    kept_ = ::dup(STDOUT_FILENO);
    const int nowhere = ::open("/dev/null", O_WRONLY);
    if (kept_ >= 0 && nowhere >= 0) ::dup2(nowhere, STDOUT_FILENO);
    if (nowhere >= 0) ::close(nowhere);
  }
  ~SilentStandardOutput() {
    std::fflush(stdout);
    if (kept_ < 0) return;
    ::dup2(kept_, STDOUT_FILENO);
    ::close(kept_);
  }
  SilentStandardOutput(const SilentStandardOutput&) = delete;
  SilentStandardOutput& operator=(const SilentStandardOutput&) = delete;

 private:
  int kept_ = -1;
};

}  // namespace

GmshSession::GmshSession() {
  gmsh::initialize(0, nullptr, false);
  gmsh::option::setNumber("General.Terminal", 0);
  // Threads of OpenMP that a process had before a fork would be waited for in vain after it.
  gmsh::option::setNumber("General.NumThreads", 1);
  gmsh::logger::start();
}

GmshSession::~GmshSession() {
  gmsh::logger::stop();
  gmsh::finalize();
}

void GmshSession::run(const std::function<void()>& work) {
  const SilentStandardOutput silent;
  try {
    work();
  } catch (const std::string& message) {
    throw GmshFailure(printable(message));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::length_error&) {
    throw;
  } catch (const std::exception& error) {
    throw GmshFailure(printable(error.what()));
  } catch (int code) {
    throw GmshFailure("Gmsh error " + std::to_string(code));
  } catch (...) {  // OpenCASCADE's own, which are no std::exception
    throw GmshFailure("an error that Gmsh does not name");
  }
}

void GmshSession::add_warnings(std::vector<std::string>& list) const {
  constexpr std::size_t most_warnings = 5;
  for (const std::string& warning : warnings()) {
    if (list.size() < most_warnings) list.push_back("Gmsh: " + warning);
  }
}

std::vector<std::string> GmshSession::messages(const std::string& level) const {
  std::vector<std::string> log, found;
  gmsh::logger::get(log);
  for (const std::string& line : log) {
    if (line.rfind(level, 0) == 0) found.push_back(printable(line.substr(level.size())));
  }
  return found;
}

}  // namespace rankine::meshes
