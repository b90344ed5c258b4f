// Sizes that the features of a CAD geometry need, sampled without a mesh: curvature of surfaces and
// curves, and curves that are shorter than a panel.
#pragma once

#include <vector>

#include "rankine/meshes/gmsh/panel_sizes.hpp"

namespace rankine::meshes {

struct Features {
  std::vector<SizeSample> samples;
  double area = 0.0;  ///< of all surfaces, m^2
  int surfaces = 0;
};

/// Of the current model of Gmsh, within a GmshSession. `unit`: the length of the model's unit, m.
Features sample_features(double unit);

}  // namespace rankine::meshes
