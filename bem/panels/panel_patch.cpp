#include "rankine/bem/panels/panel_patch.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace rankine::bem {
namespace {

constexpr std::size_t wanted_neighbours = 7;  // for five unknowns

/// Least squares for xi, eta, xi^2, xi eta, eta^2 and, with six terms, a constant.
template <int Terms>
class Fit {
 public:
  void add(double xi, double eta, double value) {
    const double weight = 1.0 / (xi * xi + eta * eta + 1e-12);
    Eigen::Matrix<double, 6, 1> row;
    row << xi, eta, xi * xi, xi * eta, eta * eta, 1.0;
    const auto terms = row.template head<Terms>();
    normal_.noalias() += weight * terms * terms.transpose();
    right_.noalias() += (weight * value) * terms;
    ++samples_;
  }

  Quadratic solve() const {
    if (samples_ >= Terms) {
      const Eigen::LDLT<Matrix> factors(normal_);
      const auto pivots = factors.vectorD().cwiseAbs();
      if (factors.info() == Eigen::Success && pivots.minCoeff() > 1e-6 * pivots.maxCoeff()) {
        const Vector s = factors.solve(right_);
        return {Terms == 6 ? s(Terms - 1) : 0.0, s(0), s(1), s(2), s(3), s(4)};
      }
    }
    return linear();
  }

 private:
  using Matrix = Eigen::Matrix<double, Terms, Terms>;
  using Vector = Eigen::Matrix<double, Terms, 1>;

  /// Least squares of least norm in the two slopes: directions without data keep slope zero.
  Quadratic linear() const {
    const double a = normal_(0, 0), b = normal_(0, 1), c = normal_(1, 1);
    const double determinant = a * c - b * b, trace = a + c;
    if (determinant > 1e-6 * trace * trace) {
      return {0.0, (c * right_(0) - b * right_(1)) / determinant,
              (a * right_(1) - b * right_(0)) / determinant};
    }
    // Rank one: the matrix is trace * d d^T, so its pseudo-inverse is the matrix over trace^2.
    if (!(trace > 0.0)) return {};
    return {0.0, (a * right_(0) + b * right_(1)) / (trace * trace),
            (b * right_(0) + c * right_(1)) / (trace * trace)};
  }

  Matrix normal_ = Matrix::Zero();
  Vector right_ = Vector::Zero();
  int samples_ = 0;
};

}  // namespace

PanelNeighbourhood::PanelNeighbourhood(const Panels& panels, double sharp_angle)
    : panels_(panels), least_cosine_(std::cos(sharp_angle)), offsets_(panels.node_count + 1, 0) {
  const std::size_t count = panels.size();
  for (std::size_t j = 0; j < count; ++j) {
    for (int k = 0; k < panels.shape[j].corners; ++k)
      ++offsets_[static_cast<std::size_t>(panels.nodes[j][k]) + 1];
  }
  for (std::size_t node = 0; node < panels.node_count; ++node) offsets_[node + 1] += offsets_[node];
  at_node_.resize(static_cast<std::size_t>(offsets_.back()));
  std::vector<std::int64_t> cursor(offsets_.begin(), offsets_.end() - 1);
  for (std::size_t j = 0; j < count; ++j) {
    for (int k = 0; k < panels.shape[j].corners; ++k) {
      at_node_[static_cast<std::size_t>(cursor[panels.nodes[j][k]]++)] =
          static_cast<std::int32_t>(j);
    }
  }
}

void PanelNeighbourhood::add_ring_of(std::int32_t panel, std::int32_t centre,
                                     std::vector<std::int32_t>& ring) const {
  for (int k = 0; k < panels_.shape[panel].corners; ++k) {
    const std::int32_t node = panels_.nodes[panel][k];
    for (std::int64_t entry = offsets_[node]; entry < offsets_[node + 1]; ++entry) {
      const std::int32_t j = at_node_[static_cast<std::size_t>(entry)];
      if (j == centre || dot(panels_.normal[j], panels_.normal[centre]) < least_cosine_) continue;
      if (std::find(ring.begin(), ring.end(), j) == ring.end()) ring.push_back(j);
    }
  }
}

void PanelNeighbourhood::collect(std::int32_t panel, std::size_t wanted,
                                 std::vector<std::int32_t>& ring) const {
  ring.clear();
  add_ring_of(panel, panel, ring);
  const std::size_t first_ring = ring.size();
  if (first_ring >= wanted) return;
  for (std::size_t k = 0; k < first_ring; ++k) add_ring_of(ring[k], panel, ring);
}

void PanelPatch::move_to(std::int32_t panel) {
  const Panels& panels = neighbourhood_.panels();
  panel_ = panel;
  scale_ = panels.radius[panel];
  n_ = panels.normal[panel];
  const Vec3d helper = std::abs(n_.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  t1_ = normalized(cross(helper, n_));
  t2_ = cross(n_, t1_);
  neighbourhood_.collect(panel, wanted_neighbours, ring_);
  fit_height();
}

void PanelPatch::fit_height() {
  const Panels& panels = neighbourhood_.panels();
  Fit<6> fit;
  seen_.clear();
  const auto add_nodes = [&](std::int32_t j) {
    for (int k = 0; k < panels.shape[j].corners; ++k) {
      const std::int32_t node = panels.nodes[j][k];
      if (std::find(seen_.begin(), seen_.end(), node) != seen_.end()) continue;
      seen_.push_back(node);
      const Vec3d r = (panels.shape[j].corner[k] - panels.centroid[panel_]) / scale_;
      fit.add(dot(r, t1_), dot(r, t2_), dot(r, n_));
    }
  };
  add_nodes(panel_);
  for (const std::int32_t j : ring_) add_nodes(j);
  height_ = fit.solve();
}

Quadratic PanelPatch::fit_differences() const {
  const Panels& panels = neighbourhood_.panels();
  Fit<5> fit;
  for (std::size_t k = 0; k < ring_.size(); ++k) {
    const Vec3d r = (panels.centroid[ring_[k]] - panels.centroid[panel_]) / scale_;
    fit.add(dot(r, t1_), dot(r, t2_), differences_[k]);
  }
  return fit.solve();
}

}  // namespace rankine::bem
