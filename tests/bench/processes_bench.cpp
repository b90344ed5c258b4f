// Partitions among several processes, which one process makes part by part.
//
//   processes_bench POINTS N LEAF ORDER PARTS...
//     prints the largest predicted time of a part over the mean, for points divided equally and
//     divided by their work; for the latter also neighbours, and bytes that a part sends in one
//     apply
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/fmm/distributed/essential_tree.hpp"
#include "rankine/fmm/distributed/work.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/plan.hpp"
#include "rankine/fmm/tuning.hpp"

namespace rankine {
namespace {

/// The largest sum of a part over the mean.
double imbalance(const std::vector<std::uint64_t>& keys, const std::vector<double>& values,
                 const fmm::Partition& partition) {
  std::vector<double> sums(static_cast<std::size_t>(partition.parts()), 0.0);
  for (std::size_t i = 0; i < keys.size(); ++i)
    sums[static_cast<std::size_t>(partition.owner(keys[i]))] += values[i];
  return *std::max_element(sums.begin(), sums.end()) * partition.parts() /
         std::accumulate(sums.begin(), sums.end(), 0.0);
}

struct Part {
  double neighbours = 0.0, box_bytes = 0.0, point_bytes = 0.0;
};

void print_parts(int argc, char** argv) {
  const auto n = static_cast<std::size_t>(std::strtod(argv[2], nullptr));
  const int leaf = std::atoi(argv[3]), order = std::atoi(argv[4]);
  std::vector<Vec3d> points = fmm::make_points(argv[1], n, 1);
  const fmm::PointsExtent extent = fmm::extent_of(points, points);
  const fmm::Octree root = fmm::make_root(extent);
  std::vector<std::pair<std::uint64_t, Vec3d>> sorted;
  for (const Vec3d& x : points) sorted.push_back({fmm::morton_key(x, root.corner, root.side), x});
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::uint64_t> keys;
  for (std::size_t i = 0; i < n; ++i) {
    keys.push_back(sorted[i].first);
    points[i] = sorted[i].second;
  }
  sorted = {};
  SingleProcess alone;
  std::printf("%s %zu, leaves of %d, order %d\n", argv[1], n, leaf, order);
  const fmm::Options options{.order = order, .leaf_capacity = leaf};
  const std::vector<double> work = fmm::seconds_per_target(
      fmm::make_plan({points, points}, options), fmm::cpu_tuning(options, true).costs(order));
  std::printf(
      "parts  imbalance by points, work  neighbours mean most  kB sent mean most (points)  cut "
      "boxes  s\n");
  for (int a = 5; a < argc; ++a) {
    const Stopwatch stopwatch;
    const int count = std::atoi(argv[a]);
    constexpr std::int64_t fewest = 32;
    const auto divided_by = [&](std::span<const double> weights) {
      const fmm::WeightedKeys set{keys, weights};
      return fmm::make_partition(alone, {&set, 1}, count, fmm::max_level, fewest);
    };
    const double by_points = imbalance(keys, work, divided_by({}));
    const fmm::Partition partition = divided_by(work);
    std::vector<char> has_targets(static_cast<std::size_t>(count));
    std::vector<std::size_t> begin;
    for (const std::uint64_t first : partition.begin)
      begin.push_back(static_cast<std::size_t>(std::lower_bound(keys.begin(), keys.end(), first) -
                                               keys.begin()));
    for (std::size_t p = 0; p < has_targets.size(); ++p) has_targets[p] = begin[p] < begin[p + 1];
    std::vector<Part> all;
    for (int p = 0; p < count; ++p) {
      const auto at = static_cast<std::size_t>(p);
      const std::span<const Vec3d> own =
          std::span<const Vec3d>(points).subspan(begin[at], begin[at + 1] - begin[at]);
      fmm::PointsExtent mine = extent;
      mine.sources = mine.targets = static_cast<std::int32_t>(own.size());
      const fmm::Octree tree =
          fmm::divided(fmm::make_root(mine), own, own, leaf, 0.0, partition.range(p));
      Part part;
      for (const auto& message : fmm::find_exports(partition, has_targets, p, tree).messages) {
        part.neighbours += 1.0;
        for (std::size_t i = 0; i < message.boxes.size(); ++i) {
          part.box_bytes += 8.0 * order * order;
          if (message.with_sources[i] != 0)
            part.point_bytes +=
                8.0 * tree.boxes[static_cast<std::size_t>(message.boxes[i])].source_count();
        }
      }
      all.push_back(part);
    }
    const auto mean = [&](auto&& of) {
      return std::accumulate(all.begin(), all.end(), 0.0,
                             [&](double total, const Part& p) { return total + of(p); }) /
             count;
    };
    const auto most = [&](auto&& of) {
      double largest = 0.0;
      for (const Part& p : all) largest = std::max(largest, of(p));
      return largest;
    };
    const auto neighbours = [](const Part& p) { return p.neighbours; };
    const auto bytes = [](const Part& p) { return p.box_bytes + p.point_bytes; };
    std::size_t cut = 0;
    for (const auto& level : fmm::cut_boxes(partition)) cut += level.size();
    std::printf("%6d  %6.3f %6.3f  %6.1f %5.0f  %8.1f %8.1f (%.1f)  %zu  %.1f\n", count, by_points,
                imbalance(keys, work, partition), mean(neighbours), most(neighbours),
                1e-3 * mean(bytes), 1e-3 * most(bytes),
                1e-3 * mean([](const Part& p) { return p.point_bytes; }), cut, stopwatch.seconds());
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace rankine

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr, "arguments: see the first lines of the source\n");
    return 2;
  }
  rankine::print_parts(argc, argv);
}
