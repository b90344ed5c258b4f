"""Packs the build as .deb and inspects the packages: contents, dependencies, a solve with the
program that was unpacked; the manual page and completions, read by those who will read them.

    packages_test.py CPACK BUILD
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CPACK, BUILD = sys.argv[1:3]
MODULE = "lib/python3/dist-packages/rankine"
PLACES = {
    "rankine": ["bin/rankine", "bin/rankine-reader", "bin/rankine-vtk-reader",
                "share/man/man1/rankine.1",
                "share/bash-completion/completions/rankine",
                "share/zsh/vendor-completions/_rankine",
                "share/fish/vendor_completions.d/rankine.fish",
                "share/rankine/cases/sphere/sphere.toml"],
    "rankine-dev": ["include/rankine/fmm.h", "include/rankine/bem/flow/flow.hpp",
                    "lib/librankine.so", "lib/librankine_bem.a",
                    "lib/cmake/rankine/rankine-config.cmake", "lib/pkgconfig/rankine-fmm.pc"]}
HAS_PYTHON = os.path.isdir(os.path.join(BUILD, "python", "rankine"))
if HAS_PYTHON:
    PLACES["python3-rankine"] = [f"{MODULE}/{name}"
                                 for name in ("__init__.py", "_core.pyi", "py.typed")]


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if done.returncode != 0:
        raise AssertionError(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="rankine-deb-")
        run(CPACK, "-G", "DEB", "--config", f"{BUILD}/CPackConfig.cmake", "-B", cls.folder,
            "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=zstd")
        cls.files = {name.split("_")[0]: os.path.join(cls.folder, name)
                     for name in os.listdir(cls.folder) if name.endswith(".deb")}
        for name, file in cls.files.items():
            run("dpkg-deb", "-x", file, os.path.join(cls.folder, name))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def path(self, package, *place):
        return os.path.join(self.folder, package, "usr", *place)

    def field(self, package, name):
        return run("dpkg-deb", "-f", self.files[package], name).strip()

    def test_all_are_there(self):
        self.assertEqual(sorted(self.files), sorted(PLACES))
        for package in self.files:
            self.assertEqual(self.field(package, "Package"), package)
            self.assertTrue(self.field(package, "Description"))

    def test_contents(self):
        for package, places in PLACES.items():
            for place in [*places, f"share/doc/{package}/copyright"]:
                self.assertTrue(os.path.exists(self.path(package, place)), f"{package}: {place}")
        files = [os.path.relpath(os.path.join(folder, file), self.path(package))
                 for package in self.files
                 for folder, _, names in os.walk(self.path(package)) for file in names]
        self.assertEqual(len(files), len(set(files)), "files in two packages cannot be installed")

    def test_dependencies_are_the_libraries_of_the_programs(self):
        found = {each.split()[0] for each in self.field("rankine", "Depends").split(",")}
        needed = {}
        for program in ("rankine", "rankine-reader", "rankine-vtk-reader"):
            file = self.path("rankine", "bin", program)
            direct = {line.split()[1] for line in run("objdump", "-p", file).splitlines()
                      if "NEEDED" in line}
            for line in run("ldd", file).splitlines():
                if "=>" in line and line.split()[0] in direct:
                    needed[line.split()[0]] = os.path.realpath(line.split()[2])
        self.assertTrue(any(name.startswith("libgmsh") for name in needed))
        for library, file in needed.items():
            places = {file, file.removeprefix("/usr"), "/usr" + file}  # /lib is a link to /usr/lib
            owners = subprocess.run(["dpkg", "-S", *places], capture_output=True, text=True,
                                    check=False)
            self.assertTrue(found & {line.split(":")[0] for line in owners.stdout.splitlines()},
                            f"{library} of {owners.stdout}")
        # The library is of C++ without Gmsh and VTK.
        for name in self.field("rankine-dev", "Depends").split(","):
            self.assertRegex(name.strip(), r"^lib(c6|gcc-s1|stdc\+\+6|cudart)")

    def test_the_program_solves_what_is_packed(self):
        results = os.path.join(self.folder, "results")
        case = self.path("rankine", "share", "rankine", "cases", "sphere", "sphere.toml")
        program = self.path("rankine", "bin", "rankine")
        summary = json.loads(run(program, "solve", case, "--quiet", "--json", "-o", results,
                                 "--set", "mesh.panels=5120", "--set", "output.probe=[]"))
        # The added mass of a sphere is half the displaced mass; 5120 panels err by 1e-4.
        self.assertAlmostEqual(summary["results"]["added_mass"][0], 0.5, delta=1e-3)

    @unittest.skipUnless(HAS_PYTHON, "this build has no Python package")
    def test_python_solves_with_what_is_packed(self):
        script = "import rankine; print(rankine.Flow(rankine.sphere(320)).solve().Cp.max())"
        python = self.field("python3-rankine", "Depends").split("python3 (>= ")[1].split(")")[0]
        modules = self.path("python3-rankine", os.path.dirname(MODULE))
        found = run(f"python{python}", "-c", script, cwd=self.folder,
                    env=os.environ | {"PYTHONPATH": modules})
        # Cp is 1 - 9/4 sin^2; edges are 0.30, so that the front is at most 0.30/sqrt(3) from a
        # centroid.
        self.assertAlmostEqual(float(found), 1.0, delta=0.07)


class Completions(unittest.TestCase):
    folder = os.path.join(BUILD, "cases", "manual")
    program = os.path.join(BUILD, "cases", "rankine")

    def complete(self, *words):
        """What bash offers for the last of the words."""
        script = (f'source {os.path.join(self.folder, "rankine")}; COMP_WORDS=("$@"); '
                  'COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _rankine; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        return run("bash", "-c", script, "bash", *words).split()

    def verbs(self):
        return [word for word in self.complete("rankine", "") if not word.startswith("-")]

    def test_bash_completes_verbs_options_and_words(self):
        self.assertEqual(self.complete("rankine", "so"), ["solve"])
        self.assertIn("sweep", self.complete("rankine", ""))
        self.assertEqual(self.complete("rankine", "solve", "--res"), ["--resume"])
        self.assertEqual(self.complete("rankine", "solve", "x.toml", "--backend", "c"),
                         ["cpu", "cuda"])
        self.assertIn("ellipsoid", self.complete("rankine", "mesh", ""))
        self.assertNotIn("--slurm", self.complete("rankine", "solve", "--"))
        self.assertIn("--slurm", self.complete("rankine", "sweep", "--"))

    def test_shells_parse_them(self):
        run("bash", "-n", os.path.join(self.folder, "rankine"))
        for shell, file in (("zsh", "_rankine"), ("fish", "rankine.fish")):
            if shutil.which(shell):
                run(shell, "-n", os.path.join(self.folder, file))

    def test_zsh_and_fish_offer_the_same(self):
        zsh, fish = (run(self.program, "manual", shell) for shell in ("zsh", "fish"))
        self.assertIn("':CASE.toml:_files'", zsh)
        self.assertIn("'--tip[Wing\\: how its tips are closed]:flat|round:(flat round)'", zsh)
        self.assertIn("':man|markdown|bash|zsh|fish:(man markdown bash zsh fish)'", zsh)
        self.assertIn("from manual' -x -a 'man markdown bash zsh fish'", fish)
        for verb in self.verbs():
            self.assertIn(f"-a {verb} -d", fish)
            of_verb = zsh.split(f"\n    {verb}) ")[1].split(" ;;\n")[0]
            for option in self.complete("rankine", verb, "-"):
                self.assertIn(f"'{option}[", of_verb)
                short = option.startswith("--") and f"-l {option[2:]}" or f"-s {option[1:]}"
                self.assertRegex(fish, f"_from {verb}'[^']* {short} ")

    def test_every_option_is_there(self):
        with open(os.path.join(self.folder, "rankine.1"), encoding="utf-8") as file:
            page = file.read().replace("\\-", "-")
        for verb in self.verbs():
            offered = self.complete("rankine", verb, "-")
            help_text = run(self.program, verb, "--help")
            for option in offered:
                self.assertIn(option, help_text)
                self.assertIn(option, page)

    def test_the_manual_page_has_no_errors(self):
        if shutil.which("groff"):
            done = subprocess.run(["groff", "-ww", "-man", "-Tutf8", f"{self.folder}/rankine.1"],
                                  capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            text = re.sub(r"\x1b\[[01]m", "", done.stdout)
            self.assertIn("rankine sweep", text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
