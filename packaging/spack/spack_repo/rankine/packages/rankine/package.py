"""The program and the libraries for Spack:

    spack repo add packaging/spack/spack_repo/rankine
    spack install rankine
"""
import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Rankine(CMakePackage):
    """Potential flow past bodies by boundary elements and a fast multipole method."""

    # The clone that this recipe is part of.
    git = "file://" + str(pathlib.Path(__file__).resolve().parents[6])

    license("BSD-3-Clause AND GPL-2.0-or-later")

    version("main", branch="main")

    variant("cuda", default=False, description="Build the CUDA backend")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("eigen@3.4:")
    depends_on("gmsh+opencascade")
    depends_on("vtk")
    depends_on("tomlplusplus")
    depends_on("nlohmann-json")
    depends_on("cli11")
    depends_on("fmt")
    depends_on("cuda", when="+cuda")

    generator("ninja")

    def cmake_args(self):
        return [self.define_from_variant("RANKINE_CUDA", "cuda"),
                self.define("BUILD_TESTING", self.run_tests)]
