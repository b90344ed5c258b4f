#include "rankine/gpu/sums/device_tree.hpp"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>

#include <algorithm>
#include <limits>
#include <vector>

#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

/// The bounding box of points, which are at least one. `finite` is 0 if a point is not finite.
struct Extent {
  double lower[3], upper[3];
  int finite;
};

struct ExtentOfPoint {
  __device__ Extent operator()(const Vec3d& p) const {
    return {{p.x, p.y, p.z}, {p.x, p.y, p.z}, isfinite(p.x + p.y + p.z) ? 1 : 0};
  }
};

struct JoinedExtent {
  __device__ Extent operator()(const Extent& a, const Extent& b) const {
    Extent all;
    for (int axis = 0; axis < 3; ++axis) {
      all.lower[axis] = fmin(a.lower[axis], b.lower[axis]);
      all.upper[axis] = fmax(a.upper[axis], b.upper[axis]);
    }
    all.finite = a.finite & b.finite;
    return all;
  }
};

void reduce(std::span<const Vec3d> points, Extent* to, const Stream& stream) {
  constexpr double far = std::numeric_limits<double>::infinity();
  const Extent none{{far, far, far}, {-far, -far, -far}, 1};
  with_scratch("bounding box", stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::TransformReduce(
        scratch, bytes, points.data(), to, static_cast<std::int64_t>(points.size()), JoinedExtent{},
        ExtentOfPoint{}, none, stream.handle());
  });
}

__global__ void compare_kernel(const Vec3d* a, const Vec3d* b, std::int64_t n, int* differ) {
  const std::int64_t i = thread_index();
  if (i < n && (a[i].x != b[i].x || a[i].y != b[i].y || a[i].z != b[i].z)) *differ = 1;
}

bool same_points(std::span<const Vec3d> a, std::span<const Vec3d> b, const Stream& stream) {
  if (a.size() != b.size() || a.data() == b.data()) return a.size() == b.size();
  DeviceBuffer<int> differ(1, stream);
  differ.zero(stream);
  launch("comparing points", &compare_kernel, one_thread_each(a.size()), stream, a.data(), b.data(),
         static_cast<std::int64_t>(a.size()), differ.data());
  return differ.download(stream)[0] == 0;
}

__global__ void radius_kernel(const double* radii, std::int64_t n, int* wrong) {
  const std::int64_t i = thread_index();
  if (i < n && !(radii[i] > 0.0 && isfinite(radii[i]))) *wrong = 1;
}

/// Throws as fmm::check_core_radii does.
void check_radii(std::span<const double> radii, const Stream& stream) {
  DeviceBuffer<int> wrong(1, stream);
  wrong.zero(stream);
  launch("checking core radii", &radius_kernel, one_thread_each(radii.size()), stream, radii.data(),
         static_cast<std::int64_t>(radii.size()), wrong.data());
  if (wrong.download(stream)[0] != 0)
    fmm::check_core_radii(copied<double>(radii, stream).download(stream));
}

/// Throws as fmm::check_points does.
void report(std::span<const Vec3d> points, const char* what, const Stream& stream) {
  std::vector<Vec3d> host(points.size());
  download_bytes(host.data(), points.data(), points.size_bytes(), stream);
  stream.synchronize();
  fmm::check_points(host, what);
}

BoundingBox box_of(const Extent& extent) {
  BoundingBox box;
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] = extent.lower[axis];
    box.upper[axis] = extent.upper[axis];
  }
  return box;
}

// ---- Sorting the points -------------------------------------------------------------------------

__global__ void key_kernel(const Vec3d* points, std::int64_t n, Vec3d corner, double side,
                           std::uint64_t* keys, std::int32_t* order) {
  const std::int64_t i = thread_index();
  if (i >= n) return;
  keys[i] = fmm::morton_key(points[i], corner, side);
  order[i] = static_cast<std::int32_t>(i);
}

/// Sorts by the boxes of level `finest`; points in one box keep their order.
SortedPoints sort_points(std::span<const Vec3d> points, const fmm::Octree& tree,
                         const Stream& stream, int finest = fmm::max_level) {
  const std::size_t n = points.size();
  SortedPoints unsorted{DeviceBuffer<std::uint64_t>(n, stream),
                        DeviceBuffer<std::int32_t>(n, stream)};
  SortedPoints sorted{DeviceBuffer<std::uint64_t>(n, stream),
                      DeviceBuffer<std::int32_t>(n, stream)};
  launch("Morton keys", &key_kernel, one_thread_each(n), stream, points.data(),
         static_cast<std::int64_t>(n), tree.corner, tree.side, unsorted.keys.data(),
         unsorted.order.data());
  with_scratch("Morton sort", stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(
        scratch, bytes, unsorted.keys.data(), sorted.keys.data(), unsorted.order.data(),
        sorted.order.data(), n, 3 * (fmm::max_level - finest), 3 * fmm::max_level, stream.handle());
  });
  return sorted;
}

// ---- Dividing the boxes -------------------------------------------------------------------------

/// Eight threads per box: thread k finds where the points of octant k begin.
__global__ void divide_kernel(const fmm::Box* boxes, std::int32_t count, int leaf_capacity,
                              int deepest, const std::uint64_t* source_keys,
                              const std::uint64_t* target_keys, fmm::Division* divisions,
                              std::int32_t* children) {
  const std::int64_t i = thread_index() / 8;
  const auto octant = static_cast<unsigned>(thread_index() % 8);
  fmm::Box box;
  if (i < count) box = boxes[i];
  const bool divided = i < count && !fits(box, leaf_capacity) && box.level != deepest;
  std::int32_t source = 0, target = 0;
  if (divided) {
    source =
        fmm::octant_begin(source_keys, box.source_begin, box.source_end, box.level + 1, octant);
    target =
        fmm::octant_begin(target_keys, box.target_begin, box.target_end, box.level + 1, octant);
  }
  std::int32_t source_end = __shfl_down_sync(~0U, source, 1, 8),
               target_end = __shfl_down_sync(~0U, target, 1, 8);
  if (octant == 7) {
    source_end = divided ? box.source_end : 0;
    target_end = divided ? box.target_end : 0;
  }
  const unsigned exist = __ballot_sync(~0U, source < source_end || target < target_end);
  if (i > count) return;
  if (octant == 0) children[i] = __popc(exist >> (threadIdx.x % 32) & 0xffU);
  if (i == count) return;
  fmm::Division& division = divisions[i];
  division.source_cut[octant] = source;
  division.target_cut[octant] = target;
  if (octant < 7) return;
  division.source_cut[8] = source_end;
  division.target_cut[8] = target_end;
}

/// Indices start at the root: box first + i becomes a parent.
__global__ void adopt_kernel(fmm::Box* boxes, std::int32_t first, std::int32_t count,
                             const fmm::Division* divisions, const std::int32_t* child_offset) {
  const std::int64_t i = thread_index();
  if (i >= count) return;
  fmm::adopt(boxes, first + static_cast<std::int32_t>(i), first + count + child_offset[i],
             divisions[i]);
}

/// Enlarges the array to at least `size` boxes and keeps the first `used`.
void grow(DeviceBuffer<fmm::Box>& boxes, std::size_t used, std::size_t size, const Stream& stream) {
  if (size <= boxes.size()) return;
  DeviceBuffer<fmm::Box> larger(2 * size, stream);
  copy_bytes(larger.data(), boxes.data(), used * sizeof(fmm::Box), stream);
  boxes = std::move(larger);
}

}  // namespace

DevicePoints::DevicePoints(const fmm::Points& points, MemorySpace where, const Stream& stream)
    : points_(points) {
  // Throws for too many points, before their number is stored in 32 bits.
  for (const auto& [of, what] :
       {std::pair(points.sources, "sources"), std::pair(points.targets, "targets")}) {
    if (of.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      fmm::check_points(of, what);
  }
  if (where == MemorySpace::host) {
    const bool same = points.sources.is_same(points.targets);
    sources_ = {points.sources, stream};
    if (!same) targets_ = {points.targets, stream};
    normals_ = {points.normals, stream};
    core_radii_ = {points.core_radii, stream};
    points_ = {sources_.span(), same ? sources_.span() : targets_.span(), normals_.span(),
               core_radii_.span()};
  }
  if (where == MemorySpace::device && !points.core_radii.empty())
    check_radii(points.core_radii, stream);
  find_extent(stream);
  if (extent_.shared_points) points_.targets = points_.sources;
}

void DevicePoints::find_extent(const Stream& stream) {
  extent_.shared_points = same_points(points_.sources, points_.targets, stream);
  extent_.sources = static_cast<std::int32_t>(points_.sources.size());
  extent_.targets = static_cast<std::int32_t>(points_.targets.size());
  DeviceBuffer<Extent> found(2, stream);
  reduce(points_.sources, found.data(), stream);
  if (!extent_.shared_points) reduce(points_.targets, found.data() + 1, stream);
  std::vector<Extent> both = found.download(stream);
  if (extent_.shared_points) both[1] = both[0];
  if (both[0].finite == 0) report(points_.sources, "sources", stream);
  if (both[1].finite == 0) report(points_.targets, "targets", stream);
  extent_.box = box_of(both[0]);
  extent_.box.join(box_of(both[1]));
}

SortedSets sort_points(const DevicePoints& points, const fmm::Octree& root, const Stream& stream) {
  return {sort_points(points.points().sources, root, stream),
          root.shared_points ? SortedPoints{} : sort_points(points.points().targets, root, stream)};
}

DeviceTree divided(fmm::Octree root, const SortedSets& points, int leaf_capacity, double least_edge,
                   const Stream& stream) {
  DeviceTree tree;
  tree.root = std::move(root);
  const int deepest = fmm::deepest_level(tree.root.side, least_edge);
  const std::uint64_t* const source_keys = points.sources.keys.data();
  const std::uint64_t* const target_keys =
      tree.shared_points() ? source_keys : points.targets.keys.data();

  tree.boxes = DeviceBuffer<fmm::Box>(std::size_t{1} << 16, stream);
  upload_bytes(tree.boxes.data(), tree.root.boxes.data(), sizeof(fmm::Box), stream);
  std::int32_t begin = 0, end = 1;
  while (true) {
    const std::int32_t count = end - begin;
    DeviceBuffer<fmm::Division> divisions(static_cast<std::size_t>(count), stream);
    DeviceBuffer<std::int32_t> offsets(static_cast<std::size_t>(count) + 1, stream);
    launch("dividing boxes", &divide_kernel, one_thread_each(8 * offsets.size()), stream,
           tree.boxes.data() + begin, count, leaf_capacity, deepest, source_keys, target_keys,
           divisions.data(), offsets.data());
    sum_before(offsets, stream);
    const std::int32_t children = download_every(offsets, offsets.size() - 1, 1, stream)[0];
    if (children == 0) break;
    grow(tree.boxes, static_cast<std::size_t>(end), static_cast<std::size_t>(end + children),
         stream);
    launch("making boxes", &adopt_kernel, one_thread_each(static_cast<std::size_t>(count)), stream,
           tree.boxes.data(), begin, count, divisions.data(), offsets.data());
    begin = end;
    end += children;
    tree.root.level_begin.push_back(end);
  }
  tree.box_count = end;
  return tree;
}

DeviceTree build_device_tree(const DevicePoints& points, int leaf_capacity, double padding,
                             const Stream& stream, double least_edge) {
  fmm::Octree root = fmm::make_root(points.extent(), padding);
  SortedSets sorted = sort_points(points, root, stream);
  DeviceTree tree = divided(std::move(root), sorted, leaf_capacity, least_edge, stream);
  tree.source_order = std::move(sorted.sources.order);
  tree.target_order = std::move(sorted.targets.order);
  return tree;
}

DeviceTree sort_device_points(const DevicePoints& points, const Stream& stream) {
  // For few points the passes of the sort dominate the time, and coarse boxes are sufficient to
  // keep neighbours together.
  constexpr std::size_t few = 32768;
  const int finest = points.points().sources.size() <= few ? 8 : fmm::max_level;
  DeviceTree tree;
  tree.root = fmm::make_root(points.extent());
  tree.source_order = sort_points(points.points().sources, tree.root, stream, finest).order;
  if (!tree.shared_points())
    tree.target_order = sort_points(points.points().targets, tree.root, stream, finest).order;
  return tree;
}

}  // namespace rankine::gpu
