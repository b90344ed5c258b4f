// The sizes that decide what a solve needs, found from its panels without allocating anything of
// their number: nodes and near radii of a sample, near entries by counting, boxes of the octree by
// integral geometry.
#pragma once

#include <cstddef>

#include "cases/resources/memory_model.hpp"

namespace rankine::cases {

/// `probe_points` (0: none) are evaluated afterwards. With `copies` the surface is taken as that
/// many times as large, with panels as small as they are: a small mesh stands for a large one.
SolveSize measure(const bem::Panels& panels, const bem::FlowOptions& options, double probe_points,
                  double copies = 1.0);

/// A sphere in a stream with every default, of about so many panels.
SolveSize typical_size(double panels);

/// How many panels of a typical solve fit into so much memory of the host or the device.
double panels_that_fit(double bytes, bem::MemorySpace place);

/// A part of `panels`, evenly spread over their order, that stands for all of a surface `copies`
/// times as large: each panel carries the area of those it stands for.
bem::Panels sample(const bem::Panels& panels, std::size_t count, double copies = 1.0);

/// Boxes of an octree with a root of edge `side` and leaves of at most `capacity` points, over
/// `nodes` points on each panel of a surface; each of `panels` carries the area of `weight` of
/// them. A surface cuts 3/2 boxes of edge h per area h^2 on average (Crofton); those that hold more
/// points than a leaf may are divided.
double expected_boxes(const bem::Panels& panels, double weight, double nodes, double capacity,
                      double side);

}  // namespace rankine::cases
