#!/usr/bin/env python3
"""Follows the tutorials word by word and compares what they show with what comes out.

    check_tutorials.py RANKINE [NAME ...]     all pages of docs/tutorials, or those named

A block below a line that ends with "as `NAME`:" is saved as that file. Blocks of sh are run, in a
folder that also has the files beside the page. Every line of a block of text must be among the
lines of the last command, and a row of a table whose cells name a number of summary.json is
compared as in check_examples.py, with the results of the last solve. Notebooks are compared by
python/tests/test_notebook.py.
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from check_examples import ROOT, NUMBER, number_at, objection

PAGES = os.path.join(ROOT, "docs", "tutorials")


def steps(page):
    """(kind, text) in the order of the page: file NAME, sh, text or row, and what it holds."""
    name = None
    parts = re.split(r"^```(\w*)\n(.*?)^```$", page, flags=re.M | re.S)
    for k in range(0, len(parts), 3):
        for line in parts[k].splitlines():
            if line.startswith("|"):
                yield "row", line
        found = re.search(r"[Ss]ave as `([\w.-]+)`", parts[k].strip().split("\n\n")[-1])
        name = found and found.group(1)
        if k + 1 < len(parts):
            yield f"file {name}" if name else parts[k + 1], parts[k + 2]


def results_of(command):
    words = shlex.split(command)
    for option in ("-o", "--output"):
        if option in words:
            return words[words.index(option) + 1]
    return "results"


class Follower:
    def __init__(self, program, folder):
        self.folder, self.results, self.lines, self.compared = folder, None, [], 0
        path = os.path.dirname(program) + ":" + os.environ["PATH"]
        self.environment = dict(os.environ, PATH=path)

    def run(self, text):
        for command in text.replace("\\\n", " ").splitlines():
            done = subprocess.run(["sh", "-c", command], cwd=self.folder, env=self.environment,
                                  capture_output=True, text=True, check=False)
            if done.returncode != 0:
                return f"{command}: exit code {done.returncode}: {done.stderr[-2000:]}"
            self.lines = [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]
            if command.startswith("rankine solve"):
                self.results = results_of(command)
            self.compared += 1
        return ""

    def show(self, text):
        missing = [line for line in text.splitlines() if line.rstrip() not in self.lines]
        self.compared += len(text.splitlines())
        return f"not printed: {missing}; printed: {self.lines}" if missing else ""

    def compare(self, row):
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        place = re.search(r"`((?:results|solver)[\w.\[\]]*)`", cells[0])
        if not place or not re.match(rf"(below )?{NUMBER}", cells[-1]):
            return ""
        summary = os.path.join(self.folder, self.results, "summary.json")
        with open(summary, encoding="utf-8") as file:
            value = number_at(json.load(file), place.group(1))
        self.compared += 1
        wrong = objection(cells[-1], value)
        return f"{place.group(1)} is {cells[-1]} on the page, {wrong}" if wrong else ""


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    names = sys.argv[2:] or sorted(name[:-3] for name in os.listdir(PAGES)
                                   if name.endswith(".md") and name != "index.md"
                                   and not os.path.exists(f"{PAGES}/{name[:-3]}.ipynb"))
    compared, wrong = 0, 0
    for name in names:
        with open(os.path.join(PAGES, name + ".md"), encoding="utf-8") as file:
            page = file.read()
        with tempfile.TemporaryDirectory() as folder:
            for other in os.listdir(PAGES):
                if not other.endswith(".md"):
                    shutil.copy(os.path.join(PAGES, other), folder)
            follower = Follower(os.path.abspath(sys.argv[1]), folder)
            for kind, text in steps(page):
                objections = ""
                if kind.startswith("file "):
                    with open(os.path.join(folder, kind[5:]), "w", encoding="utf-8") as file:
                        file.write(text)
                elif kind == "sh":
                    objections = follower.run(text)
                elif kind == "text":
                    objections = follower.show(text)
                elif kind == "row":
                    objections = follower.compare(text)
                if objections:
                    print(f"{name}: {objections}")
                    wrong += 1
            if follower.compared == 0:
                print(f"{name}: nothing to compare")
                wrong += 1
            compared += follower.compared
    print(f"{compared} commands, lines and figures compared, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
