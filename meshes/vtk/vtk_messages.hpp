// Collects, during its lifetime, the messages that VTK would print on standard error.
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

  /// The errors so far, one per line; empty if there are none.
  std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rankine::meshes
