#include "rankine/meshes/reader/gmsh_session.hpp"

#include <gmsh.h>
#include <stdlib.h>

#include <new>

#include "rankine/meshes/message_parts.hpp"

namespace rankine::meshes {
GmshSession::GmshSession(const std::string& home) {
  for (const char* place : {"HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"})
    ::setenv(place, home.c_str(), 1);
  gmsh::initialize(0, nullptr, false);
  gmsh::option::setNumber("General.Terminal", 0);
  gmsh::option::setNumber("General.NumThreads", 1);
  gmsh::logger::start();
}

GmshSession::~GmshSession() {
  gmsh::logger::stop();
  gmsh::finalize();
}

void GmshSession::run(const std::function<void()>& work) {
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
  const std::string level = "Warning: ";
  std::vector<std::string> log;
  gmsh::logger::get(log);
  for (const std::string& line : log) {
    if (line.starts_with(level) && list.size() < most_warnings)
      list.push_back("Gmsh: " + printable(line.substr(level.size())));
  }
}

}  // namespace rankine::meshes
