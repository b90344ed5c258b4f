#include "bem/surface_gradient.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cassert>
#include <cmath>

namespace rankine::bem {
namespace {

/// An orthonormal frame with third axis n.
struct Frame {
  Vec3d t1, t2, n;

  explicit Frame(const Vec3d& normal) : n(normal) {
    const Vec3d helper = std::abs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    t1 = normalized(cross(helper, n));
    t2 = cross(n, t1);
  }
};

/// Slopes (f_xi, f_eta) at the origin of a weighted least-squares fit.
struct Slopes {
  double xi = 0.0, eta = 0.0;
};

/// Collects samples in coordinates scaled to order one and solves for the slopes. Terms: xi, eta,
/// xi^2, xi eta, eta^2, and a constant where the value at the origin is not known.
template <int Terms>
class Fit {
 public:
  void add(double xi, double eta, double value) {
    const double weight = 1.0 / (xi * xi + eta * eta + 1e-12);
    Eigen::Matrix<double, 6, 1> row;
    row << xi, eta, xi * xi, xi * eta, eta * eta, 1.0;
    normal_.noalias() +=
        weight * row.template head<Terms>() * row.template head<Terms>().transpose();
    right_.noalias() += (weight * value) * row.template head<Terms>();
    ++samples_;
  }

  Slopes solve() const {
    if (samples_ >= Terms) {
      const Eigen::LDLT<Matrix> quadratic(normal_);
      const auto pivots = quadratic.vectorD().cwiseAbs();
      if (quadratic.info() == Eigen::Success && pivots.minCoeff() > 1e-6 * pivots.maxCoeff()) {
        const Vector solution = quadratic.solve(right_);
        return {solution(0), solution(1)};
      }
    }
    return linear();
  }

 private:
  using Matrix = Eigen::Matrix<double, Terms, Terms>;
  using Vector = Eigen::Matrix<double, Terms, 1>;

  /// Least squares of least norm in the two slopes: directions without data keep slope zero.
  Slopes linear() const {
    const double a = normal_(0, 0), b = normal_(0, 1), c = normal_(1, 1);
    const double determinant = a * c - b * b, trace = a + c;
    if (determinant > 1e-6 * trace * trace) {
      return {(c * right_(0) - b * right_(1)) / determinant,
              (a * right_(1) - b * right_(0)) / determinant};
    }
    // Rank one: the matrix is trace * d d^T, so its pseudo-inverse is the matrix over trace^2.
    if (!(trace > 0.0)) return {};
    return {(a * right_(0) + b * right_(1)) / (trace * trace),
            (b * right_(0) + c * right_(1)) / (trace * trace)};
  }

  Matrix normal_ = Matrix::Zero();
  Vector right_ = Vector::Zero();
  int samples_ = 0;
};

/// Heights of the mesh nodes over the panel's plane; their mean level is free.
Slopes fit_height(const Panels& panels, const Frame& frame, std::int32_t panel, double scale,
                  const std::vector<std::int32_t>& ring, std::vector<std::int32_t>& seen) {
  Fit<6> fit;
  seen.clear();
  const auto add_nodes = [&](std::int32_t j) {
    for (int k = 0; k < panels.shape[j].corners; ++k) {
      const std::int32_t node = panels.nodes[j][k];
      if (std::find(seen.begin(), seen.end(), node) != seen.end()) continue;
      seen.push_back(node);
      const Vec3d r = panels.shape[j].corner[k] - panels.centroid[panel];
      fit.add(dot(r, frame.t1) / scale, dot(r, frame.t2) / scale, dot(r, frame.n) / scale);
    }
  };
  add_nodes(panel);
  for (const std::int32_t j : ring) add_nodes(j);
  return fit.solve();
}

Slopes fit_values(const Panels& panels, const Frame& frame, std::int32_t panel, double scale,
                  const std::vector<std::int32_t>& ring, std::span<const double> values) {
  Fit<5> fit;
  for (const std::int32_t j : ring) {
    const Vec3d r = panels.centroid[j] - panels.centroid[panel];
    fit.add(dot(r, frame.t1) / scale, dot(r, frame.t2) / scale, values[j] - values[panel]);
  }
  const Slopes slopes = fit.solve();
  return {slopes.xi / scale, slopes.eta / scale};
}

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

SurfaceGradient surface_gradient(const Panels& panels, const PanelNeighbourhood& neighbourhood,
                                 std::span<const double> values) {
  assert(values.size() == panels.size());
  constexpr std::size_t wanted = 7;  // panels around, for five unknowns
  SurfaceGradient result;
  result.normal.resize(panels.size());
  result.gradient.resize(panels.size());
#pragma omp parallel
  {
    std::vector<std::int32_t> ring, seen;
#pragma omp for schedule(static)
    for (std::int64_t panel = 0; panel < static_cast<std::int64_t>(panels.size()); ++panel) {
      const auto i = static_cast<std::int32_t>(panel);
      neighbourhood.collect(i, wanted, ring);
      const Frame frame(panels.normal[i]);
      const Slopes height = fit_height(panels, frame, i, panels.radius[i], ring, seen);
      const Slopes slope = fit_values(panels, frame, i, panels.radius[i], ring, values);
      // T_1.g = f_xi, T_2.g = f_eta with g = u T_1 + v T_2: the metric (1 + zx^2, zx ze; zx ze, 1 +
      // ze^2).
      const double zx = height.xi, ze = height.eta;
      const double determinant = 1.0 + zx * zx + ze * ze;
      const double u = ((1.0 + ze * ze) * slope.xi - zx * ze * slope.eta) / determinant;
      const double v = ((1.0 + zx * zx) * slope.eta - zx * ze * slope.xi) / determinant;
      result.gradient[i] = u * (frame.t1 + zx * frame.n) + v * (frame.t2 + ze * frame.n);
      result.normal[i] = normalized(frame.n - zx * frame.t1 - ze * frame.t2);
    }
  }
  return result;
}

}  // namespace rankine::bem
