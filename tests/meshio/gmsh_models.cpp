#include "tests/meshio/gmsh_models.hpp"

#include <gmsh.h>

#include <string>

namespace rankine::meshes {
namespace {

template <class Work>
void with_gmsh(Work&& work) {
  gmsh::initialize(0, nullptr, false);
  gmsh::option::setNumber("General.Terminal", 0);
  work();
  gmsh::finalize();
}

void add_box(double unit) {
  gmsh::model::add("box");
  gmsh::model::occ::addBox(0, 0, 0, 1 * unit, 2 * unit, 3 * unit);
  gmsh::model::occ::synchronize();
}

}  // namespace

void write_cad_box(const std::filesystem::path& path) {
  with_gmsh([&] {
    add_box(100.0);
    gmsh::write(path.string());
  });
}

void write_meshed_box(const std::filesystem::path& path, int order) {
  with_gmsh([&] {
    add_box(1.0);
    gmsh::model::mesh::generate(2);
    gmsh::model::mesh::setOrder(order);
    gmsh::write(path.string());
  });
}

void write_drilled_plate(const std::filesystem::path& path) {
  with_gmsh([&] {
    gmsh::model::add("plate");
    gmsh::vectorpair plate;
    std::vector<gmsh::vectorpair> parents;
    const int box = gmsh::model::occ::addBox(-50, -50, 0, 100, 100, 10);
    const int hole = gmsh::model::occ::addCylinder(0, 0, -5, 0, 0, 20, 2);
    gmsh::model::occ::cut({{3, box}}, {{3, hole}}, plate, parents);
    gmsh::model::occ::synchronize();
    gmsh::write(path.string());
  });
}

void write_touching_boxes(const std::filesystem::path& path) {
  with_gmsh([&] {
    gmsh::model::add("boxes");
    gmsh::model::occ::addBox(0, 0, 0, 100, 100, 100);
    gmsh::model::occ::addBox(25, 25, 100, 50, 50, 50);
    gmsh::model::occ::synchronize();
    gmsh::write(path.string());
  });
}

void write_ball_in_a_tank(const std::filesystem::path& path) {
  with_gmsh([&] {
    constexpr double half = 4.0;
    gmsh::model::add("tank");
    gmsh::vectorpair fluid, outer;
    std::vector<gmsh::vectorpair> parents;
    const int box = gmsh::model::occ::addBox(-half, -half, -half, 2 * half, 2 * half, 2 * half);
    const int ball = gmsh::model::occ::addSphere(0, 0, 0, 1);
    gmsh::model::occ::cut({{3, box}}, {{3, ball}}, fluid, parents);
    gmsh::model::occ::synchronize();
    gmsh::model::getBoundary(fluid, outer, false, false);
    std::vector<int> hull, farfield;
    for (const auto& [dimension, tag] : outer) {
      std::string type;
      gmsh::model::getType(dimension, tag, type);
      (type == "Sphere" ? hull : farfield).push_back(tag);
    }
    const auto group = [](int dimension, const std::vector<int>& tags, const std::string& name) {
      gmsh::model::setPhysicalName(dimension, gmsh::model::addPhysicalGroup(dimension, tags), name);
    };
    group(2, farfield, "farfield");
    group(2, hull, "hull");
    group(3, {fluid.front().second}, "fluid");
    gmsh::option::setNumber("Mesh.CharacteristicLengthMax", 1.0);
    gmsh::option::setNumber("Mesh.CharacteristicLengthFromCurvature", 12);
    gmsh::model::mesh::generate(3);
    gmsh::write(path.string());
  });
}

}  // namespace rankine::meshes
