#include "rankine/fmm/truncation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/drawn_points.hpp"
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
  /// A pair of points from the boxes of a candidate, and all points that are read for it.
  struct Pair {
    const Candidate* from;
    double weight;
    Uniform random;
    PointSequence sources, targets;
    Vec3d u{}, w{};  ///< directions of derivatives
    DrawnPoint x{}, y{};
  };

  /// Inverse core radius of a source in Morton order, in inverse edges of the root; 0 if there are
  /// no cores.
  double inverse_core(std::int32_t source) const {
    return points_.core_radii.empty() ? 0.0 : tree_.side / points_.core_radii[source];
  }
  std::size_t target_count() const {
    return static_cast<std::size_t>(tree_.boxes[0].target_count());
  }
  std::array<AlignedVector<Vec3d>, 2> read(std::vector<Pair>& pairs) const;
  std::array<double, pair_kinds> squared_sums(Pair& pair, Uniform random) const;
  std::vector<std::int32_t> drawn_boxes(int level, std::size_t most,
                                        std::vector<double>& stands_for) const;
  /// The order used at the relative position of the boxes if that of expansions is `order`.
  int order_used(const FarPair& far, int order) const;
  Candidate candidate(const FarPair& far, double stands_for) const;
  Uniform draw(Pair& pair, Uniform random) const;
  Entry measure(Pair& pair, PairSeries& series) const;

  const Octree& tree_;
  const MortonPoints& points_;
  Method method_;
  PairKernel kernel_;
  int direct_threshold_, most_order_, derivatives_, strengths_, likely_order_, weight_order_;
  std::array<double, offset_count> m2l_error2_{};  ///< likely ones, in powers of the edge
};

/// Reads all points of the pairs.
std::array<AlignedVector<Vec3d>, 2> TruncationSample::Sampler::read(
    std::vector<Pair>& pairs) const {
  std::vector<PointSequence*> sources, targets;
  for (Pair& each : pairs) {
    sources.push_back(&each.sources);
    targets.push_back(&each.targets);
  }
  return {PointSequence::read(sources, points_.sources),
          PointSequence::read(targets, points_.targets)};
}

/// The sums of the squared terms at the target of a pair.
std::array<double, pair_kinds> TruncationSample::Sampler::squared_sums(Pair& pair,
                                                                       Uniform random) const {
  const std::int32_t target = pair.x.index;
  std::int32_t leaf = 0;
  while (!tree_.boxes[leaf].is_leaf()) {
    leaf = tree_.boxes[leaf].first_child;
    while (tree_.boxes[leaf].target_end <= target) ++leaf;
  }
  const Vec3d x = pair.targets(target);
  const double inverse_side = 1.0 / tree_.side;
  const BoxSums boxes(tree_, method_, direct_threshold_, leaf);
  return with_kernel<double>(kernel_, [&](const auto& term) {
    SquaredTerms sums{.softening2 = kernel_.softening * kernel_.softening,
                      .highest = derivatives_ + strengths_ - 1};
    const auto add = [&](std::int32_t source, double times) {
      const Vec3d r = (x - pair.sources(source)) * inverse_side;
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
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < static_cast<std::size_t>(sampled); ++i) {
    Uniform random(1000 + i);
    const double at = sum * (static_cast<double>(i) + random()) / sampled;
    const auto found = std::upper_bound(cumulative.begin(), cumulative.end() - 1, at);
    const Candidate& c = *candidates[static_cast<std::size_t>(found - cumulative.begin())];
    const double chance = share(c) / sum * sampled;
    pairs.push_back({&c, c.stands_for / (chance * static_cast<double>(target_count())), random,
                     PointSequence(points_.sources), PointSequence(points_.targets)});
  }
  const auto for_pairs = [&](const auto& work) {
    parallel_chunks(pairs.size(), 4, [&](std::size_t i) { work(pairs[i]); });
  };
  const bool is_read = !points_.sources.on_host() || !points_.targets.on_host();
  std::array<AlignedVector<Vec3d>, 2> in_boxes, in_sums;
  if (is_read) {
    for_pairs([&](Pair& pair) { draw(pair, pair.random); });
    in_boxes = read(pairs);
  }
  for_pairs([&](Pair& pair) {
    pair.random = draw(pair, pair.random);
    if (!is_read) return;
    pair.sources = PointSequence(points_.sources);
    pair.targets = PointSequence(points_.targets);
    squared_sums(pair, pair.random);
  });
  if (is_read) in_sums = read(pairs);
  std::vector<Entry> entries(pairs.size());
  const PairSeries empty(most_order_, derivatives_, strengths_);
  parallel_chunks(
      entries.size(), 4, [&] { return PairSeries(empty); },
      [&](std::size_t i, PairSeries& series) { entries[i] = measure(pairs[i], series); });
  return entries;
}

/// Draws the points from the boxes with preference for large errors. Returns the state of `random`
/// afterwards.
Uniform TruncationSample::Sampler::draw(Pair& pair, Uniform random) const {
  const FarPair& far = pair.from->far;
  const Box &target = tree_.boxes[far.frame], &source = tree_.boxes[far.source];
  const bool m2l = far.kind == FarPair::m2l, m2p = far.kind == FarPair::m2p;
  const BoxPoints targets{pair.targets, target.target_begin, target.target_count(), tree_,
                          m2p ? source : target};
  const BoxPoints sources{pair.sources, source.source_begin, source.source_count(), tree_,
                          m2l || m2p ? source : target};
  const int order = order_used(far, likely_order_);
  const auto falling = [&](double ratio) { return square_falling(ratio, order); };
  pair.u = drawn_direction(random);
  pair.w = drawn_direction(random);
  DrawnPoint &x = pair.x, &y = pair.y;
  if (m2l) {
    const Vec3d t = offset_vector(offset_between(target, source));
    // Terms of degrees n >= p at the target are of the order of (|x| / |t - y|)^p; those that also
    // have k >= p at the source up to (4 |x| |y| / |t|^2)^p, which may be larger.
    const auto left_out = [&](double rx, double dx, double ry, double dy) {
      return falling(rx / dy) + falling(ry / dx) + falling(4.0 * rx * ry / dot(t, t));
    };
    double farthest = 0.0, nearest = std::numeric_limits<double>::max();
    for (std::int32_t k = 0; k < targets.count; k += 1 + targets.count / sampled) {
      const Vec3d each = targets(k);
      farthest = std::max(farthest, norm(each));
      nearest = std::min(nearest, norm(t + each));
    }
    y = draw_point<sampled>(sources, random, [&](const Vec3d& at) {
      return left_out(farthest, nearest, norm(at), norm(t - at));
    });
    x = draw_point<sampled>(targets, random, [&](const Vec3d& at) {
      return left_out(norm(at), norm(t + at), norm(y.at), norm(t - y.at));
    });
    return random;
  }
  const auto near_centre = [&](const Vec3d& at) { return falling(norm(at)); };
  const auto away = [&](const Vec3d& at) { return falling(1.0 / norm(at)); };
  if (m2p) {
    x = draw_point<sampled>(targets, random, away);
    y = draw_point<sampled>(sources, random, near_centre);
  } else {
    x = draw_point<sampled>(targets, random, near_centre);
    y = draw_point<sampled>(sources, random, away);
  }
  return random;
}

/// The squared errors of a pair.
TruncationSample::Entry TruncationSample::Sampler::measure(Pair& pair, PairSeries& series) const {
  const FarPair& far = pair.from->far;
  const Box &target = tree_.boxes[far.frame], &source = tree_.boxes[far.source];
  const DrawnPoint &x = pair.x, &y = pair.y;
  Entry entry{far.kind, -1,
              std::vector<double>(static_cast<std::size_t>(pair_kinds * (most_order_ + 1)))};
  if (far.kind != FarPair::p2l && target.level == source.level)
    entry.offset = offset_between(target, source);
  if (far.kind == FarPair::m2l) {
    series.set_m2l(offset_vector(entry.offset), x.at, y.at, pair.u, pair.w);
  } else {
    series.set_single(far.kind == FarPair::m2p ? Harmonic::singular : Harmonic::regular, x.at, y.at,
                      pair.u, pair.w);
  }
  const double per_edge = 1.0 / box_edge(far.kind == FarPair::m2p ? source : target);
  const auto sums = squared_sums(pair, pair.random);
  for (int s = 0; s < strengths_; ++s) {
    for (int d = 0; d <= derivatives_; ++d) {
      const double size = std::pow(per_edge, 1 + d + s);
      const double factor = pair.weight * x.stands_for * y.stands_for * directions[d] * size *
                            size / sums[pair_kind(d, s)];
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
  if (tree.boxes[0].target_count() == 0 || tree.boxes[0].source_count() == 0) return;
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
