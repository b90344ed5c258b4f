#include "rankine/gpu/sums/direct_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "rankine/fmm/core/dispatch.hpp"
#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/fmm/octree.hpp"
#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/runtime/launch.cuh"
#include "rankine/gpu/sums/device_tree.hpp"
#include "rankine/gpu/sums/direct_kernels.cuh"
#include "rankine/gpu/sums/strengths.hpp"

namespace rankine::gpu {
namespace {

constexpr int linear_threads = 256;

constexpr int acceleration = coded({.charges = true, .derivatives = 1}),
              without_potential = coded({.charges = true, .derivatives = 1, .potential = false});

int tiles_of(std::size_t points) { return static_cast<int>(blocks_for(points, direct_tile)); }

/// A set of points on the device: sources, targets, or both.
template <class T>
class TiledPoints {
 public:
  struct Use {
    bool targets;
    bool relative;  ///< for sums in float: Morton order, tile boxes and split positions
  };

  TiledPoints() = default;
  /// `points` are on the device.
  TiledPoints(std::span<const Vec3d> points, DeviceBuffer<std::int32_t> order, Use use,
              const Vec3d& origin, double inverse_side, const Stream& stream)
      : point_(copied<Vec3d>(points, stream)), order_(std::move(order)) {
    const std::size_t padded = static_cast<std::size_t>(tiles()) * direct_tile;
    if (use.relative) {
      box_ = {static_cast<std::size_t>(tiles()), stream};
      split_ = {padded, stream};
    }
    if (use.targets) local_ = {padded, stream};
    launch("placing tiles", place_tiles<T>,
           {blocks_for(32 * static_cast<std::size_t>(tiles()), linear_threads), linear_threads},
           stream, view(), origin, inverse_side,
           TilePositions<T>{box_.data(), split_.data(), local_.data()}, tiles());
  }

  DirectPoints view() const {
    return {point_.data(), order_.data(), static_cast<std::int32_t>(point_.size()), box_.data()};
  }
  const SplitPosition* split() const { return split_.data(); }
  const Vec3<T>* local() const { return local_.data(); }
  int tiles() const { return tiles_of(point_.size()); }
  std::size_t bytes() const {
    return point_.bytes() + order_.bytes() + box_.bytes() + split_.bytes() + local_.bytes();
  }

 private:
  DeviceBuffer<Vec3d> point_;
  DeviceBuffer<std::int32_t> order_;
  DeviceBuffer<TileBox> box_;
  DeviceBuffer<SplitPosition> split_;
  DeviceBuffer<Vec3<T>> local_;  ///< of targets
};

/// A power of two near 1/side: scaled float positions neither overflow nor underflow, and scaling
/// causes no rounding.
double inverse_scale(double side) { return std::exp2(-std::round(std::log2(side))); }

template <class T>
class DirectOperator final : public fmm::Operator {
 public:
  DirectOperator(const fmm::Points& points, const fmm::Options& options,
                 std::shared_ptr<const Stream> stream)
      : stream_(std::move(stream)),
        kernel_(options.kernel),
        softening_(options.softening),
        multiprocessors_(stream_->context()->device().multiprocessors) {
    info_.method = fmm::Method::direct;
    info_.precision = options.precision;
    info_.kernel = options.kernel;
    info_.tolerance = info_.kept_tolerance = options.tolerance;
    set_points(DevicePoints(points, MemorySpace::host, *stream_));
  }

  void move(const fmm::Points& points, MemorySpace where) override {
    fmm::check_move(points, info_, normals_.size() > 0, where);
    const DeviceScope scope(*stream_->context());
    set_points(DevicePoints(points, where, *stream_));
  }

  void set_order(int) override {}

  void apply(const fmm::Strengths& strengths, const fmm::Results& results, int rhs) override {
    fmm::check_apply(strengths, results, rhs, info_, normals_.size() > 0);
    if (info_.targets == 0) return;
    const fmm::PairKernel kernel{kernel_, softening_ * inverse_side_};
    fmm::with_kernel<T>(kernel, [&](auto term) {
      fmm::with_terms_of(term, !strengths.charges.empty(),
                         !strengths.normal_dipoles.empty() || !strengths.dipoles.empty(),
                         fmm::derivatives(results), [&](auto terms) {
                           for_column_blocks(rhs, [&](auto columns, int first) {
                             sum_columns<coded(terms()), columns()>(term, strengths, results,
                                                                    first);
                           });
                         });
    });
  }

  void synchronize() override { stream_->synchronize(); }
  const fmm::OperatorInfo& info() const override { return info_; }

  std::vector<fmm::PassTime> breakdown(const fmm::Strengths& strengths, const fmm::Results& results,
                                       int rhs) override {
    const DeviceScope scope(*stream_->context());
    const Event begin(Event::Timing::on), end(Event::Timing::on);
    begin.record(*stream_);
    apply(strengths, results, rhs);
    end.record(*stream_);
    return {{"P2P", seconds_between(begin, end)}};
  }

 private:
  static constexpr bool relative = sizeof(T) == 4;

  const TiledPoints<T>& targets() const { return shared_ ? sources_ : targets_; }

  void set_points(const DevicePoints& given) {
    const Stopwatch stopwatch;
    DeviceTree sorted;  // empty in double: points stay in the caller's order
    if (relative) {
      sorted = sort_device_points(given, *stream_);
      inverse_side_ = inverse_scale(sorted.root.side);
    }
    const fmm::Points& points = given.points();
    shared_ = given.extent().shared_points;
    using Use = typename TiledPoints<T>::Use;
    sources_ = {points.sources,         std::move(sorted.source_order),
                Use{shared_, relative}, sorted.root.corner,
                inverse_side_,          *stream_};
    targets_ = {};
    if (!shared_) {
      targets_ = {points.targets,      std::move(sorted.target_order),
                  Use{true, relative}, sorted.root.corner,
                  inverse_side_,       *stream_};
    }
    normals_ = copied<Vec3d>(points.normals, *stream_);
    core_radii_ = copied<double>(points.core_radii, *stream_);
    info_.sources = static_cast<std::int64_t>(points.sources.size());
    info_.targets = static_cast<std::int64_t>(points.targets.size());
    info_.near_pairs = info_.sources * info_.targets;
    info_.device_bytes =
        sources_.bytes() + targets_.bytes() + normals_.bytes() + core_radii_.bytes();
    info_.setup_seconds = stopwatch.seconds();
  }

  /// The number of blocks among which the sources of a target are divided, if `at_once` blocks run
  /// at a time: the number with the smallest idle time of the device, with partial sums of limited
  /// size.
  int split_count(int target_blocks, int at_once, std::size_t bytes_per_split) const {
    constexpr std::size_t most_bytes = std::size_t{1} << 29;
    // The overhead of a block, in tiles, and the idle fraction of the last round.
    constexpr double beside = 2.0, idle = 0.15;
    constexpr int most_rounds = 64;
    const int tiles = std::max(1, sources_.tiles());
    const int most =
        std::min({tiles, std::max(1, most_rounds * at_once / target_blocks),
                  static_cast<int>(std::max<std::size_t>(1, most_bytes / bytes_per_split))});
    int best = 1;
    double least = std::numeric_limits<double>::max();
    for (int splits = 1; splits <= most; ++splits) {
      const int rounds = (target_blocks * splits + at_once - 1) / at_once,
                length = (tiles + splits - 1) / splits;
      const double cost = (rounds + idle) * (length + beside);
      if (cost >= least) continue;
      least = cost;
      best = splits;
    }
    return best;
  }

  template <int terms, int columns, class Term>
  void sum_columns(const Term& term, const fmm::Strengths& strengths, const fmm::Results& results,
                   int first) {
    if constexpr (decoded(terms).vortices) {  // registers are sufficient for one right-hand side
      for (int k = 0; k < columns; ++k)
        sum<PairKind<Term, T, terms, 1>>(term, strengths, results, first + k);
      return;
    }
    if constexpr (is_softened<Term> && terms == acceleration) {
      // Time steps of gravity need only the acceleration.
      if (results.potential.empty())
        return sum<PairKind<Term, T, without_potential, columns>>(term, strengths, results, first);
    }
    if constexpr (!decoded(terms).vortices)
      sum<PairKind<Term, T, terms, columns>>(term, strengths, results, first);
  }

  template <class Kind>
  void sum(const typename Kind::Term& term, const fmm::Strengths& strengths,
           const fmm::Results& results, int first) {
    constexpr int targets = targets_per_thread<Kind>();
    constexpr int columns = Kind::rhs * Kind::components;
    const int tiles = sources_.tiles(), target_tiles = this->targets().tiles();
    const std::size_t padded_targets = static_cast<std::size_t>(target_tiles) * direct_tile;
    const int shares = !relative && target_tiles < targets ? targets : 1;
    const int target_blocks = shares > 1 ? target_tiles : (target_tiles + targets - 1) / targets;
    const int splits = split_count(target_blocks, direct_blocks<Kind> * multiprocessors_,
                                   columns * padded_targets * sizeof(double));
    const int tiles_per_split = std::max(1, (tiles + splits - 1) / splits);

    DeviceBuffer<PairSource<Kind>> packed(static_cast<std::size_t>(tiles) * direct_tile, *stream_);
    DeviceBuffer<double> partial(splits * columns * padded_targets, *stream_);
    const DirectStrengths given{address(strengths.charges),
                                address(strengths.normal_dipoles),
                                address(strengths.dipoles),
                                normals_.data(),
                                address(strengths.vortices),
                                core_radii_.data(),
                                info_.sources};
    launch("pack_sources", pack_sources<Kind>,
           {blocks_for(packed.size(), linear_threads), linear_threads}, *stream_, sources_.view(),
           given, first, inverse_side_, packed.data(), static_cast<int>(packed.size()));
    const DirectInput<Kind> in{.term = term,
                               .sources = sources_.view(),
                               .targets = this->targets().view(),
                               .source = packed.data(),
                               .source_box = sources_.view().box,
                               .source_split = sources_.split(),
                               .source_tiles = tiles,
                               .tiles_per_split = tiles_per_split,
                               .shares = shares,
                               .target = this->targets().local(),
                               .target_box = this->targets().view().box,
                               .target_split = this->targets().split(),
                               .target_tiles = target_tiles,
                               .shared_points = shared_,
                               .inverse_side = inverse_side_,
                               .least_gap = least_gap_of(info_.tolerance)};
    launch("sum_directly", sum_directly<Kind, targets>,
           {dim3(static_cast<unsigned>(target_blocks), static_cast<unsigned>(splits)), direct_tile},
           *stream_, in, partial.data());
    const auto count = static_cast<std::size_t>(info_.targets);
    const auto from = [&](std::span<double> all, std::size_t width) {
      return all.empty() ? nullptr : all.data() + width * static_cast<std::size_t>(first) * count;
    };
    const ResultView out{from(results.potential, 1), from(results.gradient, 3),
                         from(results.hessian, 6), from(results.velocity, 3),
                         from(results.velocity_gradient, 9)};
    launch("add_partial_sums", add_partial_sums<Kind>,
           {dim3(blocks_for(count, targets_at_once), columns), targets_at_once * splits_at_once},
           *stream_, partial.data(), splits, Kind::rhs, this->targets().view().order,
           static_cast<int>(count), static_cast<std::int64_t>(padded_targets), inverse_side_, out);
  }

  std::shared_ptr<const Stream> stream_;
  fmm::Kernel kernel_;
  double softening_;  ///< metres
  int multiprocessors_;
  double inverse_side_ = 1.0;
  bool shared_ = false;  ///< the targets are the sources
  TiledPoints<T> sources_, targets_;
  DeviceBuffer<Vec3d> normals_;
  DeviceBuffer<double> core_radii_;
  fmm::OperatorInfo info_;
};

/// Inverse fifth powers of such thin cores, in units of the cloud's size, overflow float.
bool has_too_thin_cores(const fmm::Points& points) {
  constexpr double least = 1e-7;
  if (points.core_radii.empty()) return false;
  BoundingBox box = bounding_box(points.sources);
  box.join(bounding_box(points.targets));
  return *std::min_element(points.core_radii.begin(), points.core_radii.end()) <
         least * box.longest();
}

}  // namespace

std::unique_ptr<fmm::Operator> make_direct_operator(const fmm::Points& points,
                                                    const fmm::Options& options,
                                                    std::shared_ptr<const Stream> stream) {
  fmm::check_options(points, options);
  if (options.precision == fmm::Precision::float32 && !has_too_thin_cores(points))
    return std::make_unique<DirectOperator<float>>(points, options, std::move(stream));
  fmm::Options wide = options;
  wide.precision = fmm::Precision::float64;
  return std::make_unique<DirectOperator<double>>(points, wide, std::move(stream));
}

}  // namespace rankine::gpu
