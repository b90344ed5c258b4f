#!/usr/bin/env python3
"""Draws what bench_sweep.sh measured, the counterparts of figures 5 and 6 of Yokota & Barba 2011.

Time against N for direct sum, treecode and FMM on every backend, and the parts of the time at the
largest common N.

    scripts/plot_bench.py OUT.jsonl [MORE.jsonl ...] --output docs
    scripts/plot_bench.py --steps STEPS.txt --output cases/discoid

Needs Debian's python3-matplotlib.
"""
import argparse
import json
from collections import defaultdict
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

COLOURS = {"direct": "#b5482d", "treecode": "#3b7a57", "fmm": "#2b5c9e"}
LINES = {"cpu": "--", "cuda": "-"}
PARTS = ["tree, lists", "P2P", "P2M", "M2M", "M2L", "M2P", "P2L", "L2L", "L2P", "other"]


def read(paths):
    rows = []
    for path in paths:
        rows += [json.loads(line) for line in Path(path).read_text().splitlines() if line.strip()]
    if not rows:
        raise SystemExit("no measurements found; run scripts/bench_sweep.sh first")
    return rows


def plot_crossover(rows, path):
    series = defaultdict(dict)
    for row in rows:
        # Few points are summed directly whatever was asked: the same measurement several times.
        times = series[row["backend"], row["method"]]
        times[row["n"]] = min(row["seconds"]["apply"], times.get(row["n"], float("inf")))
    figure, axes = plt.subplots(figsize=(7.0, 4.8))
    for (backend, method), points in sorted(series.items()):
        n, seconds = zip(*sorted(points.items()))
        axes.loglog(
            n, seconds, LINES.get(backend, ":"),
            color=COLOURS[method],
            marker="o", markersize=3.5,
            label=f"{method}, {backend.upper() if backend == 'cpu' else 'GPU'}")
    axes.set_xlabel("points")
    axes.set_ylabel("seconds per apply")
    axes.set_title("Potential and gradient of points in a cube, tolerance 1e-4, double",
                   fontsize=11)
    axes.grid(True, which="major", alpha=0.3)
    axes.legend(frameon=False, fontsize=9)
    figure.tight_layout()
    figure.savefig(path, dpi=150)


def plot_breakdown(rows, path):
    """Of the largest number of points that all methods with passes have: first tree and lists."""
    treed = [row for row in rows if row["method"] != "direct" and "breakdown" in row]
    largest = defaultdict(int)
    for row in treed:
        key = row["backend"], row["method"]
        largest[key] = max(largest[key], row["n"])
    shown = min(largest.values())
    chosen = {(row["backend"], row["method"]): row for row in treed if row["n"] == shown}
    figure, axes = plt.subplots(figsize=(7.0, 1.2 + 0.7 * len(chosen)))
    palette = plt.get_cmap("tab10")
    labels = []
    for place, (key, row) in enumerate(sorted(chosen.items())):
        parts = {"tree, lists": row["seconds"]["setup"], **row["breakdown"]}
        total = sum(parts.values())
        left = 0.0
        for index, name in enumerate(PARTS):
            share = parts.get(name, 0.0) / total
            axes.barh(place, share, left=left, color=palette(index),
                      label=name if place == 0 else None)
            left += share
        backend = "CPU" if key[0] == "cpu" else "GPU"
        labels.append(f"{key[1]}, {backend}\n{total:.3g} s")
    axes.set_yticks(range(len(labels)), labels)
    axes.set_xlim(0.0, 1.0)
    points = f"{shown:,}".replace(",", " ")
    axes.set_xlabel(f"share of set-up and one sum, {points} points")
    axes.legend(ncol=len(PARTS), frameon=False, fontsize=8, loc="lower center",
                bbox_to_anchor=(0.5, 1.0), columnspacing=1.0, handlelength=1.0)
    figure.tight_layout()
    figure.savefig(path, dpi=150)


def plot_steps(table, path):
    """Seconds of the parts of a step, as figure 8 of [SG08], from gpu_particle_bench flow."""
    lines = [line.split() for line in Path(table).read_text().splitlines()]
    rows = [list(map(float, line)) for line in lines if len(line) > 7 and line[0].isdigit()]
    columns = list(zip(*rows))
    figure, axes = plt.subplots(figsize=(7.0, 4.8))
    for column, name in [(3, "motion, three stages"), (4, "sheets"), (5, "diffusion"),
                         (6, "new operators")]:
        axes.loglog(columns[2], columns[column], ".", markersize=4, label=name)
    most = columns[2][-1]
    law = [columns[3][-1] * (n / most) ** 1.24 for n in columns[2]]
    axes.loglog(columns[2], law, "k:", linewidth=1, label="particles to the power 1.24")
    axes.set_xlabel("particles")
    axes.set_ylabel("seconds a step")
    axes.grid(True, which="major", alpha=0.3)
    axes.legend(frameon=False, fontsize=9)
    figure.tight_layout()
    figure.savefig(path, dpi=150)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="measurements, one JSON object a line")
    parser.add_argument("--steps", help="what gpu_particle_bench flow prints, drawn as steps.png")
    parser.add_argument("--output", type=Path, default=Path("."), help="folder of the pictures")
    arguments = parser.parse_args()
    if arguments.steps:
        return plot_steps(arguments.steps, arguments.output / "steps.png")
    rows = read(arguments.files)
    plot_crossover(rows, arguments.output / "crossover.png")
    plot_breakdown(rows, arguments.output / "breakdown.png")


if __name__ == "__main__":
    main()
