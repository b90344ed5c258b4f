// Meshes to break, and the message an error is thrown with.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Both meshes in one, their nodes kept apart, in one patch.
inline SurfaceMesh joined(SurfaceMesh a, const SurfaceMesh& b) {
  const auto shift = static_cast<std::int32_t>(a.nodes.size());
  a.nodes.insert(a.nodes.end(), b.nodes.begin(), b.nodes.end());
  for (Element element : b.elements) {
    for (std::int32_t& node : element) node = node < 0 ? node : node + shift;
    a.elements.push_back(element);
    a.patch.push_back(0);
  }
  return a;
}

inline SurfaceMesh reversed(SurfaceMesh mesh) {
  for (Element& element : mesh.elements) element = reversed(element);
  return mesh;
}

/// What the call says when it throws a MeshError.
template <class Call>
std::string mesh_error(Call call) {
  try {
    call();
  } catch (const MeshError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no MeshError was thrown";
  return {};
}

inline testing::AssertionResult says(const std::string& message, const std::string& part) {
  if (message.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "\"" << message << "\" does not say \"" << part << "\"";
}

}  // namespace rankine::meshes
