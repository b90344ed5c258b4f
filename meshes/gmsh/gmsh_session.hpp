// One use of the Gmsh library: started, silent, its messages collected, its failures turned into
// one exception, and closed again.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::meshes {

/// What Gmsh said when it failed.
struct GmshFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class GmshSession {
 public:
  GmshSession();
  ~GmshSession();
  GmshSession(const GmshSession&) = delete;
  GmshSession& operator=(const GmshSession&) = delete;

  /// Calls `work`; Gmsh reports errors as std::string and as std::exception, here as GmshFailure;
  /// lack of memory (std::bad_alloc, std::length_error) passes as it is.
  /// What the CAD kernel prints on standard output meanwhile is dropped.
  void run(const std::function<void()>& work);

  std::vector<std::string> errors() const { return messages("Error: "); }
  std::vector<std::string> warnings() const { return messages("Warning: "); }
  /// Puts the first of them into a list that may hold five.
  void add_warnings(std::vector<std::string>& list) const;

 private:
  std::vector<std::string> messages(const std::string& level) const;

  ThreadScope threads_{0};  ///< puts back the number of threads, which Gmsh changes
};

}  // namespace rankine::meshes
