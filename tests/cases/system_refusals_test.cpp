// Names, folders and limits that the operating system refuses, and bytes of files that are no text:
// a message that says so, never an internal error.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/octahedron.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

namespace fs = std::filesystem;

constexpr auto sphere_of_80 = "version = 1\n[mesh]\nshape = \"sphere\"\npanels = 80\n";
const std::string long_name(300, 'a');

/// Printable ASCII or UTF-8, and no line longer than 2 kB.
void expect_printable(const std::string& text) {
  std::size_t line = 0;
  for (const char c : text) {
    EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= ' ') << int{c};
    line = c == '\n' ? 0 : line + 1;
    ASSERT_LT(line, 2048U);
  }
  EXPECT_NO_THROW(static_cast<void>(nlohmann::json(text).dump())) << "not UTF-8";
}

void expect_refusal(const Outcome& outcome, int exit_code, const std::string& message) {
  EXPECT_TRUE(ended(outcome, exit_code, message));
  EXPECT_FALSE(says(outcome.err, "internal error"));
  expect_printable(outcome.err);
}

TEST(SystemRefusals, NamesOfThreeHundredLetters) {
  const TemporaryFolder folder;
  const std::string in_folder = (folder.path() / long_name).string();
  expect_refusal(run_program({"solve", in_folder + ".toml"}), 2, "File name too long");
  expect_refusal(run_program({"check", in_folder + ".msh"}), 3, "no mesh file");
  const std::string file = folder.write("case.toml", sphere_of_80).string();
  expect_refusal(run_program({"solve", file, "--output", in_folder}), 2, "File name too long");
  const auto with_file = [&](const std::string& text) {
    return folder.write("with_file.toml", sphere_of_80 + text + "file = \"" + long_name + ".csv\"")
        .string();
  };
  expect_refusal(
      run_program(
          {"solve", with_file("[[boundary]]\npatch = \"*\"\ntype = \"normal-velocity\"\n")}),
      2, "File name too long");
  expect_refusal(
      run_program({"solve", with_file("[[output.probe]]\nname = \"p\"\nkind = \"points\"\n")}), 2,
      "File name too long");
}

TEST(SystemRefusals, FolderThatMayNotBeEntered) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "locked");
  folder.write("locked/values.csv", "value\n1\n");
  const std::string file =
      folder
          .write("case.toml", std::string(sphere_of_80) +
                                  "[[boundary]]\npatch = \"*\"\ntype = \"normal-velocity\"\n"
                                  "file = \"locked/values.csv\"\n")
          .string();
  const std::string output = (folder.path() / "results").string();
  fs::create_directory(output);
  fs::permissions(folder.path(), fs::perms::owner_all | fs::perms::others_all);
  fs::permissions(output, fs::perms::all);
  fs::permissions(folder.path() / "locked", fs::perms::owner_read | fs::perms::others_read);
  const Outcome outcome = run_program({"solve", file, "--output", output}, {.ordinary_user = true});
  fs::permissions(folder.path() / "locked", fs::perms::owner_all);
  if (outcome.exit_code >= 126) GTEST_SKIP() << "an ordinary user cannot start the program";
  expect_refusal(outcome, 2, "locked/values.csv: Permission denied");
}

TEST(SystemRefusals, WorkingDirectoryThatIsGone) {
  const TemporaryFolder folder;
  const std::string file = folder.write("case.toml", sphere_of_80).string();
  const fs::path before = fs::current_path(), gone = folder.path() / "gone";
  fs::create_directory(gone);
  fs::current_path(gone);
  fs::remove(gone);
  const std::vector<Outcome> refused{run_program({"check", "body.msh"}),
                                     run_program({"solve", "../case.toml"}),
                                     run_program({"mesh", "sphere", "-o", "sphere.msh"})};
  const Outcome solved = run_program({"solve", file});
  fs::current_path(before);
  for (const Outcome& each : refused)
    expect_refusal(each, 2, "the working directory cannot be used");
  EXPECT_EQ(solved.exit_code, 0) << solved.err;
}

TEST(SystemRefusals, LowLimitsOfFilesAndProcesses) {
  const TemporaryFolder folder;
  const std::string file = octahedron_case(folder).string();
  for (const rlim_t files : {rlim_t{8}, rlim_t{16}})
    expect_refusal(run_program({"solve", file}, {.open_files = files}), 6, "raise the limit");
  if (run_program({"--version"}, {.ordinary_user = true}).exit_code >= 126)
    GTEST_SKIP() << "an ordinary user cannot start the program";
  fs::permissions(folder.path(), fs::perms::all);
  expect_refusal(run_program({"solve", file}, {.processes = 1, .ordinary_user = true}), 6,
                 "raise the limits of this account");
}

TEST(BytesOfFiles, NamesOfPatchesInLatin1ArePrintedAsUtf8) {
  const TemporaryFolder folder;
  const std::string text = read_text(octahedron_case(folder).parent_path() / "body.msh");
  const auto mesh = folder.write(
      "latin1.msh", testing::replaced(text, "$Nodes",
                                      "$PhysicalNames\n1\n2 1 \"Fl\xfcgel\"\n$EndPhysicalNames\n"
                                      "$Nodes"));
  const Outcome table = run_program({"check", mesh.string()});
  EXPECT_TRUE(says(table.out, "patch Fl\u00fcgel"));
  const Outcome outcome = run_program({"check", mesh.string(), "--json", "-"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(says(nlohmann::json::parse(outcome.out).dump(), "Fl\u00fcgel"));
}

TEST(BytesOfFiles, NamesOfFilesNeedNotBeUtf8) {
  const TemporaryFolder folder;
  const std::string name = "caf\xe9";
  fs::rename(octahedron_case(folder).parent_path() / "body.msh", folder.path() / (name + ".msh"));
  const std::string mesh = (folder.path() / (name + ".msh")).string(),
                    file = folder.write(name + ".toml", sphere_of_80).string();
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"check", mesh},
        {"check", file},
        {"solve", file},
        {"solve", file, "--output", (folder.path() / name).string()}}) {
    const Outcome outcome = run_program(testing::with(arguments, {"--json", "-"}));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(nlohmann::json::accept(outcome.out)) << outcome.out;
    expect_printable(outcome.err);
  }
  const std::string resolved = read_text(folder.path() / name / "case.resolved.toml");
  expect_printable(resolved);
  EXPECT_EQ(run_program({"check", folder.write("resolved.toml", resolved).string()}).exit_code, 0);
}

/// Lines of a million metres end after a number of steps, and a warning says so before them.
TEST(Streamlines, OfAnyLengthEnd) {
  const TemporaryFolder folder;
  octahedron_case(folder);
  const std::string file =
      folder
          .write("long.toml",
                 "version = 1\n[mesh]\nfile = \"body.msh\"\n[[output.streamlines]]\n"
                 "name = \"far\"\nkind = \"points\"\npoints = [[-3, 0, 1]]\nlength = 1e6\n")
          .string();
  const Outcome outcome = run_program({"solve", file});
  EXPECT_TRUE(
      ended(outcome, 0, "streamlines \"far\": a length of 1000000 m takes more than 2000 steps"));
}

struct BadBytes {
  std::string name, file, text;
};
void PrintTo(const BadBytes& bad, std::ostream* out) { *out << bad.name; }

class BytesInMessages : public ::testing::TestWithParam<BadBytes> {};

TEST_P(BytesInMessages, AreEscapedAndFew) {
  const TemporaryFolder folder;
  std::string garbage;
  for (int k = 0; k < 10000; ++k) garbage += "\x1b[2J\xff\x9b";
  std::string text = GetParam().text;
  for (std::size_t at = 0; (at = text.find("GARBAGE")) != std::string::npos;)
    text.replace(at, 7, GetParam().file == "case.toml" ? std::string(70000, 'x') : garbage);
  folder.write("case.toml",
               "version = 1\n[mesh]\nshape = \"sphere\"\npanels = 80\n[[boundary]]\npatch = \"*\"\n"
               "type = \"normal-velocity\"\nfile = \"values.csv\"\n");
  folder.write("particles.toml",
               "version = 1\n[problem]\nkind = \"gravity\"\n[particles]\ngenerator = \"file\"\n"
               "file = \"bodies.csv\"\n[time]\nstep = 0.1\nsteps = 1\n");
  const fs::path written = folder.write(GetParam().file, text);
  const std::string file = written.extension() == ".csv"
                               ? GetParam().file == "bodies.csv" ? "particles.toml" : "case.toml"
                               : GetParam().file;
  for (const std::string verb : {"solve", "check"}) {
    if (verb == "solve" && written.extension() == ".msh") continue;
    const Outcome outcome = run_program({verb, (folder.path() / file).string()});
    EXPECT_TRUE(outcome.exit_code == 2 || outcome.exit_code == 3) << outcome.exit_code;
    EXPECT_TRUE(says(outcome.err, "error: "));
    expect_printable(outcome.err);
    expect_printable(outcome.out);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BytesInMessages,
    ::testing::Values(
        BadBytes{"Values", "values.csv", "1\n2\nGARBAGE\n"},
        BadBytes{"HeaderOfValues", "values.csv", "GARBAGE,b\n1,2\n"},
        BadBytes{"Bodies", "bodies.csv", "x y z mass\n0 0 0 GARBAGE\n"},
        BadBytes{"HeaderOfBodies", "bodies.csv", "GARBAGE\n0 0 0 1\n"},
        BadBytes{"WordOfACase", "case.toml", "version = 1\n[mesh]\nshape = \"GARBAGE\"\n"},
        BadBytes{"KeyOfACase", "case.toml", "version = 1\n[mesh]\nGARBAGE = 1\n"},
        BadBytes{"TextOfACase", "case.toml", "version = 1\n[mesh]\npanels = \"GARBAGE\"\n"},
        BadBytes{"NoMesh", "body.msh", "GARBAGE\n"}),
    [](const auto& bad) { return bad.param.name; });

}  // namespace
}  // namespace rankine::cases
