#include "rankine/bem/panels/near_pairs.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace rankine::bem {
namespace {

struct Cell {
  std::int64_t x, y, z;
};

/// Sources of one radius class, sorted by cell.
class RadiusClass {
 public:
  RadiusClass(std::span<const Vec3d> sources, std::span<const double> radii,
              std::vector<std::int32_t> members);

  /// Appends the members whose radius reaches x.
  void collect(const Vec3d& x, std::vector<std::int32_t>& row) const;

 private:
  /// Appends those of members begin to end whose radius reaches x.
  void append_near(const Vec3d& x, std::int64_t begin, std::int64_t end,
                   std::vector<std::int32_t>& row) const;

  static constexpr int bits = 21;  // per axis in a key

  Cell cell_of(const Vec3d& x) const {
    const Vec3d r = (x - origin_) / width_;
    return {static_cast<std::int64_t>(std::floor(r.x)), static_cast<std::int64_t>(std::floor(r.y)),
            static_cast<std::int64_t>(std::floor(r.z))};
  }
  static std::uint64_t key_of(const Cell& c) {
    return (static_cast<std::uint64_t>(c.z) << (2 * bits)) |
           (static_cast<std::uint64_t>(c.y) << bits) | static_cast<std::uint64_t>(c.x);
  }

  struct Member {
    Vec3d point;
    double radius2;
    std::int32_t index;
  };

  Vec3d origin_;
  double width_ = 1.0;
  Cell last_{};
  std::vector<Member> members_;       ///< in the order of their cells
  std::vector<std::uint64_t> cells_;  ///< keys of the occupied cells, ascending
  std::vector<std::int64_t> begin_;   ///< cells + 1
};

RadiusClass::RadiusClass(std::span<const Vec3d> sources, std::span<const double> radii,
                         std::vector<std::int32_t> members) {
  const double huge = std::numeric_limits<double>::infinity();
  Vec3d low{huge, huge, huge}, high{-huge, -huge, -huge};
  double reach = 0.0;
  for (const std::int32_t j : members) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], sources[j][axis]);
      high[axis] = std::max(high[axis], sources[j][axis]);
    }
    reach = std::max(reach, radii[j]);
  }
  const Vec3d extent = high - low;
  const double longest = std::max({extent.x, extent.y, extent.z});
  origin_ = low;
  width_ = std::max(reach, longest / static_cast<double>((1 << bits) - 2));
  if (!(width_ > 0.0)) width_ = 1.0;
  last_ = cell_of(high);

  std::vector<std::pair<std::uint64_t, std::int32_t>> sorted(members.size());
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < members.size(); ++k) {
    sorted[k] = {key_of(cell_of(sources[members[k]])), members[k]};
  }
  std::sort(sorted.begin(), sorted.end());
  members_.reserve(sorted.size());
  for (const auto& [key, index] : sorted) {
    if (cells_.empty() || cells_.back() != key) {
      cells_.push_back(key);
      begin_.push_back(static_cast<std::int64_t>(members_.size()));
    }
    members_.push_back({sources[index], radii[index] * radii[index], index});
  }
  begin_.push_back(static_cast<std::int64_t>(members_.size()));
}

void RadiusClass::append_near(const Vec3d& x, std::int64_t begin, std::int64_t end,
                              std::vector<std::int32_t>& row) const {
  std::size_t count = row.size();
  row.resize(count + static_cast<std::size_t>(end - begin));
  for (std::int64_t k = begin; k < end; ++k) {
    const Member& member = members_[static_cast<std::size_t>(k)];
    const Vec3d r = x - member.point;
    const double r2 = dot(r, r);
    row[count] = member.index;  // kept or overwritten: a branch here would be mispredicted often
    count += static_cast<std::size_t>((r2 < member.radius2) | (r2 == 0.0));
  }
  row.resize(count);
}

void RadiusClass::collect(const Vec3d& x, std::vector<std::int32_t>& row) const {
  const Vec3d offset = (x - origin_) / width_;
  if (!(offset.x >= -1.0 && offset.y >= -1.0 && offset.z >= -1.0)) return;
  if (!(offset.x < static_cast<double>(last_.x + 2) &&
        offset.y < static_cast<double>(last_.y + 2) &&
        offset.z < static_cast<double>(last_.z + 2))) {
    return;
  }
  const Cell centre = cell_of(x);
  const std::int64_t first_x = std::max<std::int64_t>(centre.x - 1, 0),
                     last_x = std::min(centre.x + 1, last_.x);
  if (first_x > last_x) return;
  for (std::int64_t z = std::max<std::int64_t>(centre.z - 1, 0);
       z <= std::min(centre.z + 1, last_.z); ++z) {
    for (std::int64_t y = std::max<std::int64_t>(centre.y - 1, 0);
         y <= std::min(centre.y + 1, last_.y); ++y) {
      // Cells along x have consecutive keys: one search finds the run.
      const std::uint64_t from = key_of({first_x, y, z}), to = key_of({last_x, y, z});
      auto cell = static_cast<std::size_t>(std::lower_bound(cells_.begin(), cells_.end(), from) -
                                           cells_.begin());
      for (; cell < cells_.size() && cells_[cell] <= to; ++cell) {
        append_near(x, begin_[cell], begin_[cell + 1], row);
      }
    }
  }
}

std::vector<RadiusClass> classify(std::span<const Vec3d> sources, std::span<const double> radii) {
  std::map<int, std::vector<std::int32_t>> by_exponent;
  for (std::size_t j = 0; j < radii.size(); ++j) {
    by_exponent[radii[j] > 0.0 ? std::ilogb(radii[j]) : 0].push_back(static_cast<std::int32_t>(j));
  }
  std::vector<RadiusClass> classes;
  for (auto& [exponent, members] : by_exponent)
    classes.emplace_back(sources, radii, std::move(members));
  return classes;
}

}  // namespace

SparsityPattern find_near_pairs(std::span<const Vec3d> targets, std::span<const Vec3d> sources,
                                std::span<const double> radii) {
  assert(sources.size() == radii.size());
  assert(sources.size() < static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()));
  const std::vector<RadiusClass> classes = classify(sources, radii);

  constexpr std::size_t block_size = 4096;
  const std::size_t blocks = (targets.size() + block_size - 1) / block_size;
  SparsityPattern pairs;
  pairs.offsets.assign(targets.size() + 1, 0);
  std::vector<std::vector<std::int32_t>> found(blocks);
#pragma omp parallel
  {
    std::vector<std::int32_t> row;
#pragma omp for schedule(dynamic, 1)
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t end = std::min(targets.size(), (block + 1) * block_size);
      for (std::size_t i = block * block_size; i < end; ++i) {
        row.clear();
        for (const RadiusClass& radius_class : classes) radius_class.collect(targets[i], row);
        pairs.offsets[i + 1] = static_cast<std::int64_t>(row.size());
        found[block].insert(found[block].end(), row.begin(), row.end());
      }
    }
  }
  for (std::size_t i = 0; i < targets.size(); ++i) pairs.offsets[i + 1] += pairs.offsets[i];
  pairs.columns.resize(static_cast<std::size_t>(pairs.offsets.back()));
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t block = 0; block < blocks; ++block) {
    std::copy(found[block].begin(), found[block].end(),
              pairs.columns.begin() + pairs.offsets[block * block_size]);
    std::vector<std::int32_t>().swap(found[block]);
  }
  return pairs;
}

}  // namespace rankine::bem
