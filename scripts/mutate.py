#!/usr/bin/env python3
"""Puts small errors ("mutants") into the sources, one at a time, and reports which the tests find.

A mutant flips a sign or a comparison, drops a factor or a term, swaps min and max, changes a
constant, negates a condition, or removes a branch, a call or an assignment. Mutants are drawn at
random from the files and folders given until N of them have compiled. Each is built incrementally
in a private copy of the sources and tested by the test programs of its folder: first the tests
that include its header or have its name, then all others. A test that fails, crashes or takes
three times as long as without the mutant has found it.

Survivors that break no promise belong in scripts/accepted_mutants.txt, each with its reason.
Exit code 0: every mutant was killed or is accepted; 1: one survived, or a test fails without any
mutant; 2: wrong usage.
"""
import argparse, bisect, collections, os, pathlib, random, re, resource, shutil, subprocess, sys
import tempfile, threading, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ACCEPTED = ROOT / "scripts/accepted_mutants.txt"
# Folders of tests/ whose programs are tried for a file of a folder, in this order.
TESTS = {"fmm": ["fmm", "bem"], "bem": ["bem"], "meshes": ["meshes", "meshio"], "cases": ["cases"]}

OPERAND = r"[\w.:]+(?:\([^()]*\)|\[[^\[\]]*\])*"
SWAPPED = [("sign", " + ", " - "), ("sign", " += ", " -= "), ("comparison", " < ", " <= "),
           ("comparison", " > ", " >= "), ("comparison", " == ", " != "),
           ("logic", " && ", " || "), ("logic", "true", "false"), ("bound", "min(", "max(")]
RULES = [(kind, re.compile(r"\b" * old[0].isalpha() + re.escape(old) + r"\b" * old[-1].isalpha()),
          new) for kind, a, b in SWAPPED for old, new in ((a, b), (b, a))]
RULES += [(kind, re.compile(old, re.M), new) for kind, old, new in [
    ("sign", r"(?:(?<=\()|(?<=[,=?:] )|(?<=return ))-(?=[\w(])", ""),
    ("factor", OPERAND + r" \* ", ""), ("factor", r" [*/] " + OPERAND, ""),
    ("term", OPERAND + r" [+-] ", ""), ("term", r" [+-] " + OPERAND + r"(?=[;,)\]])", ""),
    ("constant", r"(?<![\w.'<])(?:\d+\.\d*(?:e[-+]?\d+)?|\d+)(?![\w.'>])", None),
    ("condition", r"\b(?:if|while) \(", "!"), ("branch", r"\bif \(", "false"),
    ("statement", r"^ +[\w:.\[\]>-]+(?:\([^;{}]*\)| [-+*/]?= [^;{}]*);$", ";")]]
# Comments and texts, what only the compiler reads or only asserts, and what changes speed alone.
NOT_CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'"""
    r"""|^[ ]*\#(?:\\\n|[^\n])*|\b(?:static_)?assert\([^;]*;|[\w.]+\breserve\([^;]*;"""
    r"""|\btemplate <[^{;]*?>\n""", re.S | re.M)

Mutant = collections.namedtuple("Mutant", "file line kind old new begin end text")


def replaced(kind, new, match, code):
    """End of what a mutant replaces, and what it puts there; None where there is no such mutant."""
    if kind == "constant":
        digits = match[0]
        return match.end(), str(int(digits) + 1 if digits.isdigit() else 2 * float(digits) or 1.0)
    if kind in ("condition", "branch"):
        depth, end = 1, match.end()
        while depth and end < len(code):
            depth += {"(": 1, ")": -1}.get(code[end], 0)
            end += 1
        condition = code[match.end():end - 1]
        if depth or ";" in condition or re.match(r"(const )?auto\b|.*[^=!<>+*/-]= ", condition):
            return None
        return end, match[0] + (f"!({condition}))" if new == "!" else "false)")
    return match.end(), new


def mutants_of(path):
    text = path.read_text()
    code = NOT_CODE.sub(lambda part: re.sub(r"[^\n]", " ", part[0]), text)
    lines = [0] + [match.end() for match in re.finditer("\n", text)]
    found = {}
    for kind, old, new in RULES:
        for match in old.finditer(code):
            what = replaced(kind, new, match, code)
            if what is None:
                continue
            begin, (end, instead) = match.start(), what
            line = bisect.bisect(lines, begin)
            before, after = text[lines[line - 1]:begin], text[end:text.find("\n", end)]
            was, now = (" ".join((before + part + after).split())
                        for part in (text[begin:end], instead))
            name = str(path.relative_to(ROOT))
            found.setdefault((line, now), Mutant(name, line, kind, was, now, begin, end, instead))
    return list(found.values())


def accepted_mutants():
    """Triples (file, old line, new line) of ACCEPTED."""
    text = re.sub(r"(?m)^#.*\n", "", ACCEPTED.read_text()).strip()
    blocks = [block.splitlines() for block in text.split("\n\n") if block]
    for block in blocks:
        if len(block) < 4 or block[1][:2] != "- " or block[2][:2] != "+ ":
            sys.exit(f"error: {ACCEPTED}: {block[0]}: needs four lines: file, - old, + new, reason")
    return {(block[0], block[1][2:], block[2][2:]) for block in blocks}


def test_programs(top):
    """Names and sources of the test programs for files in the folder `top`; none for GPUs."""
    found = {}
    for folder in (ROOT / "tests" / name for name in TESTS[top]):
        for name, sources, rest in re.findall(
                r"rankine_test\((\w+)(?:\s+[A-Z_]+)*\s+SOURCES\s+([^)]*?)\s+LINK([^)]*)\)",
                (folder / "CMakeLists.txt").read_text()):
            if "LABELS gpu" not in rest:
                found[name] = [folder / each for each in sources.split() if "_test.cpp" in each]
    return found


def likely_tests(mutant, sources):
    """A filter of GoogleTest: the suites of sources that include the header or have its name."""
    path = pathlib.PurePath(mutant.file)
    suites = set()
    for source in sources:
        text = source.read_text()
        if source.name.startswith(path.stem) or f'{path.with_suffix(".hpp")}"' in text:
            suites.update(re.findall(r"^TEST(?:_[FP])?\((\w+),", text, re.M))
    return ":".join(f"*{suite}.*" for suite in sorted(suites))


class Copy:
    """A private copy of the sources with a build of its own."""

    def __init__(self, folder, threads):
        self.folder, self.threads, self.build = folder, threads, folder / "build/cpu"
        names = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"],
                               check=True, capture_output=True, text=True).stdout.splitlines()
        for name in names:
            source, target = ROOT / name, folder / name
            if source.is_file() and not (target.exists()
                                         and target.read_bytes() == source.read_bytes()):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)
        self.environment = dict(os.environ, CCACHE_BASEDIR=str(folder), CCACHE_NOHASHDIR="1",
                                GTEST_BRIEF="1")
        options = ["-DRANKINE_INSTALL=OFF"]
        if shutil.which("ccache"):
            options += [f"-DCMAKE_{each}_COMPILER_LAUNCHER=ccache" for each in ("C", "CXX")]
        if shutil.which("mold"):
            options += ["-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=mold"]
        if self.run(["cmake", "--preset", "cpu", *options], 600) != 0:
            sys.exit(f"error: cmake fails; its output is in {folder}/log")

    def run(self, command, seconds):
        """Exit code of the command, None if it ran out of time; its output goes to `log`."""
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
        with open(self.folder / "log", "w") as log:
            process = subprocess.Popen(
                command, cwd=self.folder, env=self.environment, stdout=log, stderr=log,
                start_new_session=True,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)))
            try:
                return process.wait(seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                process.wait()
                return None

    def builds(self, program):
        return self.run(["cmake", "--build", self.build, "--parallel", str(self.threads),
                         "--target", program], 3600) == 0

    def failures(self, program, only, seconds, *options):
        """Names of the tests that fail, or what else ended the program."""
        file = next(path for path in (self.build / "tests").glob(f"*/{program}") if path.is_file())
        code = self.run([file, f"--gtest_filter={only}", *options], seconds)
        if code == 0:
            return []
        output = (self.folder / "log").read_text(errors="replace")
        failed = sorted(set(re.findall(r"^\[  FAILED  \] ([^ ,\n]+\.[^ ,\n]+)", output, re.M)))
        return failed or ["out of time" if code is None else f"exit code {code}"]

    def verdict(self, mutant, limit):
        path = self.folder / mutant.file
        text = path.read_text()
        path.write_text(text[:mutant.begin] + mutant.text + text[mutant.end:])
        programs = test_programs(mutant.file.split("/")[0])
        likely = {name: likely_tests(mutant, sources) for name, sources in programs.items()}
        steps = [(name, only) for name, only in likely.items() if only]
        steps += [(name, f"*-{only}" if only else "*") for name, only in likely.items()]
        try:
            for name, only in steps:
                if not self.builds(name):
                    return "did not build", ""
                failed = self.failures(name, only, limit[name], "--gtest_fail_fast")
                if failed:
                    return "killed", failed[0]
            return "survived", ""
        finally:
            path.write_text(text)


def in_parallel(function, items):
    threads = [threading.Thread(target=function, args=item) for item in items]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def try_all(draw, number, copies):
    """Pairs (verdict, mutant) of the first of the draw; none if a test fails without a mutant."""
    limit, lock, results, at_work = {}, threading.Lock(), [], set()
    accepted, left = accepted_mutants(), iter(draw)
    names = sorted({name for mutant in draw for name in test_programs(mutant.file.split("/")[0])})

    def prepare(copy, mine):
        for name in sorted(names, key=lambda name: name not in mine):
            built, begin = copy.builds(name), time.time()
            if built and name not in mine:
                continue
            failed = copy.failures(name, "*", 3600) if built else ["build"]
            print(f"without a mutant, {name}: {'passes' if not failed else failed}, "
                  f"{time.time() - begin:.0f} s", flush=True)
            if not failed:
                limit[name] = 60 + 3 * (time.time() - begin)

    def work(copy):
        while True:
            with lock:
                done = sum(verdict != "did not build" for verdict, _ in results)
                mutant = next(left, None) if done + len(at_work) < number else None
                if mutant is None:
                    return
                at_work.add(mutant)
            begin, verdict, by = time.time(), "accepted", ""
            if (mutant.file, mutant.old, mutant.new) not in accepted:
                verdict, by = copy.verdict(mutant, limit)
            with lock:
                at_work.discard(mutant)
                results.append((verdict, mutant))
                print(f"{verdict:13} {mutant.file}:{mutant.line} {mutant.kind}, "
                      f"{time.time() - begin:.0f} s {by}\n  - {mutant.old}\n  + {mutant.new}",
                      flush=True)

    in_parallel(prepare, [(copy, names[k::len(copies)]) for k, copy in enumerate(copies)])
    if len(limit) == len(names):
        in_parallel(work, [(copy,) for copy in copies])
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=pathlib.Path, metavar="PATH",
                        help="files or folders of fmm, bem, meshes or cases")
    parser.add_argument("--number", type=int, default=20, help="mutants to test (20)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (1)")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at once (2)")
    parser.add_argument("--folder", type=pathlib.Path,
                        help="keep copies and builds in this folder, for the next call")
    parser.add_argument("--list", action="store_true", help="print the draw, build nothing")
    options = parser.parse_args()

    files = sorted({file.resolve() for path in options.paths
                    for file in ([path] if path.is_file() else path.rglob("*"))
                    if file.suffix in (".cpp", ".hpp")})
    if not files or any(file.relative_to(ROOT).parts[0] not in TESTS for file in files):
        parser.error(f"give sources in {', '.join(TESTS)}")
    draw = [mutant for file in files for mutant in mutants_of(file)]
    print(f"{len(draw)} mutants in {len(files)} files, seed {options.seed}", flush=True)
    random.Random(options.seed).shuffle(draw)
    if options.list:
        for mutant in draw[:options.number]:
            print(f"{mutant.file}:{mutant.line} {mutant.kind}\n  - {mutant.old}\n  + {mutant.new}")
        return 0

    folder = (options.folder or pathlib.Path(tempfile.mkdtemp(prefix="mutants."))).resolve()
    threads = max(1, os.cpu_count() // options.jobs)
    results = try_all(draw, options.number,
                      [Copy(folder / str(job), threads) for job in range(options.jobs)])
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
