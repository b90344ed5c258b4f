// Files that Gmsh itself writes, to be read back.
#pragma once

#include <filesystem>

namespace rankine::meshes {

/// A box of 100 x 200 x 300 file units with a corner at the origin, as CAD by extension.
void write_cad_box(const std::filesystem::path& path);

/// The surface mesh of a box of 1 x 2 x 3, of first or second order, by extension.
void write_meshed_box(const std::filesystem::path& path, int order);

/// A plate of 100 x 100 x 10 file units with a hole of radius 2 through its middle, along z from
/// the origin.
void write_drilled_plate(const std::filesystem::path& path);

/// Two boxes of 100 x 100 x 100 and 50 x 50 x 50 file units, one standing on the other.
void write_touching_boxes(const std::filesystem::path& path);

/// The fluid between a ball of radius 1 at the origin and a box of 8 x 8 x 8 around it, meshed with
/// tetrahedra for a flow solver: physical surfaces "hull" and "farfield", the volume "fluid".
void write_ball_in_a_tank(const std::filesystem::path& path);

}  // namespace rankine::meshes
