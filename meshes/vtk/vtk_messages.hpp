// Collects what VTK would print on standard error while it lives.
#pragma once

#include <memory>
#include <string>

namespace rankine::meshes {

class VtkMessages {
 public:
  VtkMessages();
  ~VtkMessages();
  VtkMessages(const VtkMessages&) = delete;
  VtkMessages& operator=(const VtkMessages&) = delete;

  /// Errors so far, each on one line; empty if there was none.
  std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rankine::meshes
