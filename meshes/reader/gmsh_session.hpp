// One use of the Gmsh library: it is started without output, its messages are collected, its
// failures become one exception, and it is closed again.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace rankine::meshes {

/// What Gmsh said when it failed.
struct GmshFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class GmshSession {
 public:
  /// `home`: the folder in which Gmsh and FLTK may look for files of the user and keep their own.
  explicit GmshSession(const std::string& home);
  ~GmshSession();
  GmshSession(const GmshSession&) = delete;
  GmshSession& operator=(const GmshSession&) = delete;

  /// Calls `work`; Gmsh reports errors as std::string and as std::exception, here as GmshFailure;
  /// lack of memory (std::bad_alloc, std::length_error) passes as it is.
  void run(const std::function<void()>& work);

  /// Puts the first of its warnings into a list that may hold five.
  void add_warnings(std::vector<std::string>& list) const;
};

}  // namespace rankine::meshes
