#include "rankine/bem/panels/near_pairs.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <numeric>

#include "rankine/bem/panels/near_grid.hpp"
#include "rankine/fmm/core/bounding_box.hpp"
#include "rankine/fmm/core/first_touch.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/radix_sort.hpp"

namespace rankine::bem {
namespace {

NearGrids make_grids(const BoundingBox& box, std::span<const double> radii) {
  NearGrids grids;
  const double largest =
      parallel_max(radii.size(), 0.0, [&](std::size_t j) { return radii[j]; });
  grids.largest_exponent = std::ilogb(NearGrids::reach_of(largest));
  using Reaches = std::array<double, NearGrids::most_classes>;
  const Reaches reach = parallel_reduce(
      radii.size(), Reaches{},
      [&](std::size_t j, Reaches& most) {
        double& of_class = most[static_cast<std::size_t>(grids.class_of(radii[j]))];
        of_class = std::max(of_class, NearGrids::reach_of(radii[j]));
      },
      [](Reaches& most, const Reaches& part) {
        for (std::size_t c = 0; c < most.size(); ++c) most[c] = std::max(most[c], part[c]);
      });
  grids.set_cells(box.lower, box.longest(), reach.data());
  return grids;
}

/// Source of every ball; empty if every source has one ball.
std::vector<std::int32_t> owners(const NearBalls& balls) {
  const std::size_t sources = balls.first.size() - 1;
  if (sources == balls.centre.size()) return {};
  std::vector<std::int32_t> owner(balls.centre.size());
  parallel_for(sources, [&](std::size_t j) {
    std::fill(owner.begin() + balls.first[j], owner.begin() + balls.first[j + 1],
              static_cast<std::int32_t>(j));
  });
  return owner;
}

/// Balls sorted by their cells.
class SortedSources {
 public:
  /// `balls`: which balls belong to one source; null: every ball is a source.
  SortedSources(std::span<const Vec3d> points, std::span<const double> radii,
                const NearBalls* balls)
      : balls_(balls),
        owner_(balls != nullptr ? owners(*balls) : std::vector<std::int32_t>{}),
        grids_(make_grids(bounding_box(points), radii)),
        order_(sorted_by_key(
            points.size(), NearGrids::key_bits,
            [&](std::size_t j) { return grids_.key_of(points[j], radii[j]); }, keys_)),
        sources_(points.size(), NearSource{{}, 0.0}) {
    parallel_for(points.size(), [&](std::size_t k) {
      const auto j = static_cast<std::size_t>(order_[k]);
      sources_[k] = {points[j], radii[j]};
    });
  }

  /// Key of the cell that contains x, or of an adjacent one, in the grid of the median source.
  std::uint64_t place_of(const Vec3d& x) const {
    Cell cell = grids_.cell_of(x, NearGrids::class_of_key(keys_[keys_.size() / 2]));
    for (std::int64_t* place : {&cell.x, &cell.y, &cell.z}) {
      *place = std::clamp(*place, std::int64_t{0}, Cell::last);
    }
    return NearGrids::key_of(0, cell);
  }

  /// Work data of a thread: the runs of sources around the last cell of every class, which
  /// consecutive targets mostly share.
  class Visitor {
   public:
    explicit Visitor(const SortedSources& all)
        : all_(all),
          around_(static_cast<std::size_t>(all.grids_.classes)),
          last_target_(all.owner_.empty() ? 0 : all.balls_->first.size() - 1, 0) {}

    /// Appends the sources that have x in reach. Every call is for another target.
    void append_near(const Vec3d& x, std::vector<std::int32_t>& found);

   private:
    struct Run {
      std::int64_t begin, end;
    };
    struct Neighbourhood {
      Cell centre{-9, -9, -9};
      std::array<Run, 9> run;
      int runs = 0;
      std::size_t sources = 0;
    };

    void find_neighbours(int size_class, const Cell& centre, Neighbourhood& around) const;
    /// Writes the sources of a run that have x in reach; returns the end of the written part.
    std::int32_t* write_sources(const Run& run, const Vec3d& x, std::int32_t* row) const;
    std::int32_t* write_owners(const Run& run, const Vec3d& x, std::int32_t* row);

    const SortedSources& all_;
    std::vector<Neighbourhood> around_;
    std::vector<std::int32_t> row_;
    std::vector<std::int64_t>
        last_target_;  ///< per source with several balls: the last target in its reach
    std::int64_t target_ = 0;
  };

 private:
  const NearBalls* balls_;
  std::vector<std::int32_t> owner_;
  NearGrids grids_;
  AlignedVector<std::uint64_t> keys_;
  AlignedVector<std::int32_t> order_;
  std::vector<NearSource> sources_;
};

void SortedSources::Visitor::find_neighbours(int size_class, const Cell& centre,
                                             Neighbourhood& around) const {
  const auto count = static_cast<std::int64_t>(all_.keys_.size());
  around = {.centre = centre, .run = {}, .runs = 0, .sources = 0};
  NearGrids::visit_runs(size_class, centre, [&](std::uint64_t first, std::uint64_t last) {
    const std::int64_t begin = first_not_below(all_.keys_.data(), count, first);
    std::int64_t end = begin;
    while (end < count && all_.keys_[static_cast<std::size_t>(end)] <= last) ++end;
    if (begin == end) return;
    around.run[static_cast<std::size_t>(around.runs++)] = {begin, end};
    around.sources += static_cast<std::size_t>(end - begin);
  });
}

std::int32_t* SortedSources::Visitor::write_sources(const Run& run, const Vec3d& x,
                                                    std::int32_t* row) const {
  const std::int32_t* const order = all_.order_.data();
  const NearSource* const sources = all_.sources_.data();
  for (std::int64_t s = run.begin; s < run.end; ++s) {
    *row = order[s];  // always written, since a branch would often be mispredicted
    row += static_cast<std::ptrdiff_t>(sources[s].reaches(x));
  }
  return row;
}

std::int32_t* SortedSources::Visitor::write_owners(const Run& run, const Vec3d& x,
                                                   std::int32_t* row) {
  for (std::int64_t s = run.begin; s < run.end; ++s) {
    if (!all_.sources_[static_cast<std::size_t>(s)].reaches(x)) continue;
    const std::int32_t ball = all_.order_[static_cast<std::size_t>(s)];
    const std::int32_t owner = all_.owner_[static_cast<std::size_t>(ball)];
    std::int64_t& last_target = last_target_[static_cast<std::size_t>(owner)];
    if (last_target != target_) *row++ = owner;
    last_target = target_;
  }
  return row;
}

void SortedSources::Visitor::append_near(const Vec3d& x, std::vector<std::int32_t>& found) {
  const bool one_each = all_.owner_.empty();
  ++target_;
  std::size_t count = 0;
  for (int k = 0; k < all_.grids_.classes; ++k) {
    const int size_class = all_.grids_.occupied[k];
    const Cell centre = all_.grids_.cell_of(x, size_class);
    Neighbourhood& around = around_[static_cast<std::size_t>(k)];
    if (!(centre == around.centre)) find_neighbours(size_class, centre, around);
    row_.resize(std::max(row_.size(), count + around.sources + 1));
    std::int32_t* row = row_.data() + count;
    for (int r = 0; r < around.runs; ++r) {
      const Run& run = around.run[static_cast<std::size_t>(r)];
      row = one_each ? write_sources(run, x, row) : write_owners(run, x, row);
    }
    count = static_cast<std::size_t>(row - row_.data());
  }
  found.insert(found.end(), row_.begin(), row_.begin() + static_cast<std::ptrdiff_t>(count));
}

SparsityPattern no_pairs(std::size_t targets) {
  SparsityPattern pairs;
  pairs.offsets.assign(targets + 1, 0);
  return pairs;
}

SparsityPattern find_pairs(std::span<const Vec3d> targets, const SortedSources& sorted) {
  SparsityPattern pairs = no_pairs(targets.size());
  AlignedVector<std::uint64_t> keys;
  const AlignedVector<std::int32_t> order = sorted_by_key(
      targets.size(), 3 * Cell::bits, [&](std::size_t i) { return sorted.place_of(targets[i]); },
      keys);

  // Rows are found in the order of the targets' positions and stored in the order of their numbers.
  constexpr std::size_t block_size = 4096;
  const std::size_t blocks = (targets.size() + block_size - 1) / block_size;
  std::vector<std::vector<std::int32_t>> found(blocks);
  const auto for_targets = [&](std::size_t block, auto&& visit) {
    const std::size_t end = std::min(targets.size(), (block + 1) * block_size);
    for (std::size_t k = block * block_size; k < end; ++k) {
      visit(static_cast<std::size_t>(order[k]));
    }
  };
  parallel_chunks(
      blocks, 1, [&] { return SortedSources::Visitor(sorted); },
      [&](std::size_t block, SortedSources::Visitor& visitor) {
        for_targets(block, [&](std::size_t i) {
          const std::size_t before = found[block].size();
          visitor.append_near(targets[i], found[block]);
          pairs.offsets[i + 1] = static_cast<std::int64_t>(found[block].size() - before);
        });
      });
  std::inclusive_scan(pairs.offsets.begin(), pairs.offsets.end(), pairs.offsets.begin());
  resize_touched(pairs.columns, static_cast<std::size_t>(pairs.offsets.back()));
  parallel_chunks(blocks, 1, [&](std::size_t block) {
    auto row = found[block].begin();
    for_targets(block, [&](std::size_t i) {
      const auto end = row + (pairs.offsets[i + 1] - pairs.offsets[i]);
      std::copy(row, end, pairs.columns.begin() + pairs.offsets[i]);
      row = end;
    });
    std::vector<std::int32_t>().swap(found[block]);
  });
  return pairs;
}

}  // namespace

SparsityPattern find_near_pairs(std::span<const Vec3d> targets, std::span<const Vec3d> sources,
                                std::span<const double> radii) {
  assert(sources.size() == radii.size());
  assert(sources.size() < static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()));
  if (sources.empty()) return no_pairs(targets.size());
  return find_pairs(targets, SortedSources(sources, radii, nullptr));
}

class NearSearch::Sorted : public SortedSources {
 public:
  using SortedSources::SortedSources;
};

NearSearch::NearSearch(const NearBalls& balls) {
  assert(balls.centre.size() == balls.radius.size());
  assert(balls.centre.size() == static_cast<std::size_t>(balls.first.back()));
  if (!balls.centre.empty()) sorted_ = std::make_unique<Sorted>(balls.centre, balls.radius, &balls);
}

NearSearch::~NearSearch() = default;

SparsityPattern NearSearch::pairs(std::span<const Vec3d> targets) const {
  return sorted_ ? find_pairs(targets, *sorted_) : no_pairs(targets.size());
}

SparsityPattern find_near_pairs(std::span<const Vec3d> targets, const NearBalls& balls) {
  return NearSearch(balls).pairs(targets);
}

}  // namespace rankine::bem
