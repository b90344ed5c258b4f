#!/usr/bin/env python3
"""Puts small errors ("mutants") into the sources and reports which of them the tests find.

A mutant flips a sign or a comparison, drops a factor or a term, swaps min and max, changes a
constant, negates a condition, or removes a branch, a call or an assignment. N mutants of each file
or folder given are drawn at random.

One build of a private copy of the sources holds them all, each behind a switch that an environment
variable turns on (mutants.py). Every test of ctest runs once and records the mutants that it
executes. Then each mutant is tested by the tests that execute it, the shortest first, until one
fails, crashes or runs out of processor time. A mutant that no test executes has survived. A mutant
that does not compile behind a switch (a compile-time constant, for instance) is built alone.

Survivors that break no promise belong in scripts/accepted_mutants.txt, each with its reason.
Exit code 0: every mutant was killed or is accepted; 1: one survived; 2: wrong usage.
"""
import argparse, collections, concurrent.futures, json, mmap, os, pathlib, random, re, resource
import shutil, subprocess, sys, tempfile, time

sys.dont_write_bytecode = True
from mutants import NUMBERS, ROOT, SWITCH, Source

ACCEPTED = ROOT / "scripts/accepted_mutants.txt"
FOLDERS = ("fmm", "bem", "meshes", "cases")

Test = collections.namedtuple("Test", "name command folder environment skipped")


def accepted_mutants():
    """Triples (file, old line, new line) of ACCEPTED."""
    text = re.sub(r"(?m)^#.*\n", "", ACCEPTED.read_text()).strip()
    blocks = [block.splitlines() for block in text.split("\n\n") if block]
    for block in blocks:
        if len(block) < 4 or block[1][:2] != "- " or block[2][:2] != "+ ":
            sys.exit(f"error: {ACCEPTED}: {block[0]}: needs four lines: file, - old, + new, reason")
    return {(block[0], block[1][2:], block[2][2:]) for block in blocks}


class Copy:
    """A private copy of the sources, with switches, and its build."""

    def __init__(self, folder, jobs):
        self.folder, self.jobs, self.build = folder, jobs, folder / "build/cpu"
        self.header, self.log = folder / "mutants.hpp", folder / "log"
        # Numbers of the mutants that do not compile behind a switch, kept for the next call.
        self.unfit = folder / "unfit"
        self.alone = set(map(int, self.unfit.read_text().split())) if self.unfit.exists() else set()
        self.met = {}  # test -> (seconds, numbers of the mutants that it executes)
        options = ["-DRANKINE_SETS=host", "-DCMAKE_CXX_FLAGS=-w -D_GLIBCXX_ASSERTIONS"]
        if shutil.which("ccache"):
            options += [f"-DCMAKE_{each}_COMPILER_LAUNCHER=ccache" for each in ("C", "CXX")]
        if shutil.which("mold"):
            options += ["-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=mold"]
        self.configure = ["cmake", "--preset", "cpu", *options]

    def write(self, name, text):
        file = self.folder / name
        if not file.exists() or file.read_bytes() != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text)
            if (ROOT / name).is_file():
                shutil.copymode(ROOT / name, file)

    def builds(self):
        command = ["cmake", "--build", self.build, "--parallel", str(self.jobs), "--", "-k", "0"]
        with open(self.log, "w") as log:
            return subprocess.run(command, cwd=self.folder, stdout=log, stderr=log).returncode == 0

    def prepare(self, mutants):
        """Writes and builds the sources with a switch for each mutant that has one."""
        names = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"],
                               check=True, capture_output=True, text=True).stdout.splitlines()
        self.write("mutants.hpp", SWITCH.encode())
        inside = collections.defaultdict(list)
        for mutant in mutants:
            inside[mutant.file].append(mutant)
        self.sources = {name: Source(name) for name in inside}
        self.alone |= {mutant.number for mutant in mutants
                       if not self.sources[mutant.file].slot(mutant)}
        for name in names:
            if (ROOT / name).is_file() and name not in inside:
                self.write(name, (ROOT / name).read_bytes())
        while True:
            for name, own in inside.items():
                own[:] = [mutant for mutant in own if mutant.number not in self.alone]
                self.write(name, self.sources[name].switched(own, self.header).encode())
            if not (self.build / "build.ninja").exists():
                subprocess.run(self.configure, cwd=self.folder, check=True, capture_output=True)
            if self.builds():
                return
            blamed = self.blamed(inside)
            print(f"{len(blamed)} mutants do not compile behind a switch", flush=True)
            if not blamed:
                sys.exit(f"error: the build fails; its output is in {self.log}")
            self.alone |= blamed
            self.unfit.write_text(" ".join(map(str, self.alone)))

    def blamed(self, inside):
        """Numbers of the mutants nearest to the lines of errors."""
        found = set()
        places = re.findall(r"^([^: \n]+):(\d+):\d+:\s+(error|sorry|required)",
                            self.log.read_text(errors="replace"), re.M)
        for wanted in ("error", "sorry", "required"):
            for file, line, word in sorted(set(places)):
                name = os.path.relpath(os.path.realpath(self.build / file), self.folder)
                if word != wanted or name not in inside:
                    continue
                source, at = self.sources[name], int(line)
                lines = {mutant.number: source.text.count("\n", 0, source.slot(mutant)[0]) + 1
                         for mutant in inside[name]}
                nearest = min((abs(begin - at) for begin in lines.values()), default=0)
                found |= {number for number, begin in lines.items() if abs(begin - at) == nearest}
            if found:
                break
        return found

    def tests(self):
        """Of each test of ctest its name, command, folder, environment and the code of a skip."""
        shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=self.build, check=True,
                               capture_output=True, text=True).stdout
        for test in json.loads(shown)["tests"]:
            properties = {each["name"]: each["value"] for each in test["properties"]}
            yield Test(test["name"], tuple(test["command"]), properties["WORKING_DIRECTORY"],
                       tuple(properties.get("ENVIRONMENT", ())), properties.get("SKIP_RETURN_CODE"))

    def fails(self, test, seconds, **variables):
        """Why a test fails within so many processor seconds; empty if it passes. Only a test that
        waits forever ends by the clock, so that other work on the machine kills no mutant."""
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
        limits = {resource.RLIMIT_AS: memory, resource.RLIMIT_CPU: int(seconds)}
        variables.update(each.split("=", 1) for each in test.environment)
        process = subprocess.Popen(
            test.command, cwd=test.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
            env=dict(os.environ, GTEST_FAIL_FAST="1", **variables),
            preexec_fn=lambda: [resource.setrlimit(each, (limit, limit))
                                for each, limit in limits.items()])
        try:
            code = process.wait(10 * seconds)
        except subprocess.TimeoutExpired:
            return "out of time"
        finally:
            try:
                os.killpg(process.pid, 9)
            except ProcessLookupError:
                pass
            process.wait()
        return "" if code in (0, test.skipped) else "fails"

    def record(self, test, numbers):
        """Runs a test without a mutant and notes what it executes."""
        with tempfile.NamedTemporaryFile(dir=self.folder) as file:
            file.truncate(NUMBERS)
            begin = time.time()
            why = self.fails(test, 3600, RANKINE_MUTANTS_MET=file.name)
            seconds = time.time() - begin
            with mmap.mmap(file.fileno(), NUMBERS) as met:
                self.met[test] = seconds, {number for number in numbers if met[number]}
        if why:
            print(f"without a mutant {test.name} {why}: left out", flush=True)
            del self.met[test]

    def verdict(self, mutant, tests):
        for test in tests:
            why = self.fails(test, 10 + 10 * self.met[test][0], RANKINE_MUTANT=str(mutant.number))
            if why:
                return "killed", f"{test.name} {why}"
        return "survived", f"{len(tests)} tests"

    def verdict_switched(self, mutant):
        """First by short tests of which the mutant's file is a large part."""
        inside = {each.number for each in self.sources[mutant.file].mutants()}
        cost = {test: seconds * len(met) / len(met & inside)
                for test, (seconds, met) in self.met.items() if mutant.number in met}
        return self.verdict(mutant, sorted(cost, key=cost.get))

    def verdict_alone(self, mutant):
        """Builds the mutant in place of its file's switches, and runs all tests: first those that
        execute another mutant of the file."""
        source = self.sources[mutant.file]
        kept = (self.folder / mutant.file).read_bytes()
        others = {each.number for each in source.mutants()}
        try:
            self.write(mutant.file, (source.text[:mutant.begin] + mutant.text +
                                     source.text[mutant.end:]).encode())
            if not self.builds():
                return "did not build", ""
            return self.verdict(mutant, sorted(
                self.met, key=lambda test: (not self.met[test][1] & others, self.met[test][0])))
        finally:
            self.write(mutant.file, kept)


def draws(options, parser):
    """Of each path its mutants, in the order of the draw."""
    for path in options.paths:
        names = sorted(str(file.resolve().relative_to(ROOT))
                       for file in ([path] if path.is_file() else path.rglob("*"))
                       if file.suffix in (".cpp", ".hpp"))
        if not names or any(name.split("/")[0] not in FOLDERS for name in names):
            parser.error(f"{path}: give sources in {', '.join(FOLDERS)}")
        draw = [mutant for name in names for mutant in Source(name).mutants()]
        print(f"{path}: {len(draw)} mutants in {len(names)} files, seed {options.seed}", flush=True)
        random.Random(options.seed).shuffle(draw)
        yield draw[:options.first + max(options.number, options.pool)]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=pathlib.Path, metavar="PATH",
                        help="files or folders of fmm, bem, meshes or cases")
    parser.add_argument("--number", type=int, default=20, help="mutants to test of each PATH (20)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (1)")
    parser.add_argument("--first", type=int, default=0, help="of each draw's mutants leave out (0)")
    parser.add_argument("--pool", type=int, default=0, help="mutants of each PATH that are built; "
                        "later calls with other --first need no new build (0: those to test)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests at a time")
    parser.add_argument("--folder", type=pathlib.Path,
                        help="keep the copy and its build in this folder, for the next call")
    parser.add_argument("--list", action="store_true", help="print the draw, build nothing")
    options = parser.parse_args()

    drawn = list(draws(options, parser))
    pool = [mutant for draw in drawn for mutant in draw]
    chosen = [mutant for draw in drawn for mutant in draw[options.first:][:options.number]]
    if options.list:
        for mutant in chosen:
            print(f"{mutant.file}:{mutant.line} {mutant.kind}\n  - {mutant.old}\n  + {mutant.new}")
        return 0

    folder = (options.folder or pathlib.Path(tempfile.mkdtemp(prefix="mutants."))).resolve()
    copy, accepted, results = Copy(folder, options.jobs), accepted_mutants(), []
    copy.prepare(pool)
    numbers = [mutant.number for mutant in pool]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as threads:
        list(threads.map(lambda test: copy.record(test, numbers), list(copy.tests())))

    def judge(mutant, verdict_of):
        begin, (verdict, by) = time.time(), ("accepted", "")
        if (mutant.file, mutant.old, mutant.new) not in accepted:
            verdict, by = verdict_of(mutant)
        results.append((verdict, mutant))
        print(f"{verdict:13} {mutant.file}:{mutant.line} {mutant.kind}, {time.time() - begin:.0f} s"
              f" {by}\n  - {mutant.old}\n  + {mutant.new}", flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as threads:
        list(threads.map(lambda mutant: judge(mutant, copy.verdict_switched),
                         [mutant for mutant in chosen if mutant.number not in copy.alone]))
    for mutant in chosen:
        if mutant.number in copy.alone:
            judge(mutant, copy.verdict_alone)
    if not options.folder:
        shutil.rmtree(folder)
    count = collections.Counter(verdict for verdict, _ in results)
    kinds = ("killed", "survived", "accepted", "did not build")
    print("\n" + ", ".join(f"{count[kind]} {kind}" for kind in kinds))
    for verdict, mutant in results:
        if verdict == "survived":
            print(f"\n{mutant.file}\n- {mutant.old}\n+ {mutant.new}\nline {mutant.line}")
    return 0 if results and not count["survived"] else 1


if __name__ == "__main__":
    sys.exit(main())
