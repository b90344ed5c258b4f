#!/usr/bin/env python3
"""Runs the rankine program on mutated cases, meshes and tables, and checks how each run ends.

    scripts/fuzz_program.py [--program build/cpu/cases/rankine] [--runs 3000] [--seed 1]

Seeds are the example cases, the corpus of tests/fuzz, small meshes that the program writes, and
tables of values, points and particles. Every run must end by itself with exit code 0, 2, 3, 4, 5 or
6, print UTF-8 without control characters in lines of less than 2 kB, and write nothing outside
its results directory. Runs that do not are kept in --findings, each in a folder with its command.
"""
import argparse
import collections
import itertools
import pathlib
import random
import resource
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXIT_CODES, LIMIT_OF_A_LINE, PROCESSOR_SECONDS = {0, 2, 3, 4, 5, 6}, 2048, 60
NUMBERS = ["0", "-1", "1e308", "1e-308", "nan", "inf", "-0.0", "2147483648", "1e6", "0.5", "3"]
BYTES = [b"\x00", b"\xff", b"\x1b[2J", b"\xc3\x28", b'"', b"\n", b"\\", b"[", b"]", b"e", b"%n"]
SURFACE = """version = 1
mesh = {file = "body.MESH"}
boundary = [{patch = "*", type = "normal-velocity", file = "values.csv"}]
[problem]
velocity = [1.0, 0.0, 0.0]
[output]
probe = [{name = "taps", kind = "points", file = "points.csv"}]
streamlines = [{name = "lines", kind = "points", points = [[-3.0, 0.0, 1.0]], length = 1.0}]
"""
PARTICLES = """version = 1
problem = {kind = "KIND"}
particles = {generator = "file", file = "particles.csv"}
time = {step = 0.01, steps = 2}
"""


def seeds(program, folder):
    """Sets of files {name: bytes}, the name of the one to run, and of the one to mutate."""
    meshes = {}
    for shape, extension in itertools.product(["sphere", "box", "disc"], ["msh", "stl", "vtp"]):
        path = folder / f"{shape}.{extension}"
        subprocess.run([program, "mesh", shape, "--panels", "24", "-o", path], check=True,
                       capture_output=True)
        meshes[path.name] = path.read_bytes()
    values, points, sets = b"value\n" + b"0.1\n" * 320, b"x,y,z\n2,0,0\n0,2,0\n", []
    for name, data in meshes.items():
        sets.append(({name: data}, name, name))
        extension = name.rsplit(".")[1]
        case = {"case.toml": SURFACE.replace("MESH", extension).encode(), f"body.{extension}": data,
                "values.csv": values, "points.csv": points}
        sets += [(case, "case.toml", each) for each in case]
    for path in sorted((ROOT / "tests/fuzz/corpus").glob("*/*")):
        kind, data = path.parent.name, path.read_bytes()
        if kind in ("bodies", "vortices"):
            case = PARTICLES.replace("KIND", "gravity" if kind == "bodies" else "vortex").encode()
            files = {"case.toml": case, "particles.csv": data}
            sets += [(files, "case.toml", each) for each in files]
        elif kind == "case":
            sets.append(({"case.toml": data}, "case.toml", "case.toml"))
        elif kind not in ("answer", "arrays", "bodies_vtp", "checkpoint"):
            sets.append(({f"body.{kind}": data}, f"body.{kind}", f"body.{kind}"))
    for path in sorted((ROOT / "cases").glob("*/*.toml")):
        sets += 8 * [({"case.toml": path.read_bytes()}, "case.toml", "case.toml")]
    return sets


def mutate(data, random):
    """A few changes: bytes, numbers, tokens, truncation, duplication, removal."""
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(data) + 1)
        span = min(len(data), at + random.choice([1, 4, 30, 300]))
        tokens = data.split()
        kind = random.randrange(8)
        if kind == 0:
            data = data[:at] + bytes([random.randrange(256)]) + data[at + 1:]
        elif kind == 1:
            data = data[:at] + random.choice(BYTES) * random.choice([1, 1, 3, 5000]) + data[at:]
        elif kind == 2:
            data = data[:at] + data[span:]
        elif kind == 3:
            data = data[:span] + data[at:span] * random.choice([1, 2, 100]) + data[span:]
        elif kind == 4 and random.random() < 0.3:
            data = data[:at]
        elif tokens:
            new = random.choice([random.choice(NUMBERS).encode(), random.choice(tokens)])
            data = data.replace(random.choice(tokens), new, random.choice([1, 1, -1]))
    return data


def run(command, folder):
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))
    try:
        ended = subprocess.run(command, cwd=folder, capture_output=True, preexec_fn=limit,
                               stdin=subprocess.DEVNULL, timeout=20 * PROCESSOR_SECONDS)
    except subprocess.TimeoutExpired:
        return "timeout", b""
    return ended.returncode, ended.stdout + b"\n" + ended.stderr


def faults(code, output, before, after):
    if code not in EXIT_CODES:
        yield f"exit code {code}"
    if b"internal error" in output:
        yield "internal error"
    try:
        text = output.decode()
    except UnicodeDecodeError:
        yield "output is not UTF-8"
        return
    if any(not c.isprintable() and c not in "\n\t" for c in text):
        yield "output is not printable"
    if any(len(line.encode()) >= LIMIT_OF_A_LINE for line in text.split("\n")
           if not line.startswith("{")):
        yield "a line is too long"
    if before != after:
        yield f"files changed: {sorted(set(before.items()) ^ set(after.items()))[:3]}"


def files_of(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*")
            if p.is_file() and "out" not in p.relative_to(folder).parts[:1]}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=ROOT / "build/cpu/cases/rankine", type=pathlib.Path)
    parser.add_argument("--runs", default=3000, type=int)
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--findings", default=ROOT / "build/findings", type=pathlib.Path)
    arguments = parser.parse_args()
    program, codes, found = arguments.program.resolve(), collections.Counter(), 0
    with tempfile.TemporaryDirectory() as scratch:
        sets = seeds(program, pathlib.Path(scratch))
        for number in range(arguments.runs):
            draw = random.Random(arguments.seed * 1_000_003 + number)
            files, to_run, to_mutate = draw.choice(sets)
            folder = pathlib.Path(tempfile.mkdtemp(dir=scratch))
            for name, data in files.items():
                (folder / name).write_bytes(mutate(data, draw) if name == to_mutate else data)
            verbs, small = [["check"], ["check", "--json", "-"]], []
            if to_run == "case.toml":
                verbs += [["solve", "--dry-run"], ["solve"], ["solve", "--json", "-"]]
                small = ["particles.n=50", "time.steps=2"]
                if b"particles" not in files[to_run]:
                    small = ["solver.max_iterations=3"]
                if b"shape" in files[to_run]:
                    small += ["mesh.panels=60"]
                small = [word for each in small for word in ("--set", each)]
            command = [str(program), *draw.choice(verbs), to_run, *small, "--output", "out"]
            before = files_of(folder)
            code, output = run(command, folder)
            codes[code] += 1
            problems = list(faults(code, output, before, files_of(folder)))
            if problems:
                found += 1
                kept = arguments.findings / f"{arguments.seed}-{number}"
                shutil.copytree(folder, kept, dirs_exist_ok=True)
                (kept / "command.txt").write_text(" ".join(command) + f"\n{problems}\n")
                print(f"{kept}: {problems}", flush=True)
            shutil.rmtree(folder, ignore_errors=True)
    print("exit codes:", ", ".join(f"{code}: {n}" for code, n in sorted(codes.items(), key=str)))
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
