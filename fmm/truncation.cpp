#include "rankine/fmm/truncation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/uniform.hpp"
#include "rankine/fmm/order.hpp"
#include "rankine/fmm/squared_terms.hpp"

namespace rankine::fmm {
namespace {

constexpr std::size_t most_boxes = 1024;  ///< boxes whose lists are used, shared among levels
/// Pairs whose errors are computed, and candidates when a point of a box is drawn.
constexpr int sampled = 512;

/// Beyond this order rare pairs in the corners of boxes cause most of the error, and a sample may
/// miss them. Above it, the estimate decreases no faster than the error of points that fill their
/// boxes.
constexpr int well_sampled_order = 10;

/// The squared size of a result divided by the mean square of its component along a random
/// direction.
constexpr double directions[3] = {1.0, 3.0, 7.5};

Vec3d drawn_direction(Uniform& random) {
  const auto component = [&] { return random.between(-1.0, 1.0); };
  for (;;) {
    const Vec3d r{component(), component(), component()};
    if (dot(r, r) <= 1.0 && dot(r, r) > 1e-4) return r * (1.0 / norm(r));
  }
}

/// Points of a box relative to the centre of another box, `centred`, in units of that box's edge.
struct BoxPoints {
  std::span<const Vec3d> points;  ///< in Morton order
  std::int32_t begin, count;
  const Octree& tree;
  const Box& centred;

  Vec3d operator[](std::int32_t i) const {
    return position_in_box(points[begin + i], centred, tree.corner, tree.side) *
           (1.0 / box_edge(centred));
  }
};

struct DrawnPoint {
  Vec3d at;
  std::int32_t index;  ///< in Morton order
  double stands_for;   ///< number of points of the box that it represents
};

/// Draws one of some points with a probability proportional to likely(position).
template <class Likely>
DrawnPoint draw_point(const BoxPoints& points, Uniform& random, const Likely& likely) {
  Vec3d x[sampled];
  std::int32_t index[sampled];
  double share[sampled] = {}, all = 0.0;
  const int looked_at = std::min(points.count, sampled);
  for (int k = 0; k < looked_at; ++k) {
    index[k] =
        points.count <= sampled
            ? k
            : static_cast<std::int32_t>(random.below(static_cast<std::size_t>(points.count)));
    x[k] = points[index[k]];
    share[k] = likely(x[k]) + std::numeric_limits<double>::min();
    all += share[k];
  }
  double left = all * random();
  int k = 0;
  while (k + 1 < looked_at && left >= share[k]) left -= share[k++];
  return {x[k], points.begin + index[k], points.count * all / (share[k] * looked_at)};
}

/// The square of an error proportional to ratio^order.
double square_falling(double ratio, int order) {
  double result = 1.0, factor = ratio * ratio;
  for (int n = order; n > 0; n /= 2) {
    if (n % 2 == 1) result *= factor;
    factor *= factor;
  }
  return result;
}

}  // namespace

class TruncationSample::Sampler {
 public:
  Sampler(const Octree& tree, const MortonPoints& points, const Options& options,
          int direct_threshold, int likely_order, int most_order)
      : tree_(tree),
        points_(points),
        method_(options.method),
        kernel_{options.kernel, options.softening / tree.side},
        direct_threshold_(direct_threshold),
        most_order_(most_order),
        derivatives_(options.hessian ? 2 : (options.gradient ? 1 : 0)),
        strengths_(options.dipoles ? 2 : 1),
        likely_order_(likely_order),
        // A lower order, so that pairs whose errors decrease slowly do not get too large weights.
        weight_order_(std::max(1, likely_order * 3 / 4)) {
    const Orders& orders = orders_of(weight_order_);
    for (int i = 0; i < offset_count; ++i) {
      if (offset_is_far(i))
        m2l_error2_[i] = std::pow(10.0, -2.0 * m2l_error_digits(i, orders.m2l[i]));
    }
  }

  std::vector<Entry> errors() const;

 private:
  struct Candidate {
    FarPair far;
    /// Likely squared errors of the potential, the gradient and the second derivatives.
    double weight[most_derivatives + 1];
    double stands_for;
  };

  /// Inverse core radius of a source in Morton order, in inverse edges of the root; 0 if there are
  /// no cores.
  double inverse_core(std::int32_t source) const {
    return points_.core_radii.empty() ? 0.0 : tree_.side / points_.core_radii[source];
  }
  std::size_t target_count() const {
    return static_cast<std::size_t>(tree_.boxes[0].target_count());
  }
  std::array<double, pair_kinds> squared_sums(std::int32_t target, Uniform& random) const;
  std::vector<std::int32_t> drawn_boxes(int level, std::size_t most,
                                        std::vector<double>& stands_for) const;
  /// The order used at the relative position of the boxes if that of expansions is `order`.
  int order_used(const FarPair& far, int order) const;
  Candidate candidate(const FarPair& far, double stands_for) const;
  Entry measure(const Candidate& c, double weight, PairSeries& series, Uniform& random) const;

  const Octree& tree_;
  const MortonPoints& points_;
  Method method_;
  PairKernel kernel_;
  int direct_threshold_, most_order_, derivatives_, strengths_, likely_order_, weight_order_;
  std::array<double, offset_count> m2l_error2_{};  ///< likely ones, in powers of the edge
};

/// The sums of the squared terms at a target in Morton order.
std::array<double, pair_kinds> TruncationSample::Sampler::squared_sums(std::int32_t target,
                                                                       Uniform& random) const {
  std::int32_t leaf = 0;
  while (!tree_.boxes[leaf].is_leaf()) {
    leaf = tree_.boxes[leaf].first_child;
    while (tree_.boxes[leaf].target_end <= target) ++leaf;
  }
  const Vec3d x = points_.targets()[target];
  const double inverse_side = 1.0 / tree_.side;
  const BoxSums boxes(tree_, method_, direct_threshold_, leaf);
  return with_kernel<double>(kernel_, [&](const auto& term) {
    SquaredTerms sums{.softening2 = kernel_.softening * kernel_.softening,
                      .highest = derivatives_ + strengths_ - 1};
    const auto add = [&](std::int32_t source, double times) {
      const Vec3d r = (x - points_.sources[source]) * inverse_side;
      const double r2 = dot(r, r);
      if (r2 > 0.0) sums.add(term, r2, inverse_core(source), times);
    };
    for (const std::int32_t c : boxes.near) {
      const Box& box = tree_.boxes[c];
      for (std::int32_t j = box.source_begin; j < box.source_end; ++j) add(j, 1.0);
    }
    for (const FarPair& s : boxes.far_pairs) {
      const Box& box = tree_.boxes[s.source];
      const auto size = static_cast<std::size_t>(box.source_count());
      add(box.source_begin + static_cast<std::int32_t>(random.below(size)), box.source_count());
    }
    return sums.by_kind();
  });
}

/// Draws at most `most` boxes with targets of a level; each represents `stands_for` boxes.
std::vector<std::int32_t> TruncationSample::Sampler::drawn_boxes(
    int level, std::size_t most, std::vector<double>& stands_for) const {
  std::vector<std::int32_t> boxes;
  for (std::int32_t b = tree_.level_begin[level]; b < tree_.level_begin[level + 1]; ++b) {
    if (tree_.boxes[b].target_count() > 0) boxes.push_back(b);
  }
  const std::size_t count = std::min(boxes.size(), most);
  Uniform random(static_cast<std::uint64_t>(level) + 1);
  for (std::size_t k = 0; k < count; ++k)
    std::swap(boxes[k], boxes[k + random.below(boxes.size() - k)]);
  if (count > 0)
    stands_for.insert(stands_for.end(), count, static_cast<double>(boxes.size()) / count);
  boxes.resize(count);
  return boxes;
}

int TruncationSample::Sampler::order_used(const FarPair& far, int order) const {
  const Box &a = tree_.boxes[far.frame], &b = tree_.boxes[far.source];
  if (far.kind == FarPair::p2l || a.level != b.level) return order;
  const Orders& orders = orders_of(order);
  return (far.kind == FarPair::m2p ? orders.m2p : orders.m2l)[offset_between(a, b)];
}

TruncationSample::Sampler::Candidate TruncationSample::Sampler::candidate(const FarPair& far,
                                                                          double stands_for) const {
  const Box &a = tree_.boxes[far.frame], &b = tree_.boxes[far.source];
  // Far boxes use fewer terms, so their errors may be as large as those of near ones. For a box
  // `other` next to an expansion with this edge, only points within about an edge of it have large
  // errors.
  const int order = order_used(far, weight_order_);
  const auto falling2 = [&](double edge, double other) {
    const Vec3d between = box_shift(a, b);
    Vec3d gap;  // vector from the centre of the expansion to the other box
    for (int axis = 0; axis < 3; ++axis)
      gap[axis] = std::max(std::abs(between[axis]) - 0.5 * other, 0.0);
    const double distance = std::max(edge, norm(gap));
    const double near = std::min(1.0, edge / other);
    return square_falling(0.75 * edge / distance, order) * near * near / (distance * distance);
  };
  const bool m2p = far.kind == FarPair::m2p;
  const double edge = box_edge(m2p ? b : a);
  const double error2 = far.kind == FarPair::m2l ? m2l_error2_[offset_between(a, b)] / (edge * edge)
                                                 : falling2(edge, box_edge(m2p ? a : b));
  const double weight = stands_for * a.target_count() * b.source_count() * error2;
  const double per_edge2 = 1.0 / (edge * edge);
  return {far, {weight, weight * per_edge2, weight * per_edge2 * per_edge2}, stands_for};
}

std::vector<TruncationSample::Entry> TruncationSample::Sampler::errors() const {
  std::vector<std::int32_t> boxes;
  std::vector<double> stands_for;
  for (int level = 0; level <= tree_.depth(); ++level) {
    // A few boxes may have most of the error. Of small trees all boxes are used.
    const std::size_t share =
        (most_boxes - boxes.size()) / static_cast<std::size_t>(tree_.depth() + 1 - level);
    const std::vector<std::int32_t> drawn = drawn_boxes(level, share, stands_for);
    boxes.insert(boxes.end(), drawn.begin(), drawn.end());
  }
  std::vector<std::vector<Candidate>> of_box(boxes.size());
  parallel_chunks(boxes.size(), 4, [&](std::size_t i) {
    for (const FarPair& s : BoxSums(tree_, method_, direct_threshold_, boxes[i]).far_pairs) {
      if (s.frame == boxes[i]) of_box[i].push_back(candidate(s, stands_for[i]));
    }
  });
  std::vector<const Candidate*> candidates;
  // Every kind of translation gets the same number of pairs.
  double total[3][most_derivatives + 1] = {};
  for (const auto& each : of_box) {
    for (const Candidate& c : each) {
      candidates.push_back(&c);
      for (int k = 0; k <= most_derivatives; ++k) total[c.far.kind][k] += c.weight[k];
    }
  }
  if (candidates.empty()) return {};
  std::vector<double> cumulative;
  double sum = 0.0;
  const auto share = [&](const Candidate& c) {
    const double* const all = total[c.far.kind];
    double shares = 0.0;
    const int highest = std::clamp(derivatives_ + strengths_ - 1, 1, most_derivatives);
    for (int k = 0; k <= highest; ++k) shares += c.weight[k] / all[k];
    return shares;
  };
  for (const Candidate* c : candidates) cumulative.push_back(sum += share(*c));
  std::vector<Entry> entries(static_cast<std::size_t>(sampled));
  const PairSeries empty(most_order_, derivatives_, strengths_);
  parallel_chunks(
      entries.size(), 4, [&] { return PairSeries(empty); },
      [&](std::size_t i, PairSeries& series) {
        Uniform random(1000 + i);
        const double at = sum * (static_cast<double>(i) + random()) / sampled;
        const auto found = std::upper_bound(cumulative.begin(), cumulative.end() - 1, at);
        const Candidate& c = *candidates[static_cast<std::size_t>(found - cumulative.begin())];
        const double chance = share(c) / sum * sampled;
        entries[i] = measure(c, c.stands_for / (chance * static_cast<double>(target_count())),
                             series, random);
      });
  return entries;
}

/// The squared errors of one pair of points, drawn from the boxes with preference for large errors.
TruncationSample::Entry TruncationSample::Sampler::measure(const Candidate& c, double weight,
                                                           PairSeries& series,
                                                           Uniform& random) const {
  const Box &target = tree_.boxes[c.far.frame], &source = tree_.boxes[c.far.source];
  const bool m2l = c.far.kind == FarPair::m2l, m2p = c.far.kind == FarPair::m2p;
  const Box &target_centre = m2p ? source : target, &source_centre = m2l || m2p ? source : target;
  const BoxPoints targets{points_.targets(), target.target_begin, target.target_count(), tree_,
                          target_centre};
  const BoxPoints sources{points_.sources, source.source_begin, source.source_count(), tree_,
                          source_centre};
  const int order = order_used(c.far, likely_order_);
  const auto falling = [&](double ratio) { return square_falling(ratio, order); };
  const Vec3d u = drawn_direction(random), w = drawn_direction(random);
  Entry entry{c.far.kind, -1,
              std::vector<double>(static_cast<std::size_t>(pair_kinds * (most_order_ + 1)))};
  DrawnPoint x, y;
  if (c.far.kind != FarPair::p2l && target.level == source.level)
    entry.offset = offset_between(target, source);
  if (m2l) {
    const Vec3d t = offset_vector(entry.offset);
    // Terms of degrees n >= p at the target are of the order of (|x| / |t - y|)^p; those that also
    // have k >= p at the source up to (4 |x| |y| / |t|^2)^p, which may be larger.
    const auto left_out = [&](double rx, double dx, double ry, double dy) {
      return falling(rx / dy) + falling(ry / dx) + falling(4.0 * rx * ry / dot(t, t));
    };
    double farthest = 0.0, nearest = std::numeric_limits<double>::max();
    for (std::int32_t k = 0; k < targets.count; k += 1 + targets.count / sampled) {
      farthest = std::max(farthest, norm(targets[k]));
      nearest = std::min(nearest, norm(t + targets[k]));
    }
    y = draw_point(sources, random, [&](const Vec3d& at) {
      return left_out(farthest, nearest, norm(at), norm(t - at));
    });
    x = draw_point(targets, random, [&](const Vec3d& at) {
      return left_out(norm(at), norm(t + at), norm(y.at), norm(t - y.at));
    });
    series.set_m2l(t, x.at, y.at, u, w);
  } else {
    const auto near_centre = [&](const Vec3d& at) { return falling(norm(at)); };
    const auto away = [&](const Vec3d& at) { return falling(1.0 / norm(at)); };
    if (m2p) {
      x = draw_point(targets, random, away);
      y = draw_point(sources, random, near_centre);
      series.set_single(Harmonic::singular, x.at, y.at, u, w);
    } else {
      x = draw_point(targets, random, near_centre);
      y = draw_point(sources, random, away);
      series.set_single(Harmonic::regular, x.at, y.at, u, w);
    }
  }
  const double per_edge = 1.0 / box_edge(target_centre);
  const auto sums = squared_sums(x.index, random);
  for (int s = 0; s < strengths_; ++s) {
    for (int d = 0; d <= derivatives_; ++d) {
      const double size = std::pow(per_edge, 1 + d + s);
      const double factor = weight * x.stands_for * y.stands_for * directions[d] * size * size /
                            sums[pair_kind(d, s)];
      double* const error = entry.error.data() + pair_kind(d, s) * (most_order_ + 1);
      series.errors(d, s, [&](int p, double e) { error[p] = factor * e * e; });
    }
  }
  return entry;
}

TruncationSample::TruncationSample(const Octree& tree, const MortonPoints& points,
                                   const Options& options, int direct_threshold, int likely_order,
                                   int most_order)
    : most_order_(most_order) {
  for (int s = 0; s < (options.dipoles ? 2 : 1); ++s) {
    wanted_[pair_kind(0, s)] = !is_vortex(options.kernel);
    wanted_[pair_kind(1, s)] = options.gradient || options.hessian;
    wanted_[pair_kind(2, s)] = options.hessian;
  }
  if (points.targets().empty() || points.sources.empty()) return;
  const Sampler sampler(tree, points, options, direct_threshold, likely_order, most_order);
  entries_ = sampler.errors();
}

std::array<double, pair_kinds> TruncationSample::mean_squares(int order) const {
  const Orders& orders = orders_of(order);
  std::array<double, pair_kinds> sum{}, squares{};
  for (const Entry& entry : entries_) {
    const auto& of_kind = entry.kind == FarPair::m2p ? orders.m2p : orders.m2l;
    const int p = entry.offset < 0 ? orders.order : of_kind[entry.offset];
    for (int k = 0; k < pair_kinds; ++k) {
      const double error = entry.error[k * (most_order_ + 1) + p];
      sum[k] += error;
      squares[k] += error * error;
    }
  }
  const double count = static_cast<double>(entries_.size());
  for (int k = 0; k < pair_kinds; ++k)
    sum[k] += std::sqrt(std::max(0.0, squares[k] - sum[k] * sum[k] / count));
  return sum;
}

double TruncationSample::relative_error(int order) const {
  const int low = std::min(order, well_sampled_order);
  const auto error = mean_squares(order), of_low = mean_squares(low);
  const int offset = offset_index(2, 0, 0);
  const double falls =
      std::pow(10.0, m2l_error_digits(offset, low) - m2l_error_digits(offset, order));
  double worst = 0.0;
  for (int d = 0; d <= most_derivatives; ++d) {
    for (int s = 0; s < strength_kinds; ++s) {
      const int k = pair_kind(d, s);
      if (!wanted_[k]) continue;
      const double falls_here = falls * std::pow(static_cast<double>(order) / low, d + s);
      worst = std::max({worst, error[k], of_low[k] * falls_here * falls_here});
    }
  }
  return std::sqrt(worst);
}

}  // namespace rankine::fmm
