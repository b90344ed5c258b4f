#!/usr/bin/env python3
"""Kills solves at random moments, runs them on disks that fill, and checks what is left.

  scripts/stress_results.py RANKINE [--kills 50] [--sizes 20] [--panels 40000] [--seed 1]

After each run a results directory with a summary.json holds all files of one run. A signal ends a
run within two seconds, with a checkpoint if the solver had an iterate. Files of an earlier run are
unchanged, unless this run has replaced all of them. After the next run that ends, no file of
another is left. Every run has its own stream, which identifies its files. Exit code 1 if one of
these fails.
"""
import argparse, base64, hashlib, json, os, random, re, resource, shutil, signal, subprocess, sys
import tempfile, time

CASE = """version = 1
title = "run {run}"
[mesh]
shape = "sphere"
panels = {panels}
[problem]
velocity = [{run}.0, 0.0, 0.0]
[solver]
tolerance = 1e-9
[[output.probe]]
name = "probe{run}"
kind = "plane"
origin = [-3.0, -3.0, 0.0]
size = [6.0, 6.0, 0.0]
cells = [100, 100, 1]
"""


class Failures(list):
    def expect(self, holds, message):
        if not holds:
            self.append(message)
            print("FAILED:", message, flush=True)


def contents(folder):
    """Name -> hash of every file, hidden ones and folders, too."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(place, name), "rb") as file:
                found[os.path.relpath(os.path.join(place, name), folder)
                                      ] = hashlib.sha256(file.read()).hexdigest()
    return found


def owner(folder, failures):
    """The run whose results these are, and their names; (None, []) where there is no summary."""
    try:
        with open(os.path.join(folder, "summary.json")) as file:
            summary = json.load(file)
    except FileNotFoundError:
        return None, []
    run = int(summary["problem"]["velocity"][0])
    for name in summary["files"]:
        failures.expect(os.path.exists(os.path.join(folder, name)), f"run {run} lacks its {name}")
    with open(os.path.join(folder, "case.resolved.toml")) as file:
        failures.expect(f"[{run}.0," in file.read(), f"case.resolved.toml is not of run {run}")
    probes = [name for name in os.listdir(folder) if name.startswith("probe")]
    failures.expect(probes == [f"probe{run}.vti"], f"{probes} beside the summary of run {run}")
    for name in ("surface.vtp", f"probe{run}.vti"):
        title = title_in(os.path.join(folder, name))
        failures.expect(title == f"run {run}", f"{name} is of {title}, the summary of run {run}")
    return run, summary["files"]


def title_in(path):
    """The title in the field data of a VTK file: four numbers, then LZ4, which keeps short text."""
    with open(path, "rb") as file:
        array = re.search(
    rb'<Array type="String" Name="title".*?>\s*([A-Za-z0-9+/=]+)',
    file.read(),
     re.S)
    title = re.search(rb"run \d+", base64.b64decode(array.group(1)[44:])) if array else None
    return title.group(0).decode() if title else None


class Stress:
    def __init__(self, arguments):
        self.arguments = arguments
        self.folder = tempfile.mkdtemp(prefix="rankine-stress-")
        self.results = os.path.join(self.folder, "results")
        self.failures = Failures()
        self.run = 0
        self.counts = {}

    def start(self, *options, prepare=lambda: None):
        self.run += 1

        def before_it_begins():
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # which shells ignore in the background
            prepare()

        case = os.path.join(self.folder, f"run{self.run}.toml")
        with open(case, "w") as file:
            file.write(CASE.format(run=self.run, panels=self.arguments.panels))
        self.log = os.path.join(self.folder, "log")
        with open(self.log, "w") as log:
            return subprocess.Popen(
                [self.arguments.rankine, "solve", case, "--output", self.results, *options],
                stdout=subprocess.DEVNULL, stderr=log, preexec_fn=before_it_begins)

    def said(self):
        with open(self.log) as file:
            return file.read()

    def fewer(self):
        """What makes a run short where its length does not matter."""
        return "--set", f"mesh.panels={self.arguments.panels // 8}"

    def whole_run(self, *options):
        before = time.monotonic()
        code = self.start(*options).wait()
        self.failures.expect(code == 0, f"a whole run ended with {code}: {self.said()}")
        run, names = owner(self.results, self.failures)
        self.failures.expect(run == self.run, f"the results are of run {run}, not {self.run}")
        found = sorted(contents(self.results))
        self.failures.expect(found == sorted(names), f"{found} after run {run}")
        self.failures.expect(sorted(os.listdir(self.results)) == found, "a folder is left")
        return time.monotonic() - before

    def check_left(self, before, what):
        """After a run that did not end well."""
        run, names = owner(self.results, self.failures)
        after = contents(self.results)
        # Without a summary a kill had hit the exchange of the files, which this
        # run will have carried out.
        if run is not None and run != self.run and "summary.json" in before:
            same = all(after.get(name) == value for name, value in before.items()
                       if name != "checkpoint.bin" and not name.startswith(".rankine-staging-"))
            self.failures.expect(same, f"{what}: the earlier results changed")
        self.count(what + (": earlier results" if run not in (None, self.run) else
                           ": no summary" if run is None else ": new results"))

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def kill(self, number, length):
        before = contents(self.results)
        process = self.start()
        time.sleep(random.uniform(0.0, 1.05) * length)
        iterate = "residual" in self.said() and process.poll() is None
        process.send_signal(number)
        sent = time.monotonic()
        code = process.wait()
        took = time.monotonic() - sent
        what = signal.Signals(number).name
        if number != signal.SIGKILL and code == 130:
            self.longest = max(getattr(self, "longest", 0.0), took)
            self.failures.expect(took < 2.0, f"{what} was obeyed after {took:.2f} s")
            saved = os.path.exists(os.path.join(self.results, "checkpoint.bin"))
            self.failures.expect(saved or not iterate,
     f"{what}: no checkpoint of an iterate: {self.said()}")
            temporary = [name for name in os.listdir(self.results) if name.startswith(".")]
            self.failures.expect(not temporary, f"{what}: {temporary} left")
            self.count(f"{what}: with a checkpoint" if saved else f"{what}: before an iterate")
        elif code == -number and not self.said():
            self.count(f"{what}: before the program had begun")
        elif number != signal.SIGKILL:
            self.failures.expect(code == 0, f"{what}: exit code {code}: {self.said()}")
        self.check_left(before, what)

    def fill(self, bytes_left):
        before = contents(self.results)

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_left, bytes_left))
        code = self.start(*self.fewer(), prepare=limit).wait()
        self.failures.expect(
            code in (0, 2),
            f"full at {bytes_left}: exit code {code}: {self.said()}")
        self.check_left(before, "full file system")

    def fill_tmpfs(self, size):
        """On a file system of its own, which takes root."""
        disk = os.path.join(self.folder, "disk")
        os.makedirs(disk, exist_ok=True)
        options = ["-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk]
        if subprocess.run(["mount", *options], stderr=subprocess.DEVNULL).returncode != 0:
            self.count("SKIPPED: a tmpfs cannot be mounted")
            return
        kept, self.results = self.results, os.path.join(disk, "results")
        try:
            codes = []
            for _ in range(2):
                before = contents(self.results) if os.path.exists(self.results) else {}
                codes.append(self.start(*self.fewer()).wait())
                self.failures.expect(
                    codes[-1] in(0, 2),
                    f"tmpfs of {size}: exit code {codes[-1]}: {self.said()}")
                if os.path.exists(self.results):
                    self.check_left(before, "tmpfs")
                    temporary = [name for name in os.listdir(self.results) if name.startswith(".")]
                    self.failures.expect(not temporary, f"tmpfs of {size}: {temporary} left")
        finally:
            self.results = kept
            subprocess.run(["umount", disk], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rankine")
    parser.add_argument(
    "--kills",
    type=int,
    default=50,
     help="moments, for SIGKILL, SIGTERM and SIGINT in turn")
    parser.add_argument("--sizes", type=int, default=20, help="sizes at which the disk is full")
    parser.add_argument("--panels", type=int, default=40000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    stress = Stress(arguments)
    length = stress.whole_run()
    for index in range(arguments.kills):
        stress.kill((signal.SIGKILL, signal.SIGTERM, signal.SIGINT)[index % 3], length)
        if index % 5 == 4:
            length = stress.whole_run()
    stress.whole_run(*stress.fewer())
    sizes = [os.path.getsize(os.path.join(stress.results, name))
                             for name in os.listdir(stress.results)]
    for index in range(arguments.sizes):
        stress.fill(int(random.uniform(0.0, 1.1) * max(sizes)))
        stress.fill_tmpfs(8192 + int(random.uniform(0.0, 2.5) * sum(sizes)))
    stress.whole_run()
    for what, count in sorted(stress.counts.items()):
        print(f"{count:4d}  {what}")
    print(
        f"the longest time to obey a signal: {getattr(stress, 'longest', 0.0):.2f} s; "
        f"a whole run: {length:.1f} s")
    print(f"{len(stress.failures)} failures")
    shutil.rmtree(stress.folder)
    return 1 if stress.failures else 0


if __name__ == "__main__":
    sys.exit(main())
