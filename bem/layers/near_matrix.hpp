// The matrix of an equation as it is close by, on the host: near corrections together with what the sums
// make of the same unknowns, exact there; further away every unknown is a point.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/layers/equation.hpp"
#include "rankine/bem/layers/layer_set.hpp"
#include "rankine/bem/panels/clusters.hpp"

namespace rankine::bem {

class NearMatrix {
 public:
  /// Throws InputError where rows and unknowns are not as many.
  NearMatrix(LayerSet& layers, const Equation& equation);

  std::size_t size() const { return points_.size(); }
  std::span<const Vec3d> points() const { return points_; }
  /// Of the point that an unknown is further away, m^2.
  double weight(std::int32_t unknown) const { return weight_[static_cast<std::size_t>(unknown)]; }

  /// take(unknown, entry) for the entries of a row that are exact, unknowns ascending.
  template <class Take>
  void for_each_near(std::int32_t row, Take&& take) const {
    const auto r = static_cast<std::size_t>(row);
    for (std::int64_t k = offsets_[r]; k < offsets_[r + 1]; ++k)
      take(columns_[static_cast<std::size_t>(k)], values_[static_cast<std::size_t>(k)]);
  }
  double entry(std::int32_t row, std::int32_t unknown) const;

  /// Rows and unknowns `panels`, row by row.
  void dense(std::span<const std::int32_t> panels, double* entries) const;
  /// Means over the rows of one cluster of sums over the unknowns of another, row by row.
  void between(const Clusters& clusters, double* entries) const;

 private:
  /// A term of the equation on the host, its factor 1/(4 pi) in `right`.
  struct HostTerm {
    Layer layer;
    std::vector<double> left, right;
  };

  /// The unknown and its images as points.
  double far_entry(std::size_t row, std::size_t unknown) const;
  /// One of them.
  double point_entry(std::size_t row, std::size_t unknown, int image) const;

  std::vector<HostTerm> terms_;
  std::span<const Vec3d> points_, normals_;
  meshes::Symmetry symmetry_;
  std::vector<double> weight_;
  std::vector<std::int64_t> offsets_;
  std::vector<std::int32_t> columns_;
  std::vector<double> values_;
};

}  // namespace rankine::bem
