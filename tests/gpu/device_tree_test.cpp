// The plan built on the device against the host's: the same boxes, orders and lists, item by item.
#include "rankine/gpu/sums/device_tree.hpp"

#include <cstring>

#include "rankine/fmm/distributions.hpp"
#include "tests/support/device_test.hpp"

namespace rankine::gpu {
namespace {

using testing::DeviceTest;

class DeviceTree : public DeviceTest {};

void expect_same(const fmm::BoxLists& device, const fmm::BoxLists& host, const std::string& what) {
  EXPECT_EQ(device.begin, host.begin) << what;
  EXPECT_EQ(device.items, host.items) << what;
}

void expect_same_plan(const fmm::Points& points, int leaf_capacity, const std::string& name) {
  fmm::Options options;
  options.leaf_capacity = leaf_capacity;
  options.tolerance = 1e-3;
  const Stream stream;
  const auto builder = make_device_tree_builder(stream);
  const fmm::Plan device = fmm::make_plan(points, options, *builder),
                  host = fmm::make_plan(points, options);
  EXPECT_EQ(device.tree.level_begin, host.tree.level_begin) << name;
  EXPECT_EQ(device.tree.source_order, host.tree.source_order) << name;
  EXPECT_EQ(device.tree.target_order, host.tree.target_order) << name;
  ASSERT_EQ(device.tree.boxes.size(), host.tree.boxes.size()) << name;
  static_assert(std::has_unique_object_representations_v<fmm::Box>);
  EXPECT_EQ(std::memcmp(device.tree.boxes.data(), host.tree.boxes.data(),
                        host.tree.boxes.size() * sizeof(fmm::Box)),
            0)
      << name;
  EXPECT_EQ(device.leaves, host.leaves) << name;
  expect_same(device.lists.near, host.lists.near, name + ", near");
  expect_same(device.lists.far, host.lists.far, name + ", far");
  expect_same(device.lists.multipole, host.lists.multipole, name + ", multipole");
  expect_same(device.lists.local, host.lists.local, name + ", local");
}

TEST_F(DeviceTree, EqualsTheHostsWithRoomInTheRoot) {
  const Stream stream;
  const auto builder = make_device_tree_builder(stream);
  for (const std::string_view name : fmm::distribution_names()) {
    const auto points = fmm::make_points(name, 5000, 1), others = fmm::make_points(name, 3000, 2);
    for (const double room : fmm::root_rooms()) {
      const fmm::Octree device = builder->octree(points, others, 20, room),
                        host = fmm::build_octree(points, others, 20, room);
      EXPECT_EQ(device.side, host.side);
      EXPECT_EQ(device.source_order, host.source_order) << name << ", room " << room;
      EXPECT_EQ(device.target_order, host.target_order) << name << ", room " << room;
      ASSERT_EQ(device.boxes.size(), host.boxes.size()) << name << ", room " << room;
      EXPECT_EQ(
          std::memcmp(device.boxes.data(), host.boxes.data(), host.boxes.size() * sizeof(fmm::Box)),
          0)
          << name << ", room " << room;
    }
  }
}

TEST_F(DeviceTree, EqualsTheHostsOnEveryDistribution) {
  for (const std::string_view name : fmm::distribution_names()) {
    const auto points = fmm::make_points(name, 5000, 1), others = fmm::make_points(name, 3000, 2);
    for (const int leaf_capacity : {3, 40}) {
      expect_same_plan({points, points}, leaf_capacity, std::string(name));
      expect_same_plan({points, others}, leaf_capacity, std::string(name) + ", other targets");
    }
  }
}

TEST_F(DeviceTree, TakesFewAndNoPoints) {
  const std::vector<Vec3d> none, one = {{1.0, -2.0, 3.0}}, two = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
  expect_same_plan({none, none}, 1, "nothing");
  expect_same_plan({one, none}, 1, "one source");
  expect_same_plan({none, one}, 1, "one target");
  expect_same_plan({two, two}, 1, "two points");
}

}  // namespace
}  // namespace rankine::gpu
