// Tree and lists built on the device against those built on the host: the same boxes, orders and
// lists, item by item.
#include "rankine/gpu/sums/device_tree_builder.hpp"

#include <cstring>
#include <numeric>

#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/morton_points.hpp"
#include "rankine/gpu/sums/device_lists.hpp"
#include "tests/support/device_test.hpp"

namespace rankine::gpu {
namespace {

using testing::DeviceTest;

class DeviceTreeTest : public DeviceTest {};

void expect_same(const fmm::Octree& device, const fmm::Octree& host, const std::string& what) {
  EXPECT_EQ(device.side, host.side) << what;
  EXPECT_EQ(device.level_begin, host.level_begin) << what;
  ASSERT_EQ(device.boxes.size(), host.boxes.size()) << what;
  static_assert(std::has_unique_object_representations_v<fmm::Box>);
  EXPECT_EQ(
      std::memcmp(device.boxes.data(), host.boxes.data(), host.boxes.size() * sizeof(fmm::Box)), 0)
      << what;
}

/// The orders stay on the device; the points sorted by them are the same as on the host.
void expect_same_points(fmm::TreeBuilder& device, const fmm::Octree& of_device,
                        const fmm::Octree& host, const fmm::Points& points,
                        const std::string& what) {
  const fmm::MortonPoints found = device.ordered(of_device, points),
                          expected = fmm::morton_points(host, points);
  const auto expect_same_set = [&](const fmm::OrderedPoints& set,
                                   const fmm::OrderedPoints& of_host) {
    std::vector<std::int32_t> numbers(of_host.at.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    const AlignedVector<Vec3d> read = set.on_host() ? AlignedVector<Vec3d>{} : set.read(numbers);
    for (const std::int32_t i : numbers)
      ASSERT_EQ(set.on_host() ? set[i] : read[static_cast<std::size_t>(i)], of_host[i]) << what;
  };
  expect_same_set(found.sources, expected.sources);
  expect_same_set(found.targets, expected.targets);
  EXPECT_EQ(found.core_radii, expected.core_radii) << what;
}

void expect_same_counts(const fmm::LeafCounts& device, const fmm::LeafCounts& host, int least,
                        const std::string& what) {
  EXPECT_EQ(device.branching().divided, host.branching().divided) << what;
  EXPECT_EQ(device.branching().children, host.branching().children) << what;
  for (const int capacity : fmm::leaf_capacities(least)) {
    const fmm::TreeCounts found = device.at(capacity), expected = host.at(capacity);
    EXPECT_EQ(found.boxes, expected.boxes) << what;
    EXPECT_EQ(found.leaves, expected.leaves) << what;
    EXPECT_EQ(found.own_pairs, expected.own_pairs) << what;
    EXPECT_EQ(found.sibling_pairs, expected.sibling_pairs) << what;
  }
}

void expect_same(const DeviceRows& device, const fmm::BoxLists& host, const Stream& stream,
                 const std::string& what) {
  ASSERT_EQ(device.size, static_cast<std::int64_t>(host.items.size())) << what;
  if (device.size == 0) return;
  EXPECT_EQ(device.begin.download(stream), host.begin) << what;
  const std::vector<std::int32_t> items = device.items.download(stream);
  EXPECT_TRUE(std::equal(host.items.begin(), host.items.end(), items.begin())) << what;
  const int coarsest = device.coarsest();
  EXPECT_EQ(device.level_begin[static_cast<std::size_t>(coarsest)], 0) << what;
  EXPECT_GT(device.level_begin[static_cast<std::size_t>(coarsest) + 1], 0) << what;
}

void expect_same_plan(const fmm::Points& points, int leaf_capacity, const std::string& name) {
  const Stream stream;
  const DevicePoints given(points, MemorySpace::host, stream);
  const auto builder = make_device_tree_builder(given, stream);
  const fmm::Octree host = fmm::build_octree(points.sources, points.targets, leaf_capacity);
  const fmm::Octree fine = builder->octree({}, leaf_capacity, 0.0, 0.0);
  expect_same_counts(builder->counts(fine, leaf_capacity), fmm::leaf_counts(host, leaf_capacity),
                     leaf_capacity, name);
  expect_same(builder->coarse(fine, 4 * leaf_capacity), fmm::coarsened(host, 4 * leaf_capacity),
              name + ", larger leaves");
  const fmm::Octree octree = builder->coarse(fine, leaf_capacity);
  expect_same(octree, host, name);
  expect_same_points(*builder, octree, host, points, name);
  const DeviceTree tree = builder->take();
  for (const fmm::ListRules& rules :
       {fmm::ListRules{0, 0}, fmm::ListRules{25, 25}, fmm::list_rules(fmm::Method::treecode, 25)}) {
    const std::string what = name + ", directly up to " + std::to_string(rules.few_sources) + ", " +
                             std::to_string(rules.few_targets);
    const DeviceLists lists = build_device_lists(tree, rules, stream);
    const fmm::InteractionLists expected = fmm::build_interaction_lists(host, rules);
    expect_same(lists.near, expected.near, stream, what + ", near");
    expect_same(lists.far, expected.far, stream, what + ", far");
    expect_same(lists.multipole, expected.multipole, stream, what + ", multipole");
    expect_same(lists.local, expected.local, stream, what + ", local");
  }
}

TEST_F(DeviceTreeTest, EqualsTheHostsWithRoomInTheRoot) {
  const Stream stream;
  for (const std::string_view name : fmm::distribution_names()) {
    const auto points = fmm::make_points(name, 5000, 1), others = fmm::make_points(name, 3000, 2);
    const DevicePoints given({points, others}, MemorySpace::host, stream);
    const auto builder = make_device_tree_builder(given, stream);
    std::vector<double> radii;
    for (std::size_t i = 0; i < points.size(); ++i) radii.push_back(1.0 + static_cast<double>(i));
    std::vector<fmm::Octree> trees;
    for (const double padding : fmm::root_paddings()) {
      trees.push_back(builder->coarse(builder->octree({points, others}, 20, padding, 0.0), 20));
      expect_same(trees.back(), fmm::build_octree(points, others, 20, padding),
                  std::string(name) + ", room " + std::to_string(padding));
    }
    // Each tree of a builder has its own order.
    for (std::size_t k = 0; k < trees.size(); k += 5) {
      const double padding = fmm::root_paddings()[k];
      expect_same_points(*builder, trees[k], fmm::build_octree(points, others, 20, padding),
                         {.sources = points, .targets = others, .core_radii = radii},
                         std::string(name) + ", room " + std::to_string(padding));
    }
  }
}

TEST_F(DeviceTreeTest, EqualsTheHostsOnEveryDistribution) {
  for (const std::string_view name : fmm::distribution_names()) {
    const auto points = fmm::make_points(name, 5000, 1), others = fmm::make_points(name, 3000, 2);
    for (const int leaf_capacity : {3, 40}) {
      expect_same_plan({points, points}, leaf_capacity, std::string(name));
      expect_same_plan({points, others}, leaf_capacity, std::string(name) + ", other targets");
    }
  }
}

TEST_F(DeviceTreeTest, TakesFewAndNoPoints) {
  const std::vector<Vec3d> none, one = {{1.0, -2.0, 3.0}}, two = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
  expect_same_plan({none, none}, 1, "nothing");
  expect_same_plan({one, none}, 1, "one source");
  expect_same_plan({none, one}, 1, "one target");
  expect_same_plan({two, two}, 1, "two points");
}

TEST_F(DeviceTreeTest, SeesEqualPointsInOtherArrays) {
  const auto points = fmm::make_points("cube", 1000, 1), same = points;
  auto other = points;
  other[999].z += 0.5;
  const Stream stream;
  EXPECT_TRUE(DevicePoints({points, same}, MemorySpace::host, stream).extent().shared_points);
  EXPECT_FALSE(DevicePoints({points, other}, MemorySpace::host, stream).extent().shared_points);
}

TEST_F(DeviceTreeTest, RefusesPointsThatAreNotFinite) {
  auto points = fmm::make_points("cube", 1000, 1);
  points[321].y = std::numeric_limits<double>::quiet_NaN();
  const Stream stream;
  for (const fmm::Points& given :
       {fmm::Points{points, points}, fmm::Points{std::span(points).first(300), points}}) {
    try {
      DevicePoints(given, MemorySpace::host, stream);
      FAIL() << "no error";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("number 321"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace rankine::gpu
