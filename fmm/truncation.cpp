#include "rankine/fmm/truncation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <utility>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/uniform.hpp"
#include "rankine/fmm/drawn_pairs.hpp"
#include "rankine/fmm/order.hpp"
#include "rankine/fmm/squared_terms.hpp"

namespace rankine::fmm {
namespace {

constexpr std::size_t boxes_of_level = 96;  ///< boxes per level whose lists are used
constexpr std::size_t pairs_drawn = 512;    ///< pairs whose errors are computed
constexpr double shares[2] = {0.75, 0.25};  ///< of the pairs that are drawn by each guess
constexpr int pairs_compared = 6;           ///< pairs from which the error of two boxes is guessed

/// Beyond this order most of the error comes from rare pairs in facing corners of boxes, which a
/// sample misses. From there on the estimate falls no faster than the error of points that fill
/// their boxes.
constexpr int well_sampled_order = 10;

/// The squared size of a result divided by the mean square of its component along a random
/// direction.
constexpr double directions[3] = {1.0, 3.0, 7.5};

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
        // A lower order, so that pairs whose errors fall slowly do not get too large weights when
        // they are drawn.
        weight_order_(std::max(1, likely_order * 3 / 4)) {}

  std::vector<Entry> errors() const;

 private:
  struct Candidate {
    Served served;
    double weight[2][2];  ///< likely squared errors of potential and gradient, by both guesses
    double stands_for;
  };

  /// Inverse core radius of a source in Morton order, in inverse edges of the root; 0 without
  /// cores.
  double inverse_core(std::int32_t source) const {
    return points_.core_radii.empty() ? 0.0 : tree_.side / points_.core_radii[source];
  }
  std::size_t target_count() const {
    return static_cast<std::size_t>(tree_.boxes[0].target_count());
  }
  std::array<double, pair_kinds> squared_sums(std::int32_t target, std::mt19937_64& random) const;
  std::vector<std::int32_t> drawn_boxes(int level, std::vector<double>& stands_for) const;
  PairPoints points_of(const Served& served) const;
  Candidate candidate(const Served& served, double stands_for, Uniform& uniform) const;
  Entry measure(const Candidate& c, double weight, PairSeries& series,
                std::mt19937_64& random) const;

  const Octree& tree_;
  const MortonPoints& points_;
  Method method_;
  PairKernel kernel_;
  int direct_threshold_, most_order_, derivatives_, strengths_, likely_order_, weight_order_;
};

/// The sums of the squared terms at a target in Morton order.
std::array<double, pair_kinds> TruncationSample::Sampler::squared_sums(
    std::int32_t target, std::mt19937_64& random) const {
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
    for (const Served& s : boxes.served) {
      const Box& box = tree_.boxes[s.source];
      const auto size = static_cast<std::size_t>(box.source_count());
      add(box.source_begin + static_cast<std::int32_t>(drawn_below(size, random)),
          box.source_count());
    }
    return sums.by_kind();
  });
}

/// Draws boxes with targets of a level; each represents `stands_for` boxes.
std::vector<std::int32_t> TruncationSample::Sampler::drawn_boxes(
    int level, std::vector<double>& stands_for) const {
  std::vector<std::int32_t> boxes;
  for (std::int32_t b = tree_.level_begin[level]; b < tree_.level_begin[level + 1]; ++b) {
    if (tree_.boxes[b].target_count() > 0) boxes.push_back(b);
  }
  const std::size_t count = std::min(boxes.size(), boxes_of_level);
  std::mt19937_64 random(static_cast<std::uint64_t>(level) + 1);
  for (std::size_t k = 0; k < count; ++k)
    std::swap(boxes[k], boxes[k + drawn_below(boxes.size() - k, random)]);
  if (count > 0)
    stands_for.insert(stands_for.end(), count, static_cast<double>(boxes.size()) / count);
  boxes.resize(count);
  return boxes;
}

PairPoints TruncationSample::Sampler::points_of(const Served& served) const {
  const Box &target = tree_.boxes[served.frame], &source = tree_.boxes[served.source];
  const Box &of_targets = served.kind == Served::m2p ? source : target,
            &of_sources = served.kind == Served::p2l ? target : source;
  const double edge = box_edge(of_sources);
  return {served.kind,
          box_shift(of_targets, of_sources) * (1.0 / edge),
          edge,
          {points_.targets(), target.target_begin, target.target_count(), tree_, of_targets},
          {points_.sources, source.source_begin, source.source_count(), tree_, of_sources}};
}

/// Two guesses of the error. The first is for points that fill their boxes, with the rare pairs in
/// facing corners. The second is from a few pairs of the points, which may all be in one corner.
TruncationSample::Sampler::Candidate TruncationSample::Sampler::candidate(const Served& served,
                                                                          double stands_for,
                                                                          Uniform& uniform) const {
  const Box &a = tree_.boxes[served.frame], &b = tree_.boxes[served.source];
  const PairPoints pair = points_of(served);
  const Vec3d away = box_shift(a, b);  // from the sources
  // For a box `other` next to an expansion of this edge, only points within about an edge of it
  // have large errors.
  const auto falling2 = [&](double other) {
    const double distance = std::max(pair.edge, norm(away) - 0.87 * other);
    const double near = std::min(1.0, pair.edge / other);
    return square_falling(0.75 * pair.edge / distance, weight_order_) * near * near /
           (distance * distance);
  };
  double error2[2] = {};
  if (served.kind == Served::m2l) {
    error2[0] = std::pow(10.0, -2.0 * m2l_error_digits(offset_between(a, b), weight_order_)) /
                (pair.edge * pair.edge);
  } else {
    error2[0] = falling2(box_edge(served.kind == Served::m2p ? a : b));
  }
  const auto drawn = [&](const BoxPoints& points) {
    return points[static_cast<std::int32_t>(uniform() * points.count)];
  };
  for (int k = 0; k < pairs_compared; ++k) {
    const Vec3d x = drawn(pair.targets), y = drawn(pair.sources);
    const double r = norm(pair.shift + x - y) * pair.edge;
    error2[1] += square_falling(pair.ratio(x, y), weight_order_) / (r * r * pairs_compared);
  }
  Candidate found{served, {}, stands_for};
  const double pairs = stands_for * a.target_count() * b.source_count();
  for (int guess = 0; guess < 2; ++guess) {
    found.weight[guess][0] = pairs * error2[guess];
    found.weight[guess][1] = pairs * error2[guess] / (pair.edge * pair.edge);
  }
  return found;
}

std::vector<TruncationSample::Entry> TruncationSample::Sampler::errors() const {
  std::vector<std::int32_t> boxes;
  std::vector<double> stands_for;
  for (int level = 0; level <= tree_.depth(); ++level) {
    const std::vector<std::int32_t> drawn = drawn_boxes(level, stands_for);
    boxes.insert(boxes.end(), drawn.begin(), drawn.end());
  }
  std::vector<std::vector<Candidate>> of_box(boxes.size());
  parallel_chunks(boxes.size(), 4, [&](std::size_t i) {
    Uniform uniform(i);
    for (const Served& s : BoxSums(tree_, method_, direct_threshold_, boxes[i]).served) {
      if (s.frame == boxes[i]) of_box[i].push_back(candidate(s, stands_for[i], uniform));
    }
  });
  std::vector<const Candidate*> candidates;
  double total[3][2][2] = {};  // every kind of translation gets the same number of pairs
  for (const auto& each : of_box) {
    for (const Candidate& c : each) {
      candidates.push_back(&c);
      for (int guess = 0; guess < 2; ++guess) {
        for (int k = 0; k < 2; ++k) total[c.served.kind][guess][k] += c.weight[guess][k];
      }
    }
  }
  if (candidates.empty()) return {};
  std::vector<double> cumulative;
  double sum = 0.0;
  const auto share = [&](const Candidate& c) {
    double of_all = 0.0;
    for (int guess = 0; guess < 2; ++guess) {
      for (int k = 0; k < 2; ++k) {
        const double all = total[c.served.kind][guess][k];
        if (all > 0.0) of_all += shares[guess] * c.weight[guess][k] / all;
      }
    }
    return of_all;
  };
  for (const Candidate* c : candidates) cumulative.push_back(sum += share(*c));
  std::vector<Entry> entries(pairs_drawn);
  const PairSeries empty(most_order_, derivatives_, strengths_);
  parallel_chunks(
      pairs_drawn, 4, [&] { return PairSeries(empty); },
      [&](std::size_t i, PairSeries& series) {
        std::mt19937_64 random(1000 + i);
        const double at = sum * (static_cast<double>(i) + drawn_fraction(random)) / pairs_drawn;
        const auto found = std::upper_bound(cumulative.begin(), cumulative.end() - 1, at);
        const Candidate& c = *candidates[static_cast<std::size_t>(found - cumulative.begin())];
        const double chance = share(c) / sum * pairs_drawn;
        entries[i] = measure(c, c.stands_for / (chance * static_cast<double>(target_count())),
                             series, random);
      });
  return entries;
}

/// The squared errors of one pair of points, drawn from the boxes with preference for large errors.
TruncationSample::Entry TruncationSample::Sampler::measure(const Candidate& c, double weight,
                                                           PairSeries& series,
                                                           std::mt19937_64& random) const {
  const Box &target = tree_.boxes[c.served.frame], &source = tree_.boxes[c.served.source];
  const PairPoints pair = points_of(c.served);
  const auto falling = [&](double ratio) { return square_falling(ratio, likely_order_); };
  Entry entry{c.served.kind, -1,
              std::vector<double>(static_cast<std::size_t>(pair_kinds * (most_order_ + 1)))};
  if (c.served.kind != Served::p2l && target.level == source.level)
    entry.offset = offset_between(target, source);
  // A source for a target in a corner of its box, then a target for this source.
  const DrawnPoint y = draw_point(pair.sources, random, [&](const Vec3d& at) {
    const double size = norm(at);
    if (c.served.kind == Served::m2p) return falling(size);
    if (c.served.kind == Served::p2l) return falling(1.0 / size);
    constexpr double corner = 0.866;
    const double far = norm(pair.shift);
    return falling(corner / (far - size)) + falling(size / (far - corner));
  });
  const DrawnPoint x = draw_point(pair.targets, random,
                                  [&](const Vec3d& at) { return falling(pair.ratio(at, y.at)); });
  const Vec3d u = drawn_direction(random), w = drawn_direction(random);
  switch (c.served.kind) {
    case Served::m2l:
      series.set_m2l(pair.shift, x.at, y.at, u, w);
      break;
    case Served::m2p:
      series.set_single(Harmonic::singular, x.at, y.at, u, w);
      break;
    case Served::p2l:
      series.set_single(Harmonic::regular, x.at, y.at, u, w);
      break;
  }
  const double per_edge = 1.0 / pair.edge;
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
  std::array<double, pair_kinds> error{};
  for (const Entry& entry : entries_) {
    const auto& of_kind = entry.kind == Served::m2p ? orders.m2p : orders.m2l;
    const int p = entry.offset < 0 ? orders.order : of_kind[entry.offset];
    for (int k = 0; k < pair_kinds; ++k) error[k] += entry.error[k * (most_order_ + 1) + p];
  }
  return error;
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
