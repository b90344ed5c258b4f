// The other verbs: mesh, check, bench, info.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/mesh_texts.hpp"
#include "tests/support/meshes_together.hpp"
#include "tests/support/octahedron.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

using Json = nlohmann::json;

TEST(Mesh, WritesShapesThatCheckReadsBack) {
  const TemporaryFolder folder;
  const double pi = 3.14159265358979;
  struct Shape {
    std::vector<std::string> words;
    double volume, tolerance;  ///< exact volume; relative deficit of the inscribed panels
  };
  for (const auto& [words, volume, tolerance] :
       {Shape{{"sphere", "--panels", "1280", "--radius", "2"}, 4.0 / 3.0 * pi * 8.0, 0.02},
        Shape{{"ellipsoid", "--panels", "1280", "--semi-axes", "3", "2", "1"},
              4.0 / 3.0 * pi * 6.0,
              0.02},
        Shape{{"torus", "--panels", "2000", "--major-radius", "3", "--minor-radius", "0.5"},
              2.0 * pi * pi * 3.0 * 0.25,
              0.05},
        Shape{{"box", "--panels", "600", "--size", "1", "2", "3"}, 6.0, 1e-12}}) {
    const std::string file = (folder.path() / (words[0] + ".msh")).string();
    std::vector<std::string> arguments{"mesh"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    arguments.insert(arguments.end(), {"-o", file});
    const Outcome made = run_program(arguments);
    ASSERT_EQ(made.exit_code, 0) << made.err;
    const Outcome checked = run_program({"check", file, "--json", "-"});
    ASSERT_EQ(checked.exit_code, 0) << checked.err;
    const Json mesh = Json::parse(checked.out)["mesh"];
    EXPECT_TRUE(mesh["watertight"].get<bool>());
    EXPECT_GE(mesh["panels"].get<int>(), std::stoi(words[2]));
    EXPECT_NEAR(mesh["volume"].get<double>(), volume, tolerance * volume) << words[0];
    EXPECT_EQ(mesh["patches"].size(), 1u);
  }
}

TEST(Check, ReportsEveryDefectAndItsPlace) {
  const TemporaryFolder folder;
  std::vector<Triangle> open = octahedron_triangles;
  open.pop_back();
  const auto file = folder.write("open.msh", msh_text(octahedron_nodes, open));
  const Outcome outcome = run_program({"check", file.string()});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_TRUE(says(outcome.out, "watertight"));
  EXPECT_TRUE(says(outcome.out, "open edges"));
  EXPECT_TRUE(says(outcome.err, "the surface is open"));
}

/// Of a rotor with images check counts the panels that solve has.
TEST(Check, CountsThePartOfARotorThatIsSolved) {
  const Outcome text = run_program({"check", example("propeller/propeller.toml")});
  EXPECT_TRUE(says(text.out, "18 triangles, 1 574 quadrilaterals"));
  EXPECT_TRUE(says(text.out, "1 176 panels"));
  EXPECT_TRUE(says(text.out, "2; the following lines are of the whole"));
  const Outcome json = run_program({"check", example("propeller/propeller.toml"), "--json", "-"});
  const Json mesh = Json::parse(json.out)["mesh"];
  EXPECT_EQ(mesh["triangles"].get<int>() + mesh["quadrilaterals"].get<int>(), mesh["panels"]);
  EXPECT_EQ(mesh["panels"], 1592);
}

TEST(Check, RefusesOverlappingBodiesAndShowsThem) {
  const TemporaryFolder folder;
  const auto mesh = folder.write(
      "two.off",
      off_text(joined(meshes::make_sphere(80), meshes::make_sphere(80, 1.0, {1.1, 0.2}))));
  const std::string found = (folder.path() / "found").string();
  const Outcome text = run_program({"check", mesh.string(), "--output", found});
  EXPECT_EQ(text.exit_code, 3);
  EXPECT_TRUE(says(text.out, "refused   overlapping bodies"));
  EXPECT_TRUE(says(text.out, "unite the bodies before meshing"));
  EXPECT_TRUE(says(text.err, "overlapping bodies: "));
  const std::string shown = read_text(std::filesystem::path(found) / "check.vtp");
  EXPECT_TRUE(says(shown, "Name=\"finding\""));

  const Outcome json = run_program({"check", mesh.string(), "--json", "-"});
  EXPECT_EQ(json.exit_code, 3);
  const Json flaw = Json::parse(json.out)["flaws"][0];
  EXPECT_EQ(flaw["severity"], "refused");
  EXPECT_EQ(flaw["finding"], "overlapping bodies");
  EXPECT_EQ(flaw["first"].size(), flaw["with"].size());
  EXPECT_GE(flaw["panels"].get<std::size_t>(), flaw["first"].size());
  EXPECT_FALSE(flaw["advice"].get<std::string>().empty());

  const auto case_file = folder.write("two.toml",
                                      "version = 1\n[mesh]\nfile = \"two.off\"\n[problem]\nkind = "
                                      "\"flow\"\nvelocity = [1.0, 0.0, 0.0]\n");
  const Outcome solved = run_program({"solve", case_file.string()});
  EXPECT_TRUE(ended(solved, 3, "overlapping bodies: "));
}

TEST(Check, WhatIsInaccurateIsAWarningInTheSummary) {
  const TemporaryFolder folder;
  const auto box = [](const Vec3d& centre) {
    return meshes::make_box(192, {1.0, 1.0, 1.0}, centre, meshes::PanelKind::triangles);
  };
  const auto mesh = folder.write("two.off", off_text(joined(box({}), box({1.02, 0.0, 0.0}))));
  const auto case_file = folder.write("two.toml",
                                      "version = 1\n[mesh]\nfile = \"two.off\"\n[problem]\nkind = "
                                      "\"flow\"\nvelocity = [0.0, 0.0, 1.0]\n");
  const Outcome checked = run_program({"check", mesh.string(), "--json", "-"});
  ASSERT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_EQ(Json::parse(checked.out)["flaws"][0]["finding"], "narrow gap");
  const Outcome solved = run_program({"solve", case_file.string(), "--json", "-", "--output",
                                      (folder.path() / "results").string()});
  ASSERT_EQ(solved.exit_code, 0) << solved.err;
  const std::string warnings = Json::parse(solved.out)["warnings"].dump();
  EXPECT_TRUE(says(warnings, "narrow gap: "));
  const Outcome quiet = run_program(
      {"check", example("sphere/sphere.toml"), "--output", (folder.path() / "nothing").string()});
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "nothing"));
}

TEST(Check, EstimatesMemoryAndTime) {
  const Outcome outcome = run_program({"check", example("sphere/sphere.toml"), "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json estimate = Json::parse(outcome.out)["estimate"];
  for (const std::string key : {"bytes", "available_bytes", "host_bytes", "available_host_bytes",
                                "seconds", "matvec", "near_entries"}) {
    EXPECT_GT(estimate[key].get<double>(), 0.0) << key;
  }
}

// The keys are a contract with scripts that read them.
TEST(Bench, JsonHasEveryKey) {
  const Outcome outcome =
      run_program({"bench", "--n", "3e3", "--points", "clusters", "--tolerance", "1e-4",
                   "--gradient", "--dipoles", "--rhs", "2", "--other-targets", "--breakdown",
                   "--repeat", "2", "--backend", "cpu", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json j = Json::parse(outcome.out);
  for (const std::string key :
       {"method",  "kernel",  "points",    "n",       "targets",           "precision",
        "backend", "threads", "tolerance", "order",   "leaf_capacity",     "depth",
        "seconds", "repeat",  "error",     "samples", "points_per_second", "near_pairs",
        "m2l",     "bytes",   "breakdown"}) {
    EXPECT_TRUE(j.contains(key)) << key;
  }
  for (const std::string key : {"setup", "apply", "apply_min"})
    EXPECT_GT(j["seconds"][key].get<double>(), 0.0) << key;
  EXPECT_EQ(j["n"], 3000);
  EXPECT_EQ(j["targets"], 3000);
  EXPECT_GE(j["samples"].get<int>(), 1000);
  EXPECT_LE(j["error"]["potential"].get<double>(), 1e-4);
  EXPECT_LE(j["error"]["gradient"].get<double>(), 1e-4);
  EXPECT_TRUE(j["bytes"].contains("host") && j["bytes"].contains("device"));
}

TEST(Bench, DirectSumsAreExactAndGradientIsNullUnlessAsked) {
  const Outcome outcome = run_program(
      {"bench", "--method", "direct", "--n", "2000", "--backend", "cpu", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json j = Json::parse(outcome.out);
  EXPECT_LE(j["error"]["potential"].get<double>(), 1e-13);
  EXPECT_TRUE(j["error"]["gradient"].is_null());
}

TEST(Bench, TableIsForReading) {
  const Outcome outcome = run_program({"bench", "--n", "1000", "--backend", "cpu"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.out, "points/s"));
}

/// The JSON object of a bench of 6000 points, which is more than are summed directly.
Json bench(const std::vector<std::string>& words) {
  std::vector<std::string> all{"bench",    "--n",        "6e3",       "--tolerance",
                               "1e-4",     "--gradient", "--backend", "cpu",
                               "--repeat", "2",          "--json",    "-"};
  all.insert(all.end(), words.begin(), words.end());
  const Outcome outcome = run_program(all);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return outcome.exit_code == 0 ? Json::parse(outcome.out) : Json();
}

// Points move by up to a hundredth of their extent at each of three steps, a fifth of their
// distance: sums of the points before the last one would be wrong by far more than the tolerance.
TEST(Bench, KeepsTheToleranceWherePointsHaveMoved) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--kernel", "laplace", "--dipoles", "--other-targets"},
        {"--kernel", "laplace", "--rhs", "2", "--precision", "float"},
        {"--kernel", "gravity", "--points", "plummer"},
        {"--kernel", "gravity", "--method", "direct", "--softening", "0.01"}}) {
    std::vector<std::string> moving = words;
    moving.emplace_back("--moving");
    const Json j = bench(moving);
    ASSERT_TRUE(j.is_object());
    EXPECT_EQ(j["kernel"], words[1]);
    EXPECT_TRUE(j["moving"]);
    EXPECT_LE(j["error"]["potential"].get<double>(), 1e-4) << j;
    EXPECT_LE(j["error"]["gradient"].get<double>(), 1e-4) << j;
    EXPECT_GT(j["seconds"]["move"].get<double>(), 0.0);
    EXPECT_GT(j["seconds"]["step"].get<double>(), j["seconds"]["move"].get<double>());
    EXPECT_LE(j["seconds"]["step_min"].get<double>(), j["seconds"]["step"].get<double>());
  }
}

TEST(Bench, KeepsTheToleranceForVorticesThatHaveMoved) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--core", "gaussian", "--sigma", "0.02", "--rhs", "2"},
        {"--precision", "float"}}) {
    std::vector<std::string> moving = words;
    moving.insert(moving.end(), {"--kernel", "vortex", "--moving"});
    const Json j = bench(moving);
    ASSERT_TRUE(j.is_object());
    EXPECT_EQ(j["method"], "fmm");
    EXPECT_TRUE(j["error"]["potential"].is_null());
    EXPECT_LE(j["error"]["velocity"].get<double>(), 1e-4) << j;
    EXPECT_LE(j["error"]["velocity_gradient"].get<double>(), 1e-4) << j;
    const bool given = words[0] == "--core";
    EXPECT_NEAR(j["sigma"].get<double>(), given ? 0.02 : 1.0 / std::cbrt(6000.0), 1e-3);
  }
}

TEST(Bench, MeasuresPointsAtRestWithoutSteps) {
  const Json j = bench({"--kernel", "gravity", "--softening", "0.001"});
  ASSERT_TRUE(j.is_object());
  EXPECT_EQ(j["softening"], 0.001);
  EXPECT_FALSE(j["moving"]);
  EXPECT_FALSE(j["seconds"].contains("step"));
}

TEST(Bench, RefusesOptionsOfAnotherKernel) {
  for (const auto& [kernel, option, value] :
       std::vector<std::array<std::string, 3>>{{"laplace", "--softening", "0.1"},
                                               {"vortex", "--softening", "0.1"},
                                               {"gravity", "--sigma", "0.1"},
                                               {"laplace", "--core", "gaussian"}}) {
    const Outcome outcome = run_program({"bench", "--kernel", kernel, option, value});
    EXPECT_TRUE(ended(outcome, 2, option + " has no meaning for the kernel \"" + kernel + "\""));
  }
  const Outcome dipoles = run_program({"bench", "--kernel", "vortex", "--dipoles"});
  EXPECT_TRUE(ended(dipoles, 2, "--dipoles has no meaning"));
}

TEST(Info, NamesVersionLibrariesAndProcessor) {
  const Outcome outcome = run_program({"info", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json j = Json::parse(outcome.out);
  for (const std::string key : {"version", "git", "build", "libraries", "processor", "threads",
                                "memory_available_bytes", "panels_that_fit", "devices"}) {
    EXPECT_TRUE(j.contains(key)) << key;
  }
}

/// While it lives, RANKINE_PYTHON is this program.
class WithPython {
 public:
  explicit WithPython(const std::string& program) {
    ::setenv("RANKINE_PYTHON", program.c_str(), 1);
  }
  ~WithPython() { ::unsetenv("RANKINE_PYTHON"); }
  WithPython(const WithPython&) = delete;
  WithPython& operator=(const WithPython&) = delete;
};

TEST(Report, IsWrittenByThePythonPackage) {
  const TemporaryFolder folder;
  const std::filesystem::path python = folder.write("python", "#!/bin/sh\nshift 2\necho \"$@\"\n");
  std::filesystem::permissions(python, std::filesystem::perms::owner_all);
  const WithPython with(python.string());
  EXPECT_EQ(run_program({"report", "there"}).out, "report there\n");
  EXPECT_EQ(run_program({"report", "there", "-o", "page.html"}).out,
            "report there --output page.html\n");
  EXPECT_EQ(run_program({"view", "there", "-o", "a.png", "--azimuth", "-30", "--window"}).out,
            "there --output=a.png --azimuth=-30 --window\n");
}

TEST(Report, SaysWhatIsMissing) {
  {
    const WithPython with("/usr/bin/no-such-python");
    EXPECT_TRUE(ended(run_program({"report", "there"}), 6, "/usr/bin/no-such-python"));
    EXPECT_TRUE(ended(run_program({"view", "there"}), 6, "/usr/bin/no-such-python"));
  }
  // A Python that finds no installed package.
  const TemporaryFolder folder;
  const std::filesystem::path python =
      folder.write("python", "#!/bin/sh\nexec /usr/bin/python3 -S -I \"$@\"\n");
  std::filesystem::permissions(python, std::filesystem::perms::owner_all);
  const WithPython with(python.string());
  EXPECT_TRUE(ended(run_program({"report", "there"}), 6, "rankine-bem"));
  EXPECT_TRUE(ended(run_program({"view", "there"}), 6, "needs VTK's Python"));
}

}  // namespace
}  // namespace rankine::cases
