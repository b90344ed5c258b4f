#!/usr/bin/env python3
"""Compares the figures in the READMEs of the examples with what the program finds.

    check_examples.py RANKINE [NAME ...]      all examples, or those named; minutes to half an hour

A row of a table is compared if its first cell names one number of summary.json, as in
`results.force[2]`. It belongs to the last `rankine solve` before it, and its last cell begins with
the number, which may differ by one unit of its last digit; "below X" is a bound of the magnitude.
Probes are left out: no figure comes from them.
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NUMBER = r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?"


def rows(readme):
    """(Command, place in the summary, what the last cell says) of each row to compare."""
    command = None
    for line in readme.replace("\\\n", " ").splitlines():
        if line.startswith("rankine solve "):
            command = line
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        place = re.search(r"`((?:results|verify|solver)[\w.\[\]]*)`", cells[0])
        if line.startswith("|") and place and re.match(rf"(below )?{NUMBER}", cells[-1]):
            yield command, place.group(1), cells[-1]


def number_at(summary, place):
    for key in re.findall(r"[^.\[\]]+", place):
        summary = summary[int(key) if isinstance(summary, list) else key]
    return float(summary)


def objection(text, value):
    """What is wrong with the text of a cell; empty if it is right."""
    shown = re.search(NUMBER, text).group()
    if text.startswith("below"):
        return "" if abs(value) < float(shown) else f"found {value:.3g}"
    mantissa, _, exponent = shown.partition("e")
    decimals = len(mantissa.partition(".")[2])
    unit = 10.0 ** (int(exponent or 0) - decimals)
    return "" if abs(float(shown) - value) <= unit else f"found {value:.8g}"


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    program, examples = os.path.abspath(sys.argv[1]), os.path.join(ROOT, "cases")
    names = sys.argv[2:] or sorted(name for name in os.listdir(examples)
                                   if os.path.exists(os.path.join(examples, name, "README.md")))
    compared, wrong = 0, 0
    for name in names:
        found = {}
        with open(os.path.join(examples, name, "README.md"), encoding="utf-8") as file:
            figures = list(rows(file.read()))
        if not figures:
            sys.exit(f"cases/{name}/README.md: no row names a number of summary.json")
        for command, place, text in figures:
            if command not in found:
                with tempfile.TemporaryDirectory() as folder:
                    subprocess.run([program, *shlex.split(command)[1:], "-q", "-o", folder,
                                    "--set", "output.probe=[]"], cwd=ROOT, check=True)
                    with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
                        found[command] = json.load(file)
            problem = objection(text, number_at(found[command], place))
            compared, wrong = compared + 1, wrong + bool(problem)
            if problem:
                print(f"cases/{name}/README.md: {place} is {text} there; {problem}")
    print(f"{compared} figures compared, {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
