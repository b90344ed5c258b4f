#!/usr/bin/env python3
"""Draws the figures of docs/explanation from runs of the program (a minute on two cores).

    draw_method.py RANKINE [FIGURE ...]     all of them, or those named (order, lists, ...)

Needs Debian's python3-matplotlib and python3-vtk9.
"""
import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile

import matplotlib
import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  (the backend comes first)

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGES = os.path.join(ROOT, "docs", "explanation")
BLUE, RED, GREEN, GREY = "#2b5c9e", "#b5482d", "#3b7a57", "#8a8f98"


def solve(case, folder, *settings):
    """The summary of a run. Limits of [verify] may be exceeded (exit code 5)."""
    command = [sys.argv[1], "solve", os.path.join(ROOT, "cases", case), "-o", folder, "--force"]
    for setting in ("output.probe=[]", *settings):
        command += ["--set", setting]
    if subprocess.run(command + ["-q"], stderr=subprocess.DEVNULL).returncode not in (0, 5):
        sys.exit("failed: " + " ".join(command))
    with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
        return json.load(file)


def chart(x, y, **scales):
    figure, axes = pyplot.subplots(figsize=(5.6, 3.6))
    axes.set(xlabel=x, ylabel=y, **scales)
    axes.grid(True, alpha=0.3)
    return figure, axes


def ellipsoids(folder, panels):
    return [solve("ellipsoid/ellipsoid.toml", folder, f"mesh.panel_size={size}",
                  f'solver.panels="{panels}"') for size in (0.8, 0.4, 0.2, 0.1)]


def order(folder):
    figure, axes = chart("panels", "velocity, relative L2 error", xscale="log", yscale="log")
    for panels, colour, power in (("flat", RED, -0.5), ("curved", BLUE, -1.0)):
        runs = ellipsoids(folder, panels)
        n = [run["mesh"]["panels"] for run in runs]
        errors = [run["verify"]["velocity_l2"] for run in runs]
        axes.plot(n, errors, "o-", color=colour, label=panels)
        axes.plot(n, [errors[-1] * (k / n[-1])**power for k in n], ":", color=GREY)
    axes.legend(title="panels (dotted: first, second order)", frameon=False)
    return figure


def estimates(folder):
    figure, axes = chart("true", "estimated", xscale="log", yscale="log",
                         title="velocity, relative L2 error")
    runs = [(BLUE, "ellipsoid, curved", ellipsoids(folder, "curved")),
            (RED, "ellipsoid, flat", ellipsoids(folder, "flat"))]
    for formulation, colour in (("green", GREEN), ("source", GREY)):
        spheres = [solve("sphere/sphere.toml", folder, f"mesh.panels={n}",
                         f'solver.formulation="{formulation}"') for n in (320, 1280, 5120, 20480)]
        runs.append((colour, f"sphere, {formulation}", spheres))
    for colour, label, group in runs:
        axes.plot([run["verify"]["velocity_l2"] for run in group],
                  [run["results"]["error_estimates"]["velocity_l2"] for run in group],
                  "o", color=colour, label=label)
    ends = axes.get_xlim()
    for factor, style in ((1.0, "-"), (1 / 3, ":"), (10.0, ":")):
        axes.plot(ends, [factor * x for x in ends], style, color="black", linewidth=0.8)
    axes.set_xlim(ends)
    axes.legend(frameon=False)
    return figure


def preconditioners(folder):
    figure, axes = chart("iteration", "residual", yscale="log")
    for kind, colour in (("none", RED), ("block", GREEN), ("two-level", BLUE)):
        solve("capacitor/plates.toml", folder, f'solver.preconditioner="{kind}"')
        with open(os.path.join(folder, "residuals.csv"), encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
        axes.plot([int(row["iteration"]) for row in rows],
                  [float(row["residual"]) for row in rows], "-", color=colour, label=kind)
    axes.legend(title="preconditioner", frameon=False)
    return figure


def truncation(_):
    figure, axes = chart("order p", "relative L2 error", yscale="log")
    for points, colour in (("sphere", BLUE), ("cube", RED)):
        runs = [json.loads(subprocess.check_output(
            [sys.argv[1], "bench", "--points", points, "-n", "50000", "--order", str(p),
             "--gradient", "--repeat", "1", "--json"])) for p in range(4, 30, 5)]
        for name, style in (("potential", "o-"), ("gradient", "o--")):
            axes.plot([run["order"] for run in runs], [run["error"][name] for run in runs], style,
                      color=colour, label=f"{points}, {name}")
    axes.legend(frameon=False)
    return figure


def span_loading(folder):
    solve("wing/wing.toml", folder)
    with open(os.path.join(folder, "span_loading.csv"), encoding="utf-8") as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    y, width, circulation = ([row[key] for row in rows] for key in ("y", "width", "circulation"))
    half = sum(width) / 2
    peak = sum(w * c for w, c in zip(width, circulation)) / (math.pi / 2 * half)
    figure, axes = chart("y, m", "circulation, m²/s")
    axes.plot(y, circulation, "-", color=BLUE, label="wing, aspect ratio 4, 5°")
    arc = [math.pi * k / 200 for k in range(201)]
    axes.plot([half * math.cos(a) for a in arc], [peak * math.sin(a) for a in arc], ":", color=GREY,
              label="ellipse of equal lift")
    axes.set_ylim(0.0)
    axes.legend(frameon=False, loc="lower center")
    return figure


def two_elements(folder):
    """The pressure around a wing with a flap, where the flow is two-dimensional."""
    solve("two-element/two-element.toml", folder,
          'output.section=[{name="middle", origin=[0.0, 10.0, 0.0], normal=[0.0, 1.0, 0.0]}]')
    with open(os.path.join(folder, "middle.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    figure, (above, below) = pyplot.subplots(2, figsize=(5.6, 4.8), sharex=True,
                                             height_ratios=(3, 1))
    for body, colour in (("body1", BLUE), ("body2", RED)):
        x, z, cp = ([float(row[key]) for row in rows if row["body"] == body]
                    for key in ("x", "z", "Cp"))
        above.plot(x, cp, "-", color=colour)
        below.fill(x, z, color=colour)
    above.set(ylabel="Cp")
    above.invert_yaxis()
    above.grid(True, alpha=0.3)
    below.set(xlabel="x, m", ylabel="z, m", ylim=(-0.24, 0.12))
    return figure


def near_wall(folder):
    """Points around the unit sphere, where phi = x/(2 r^3)."""
    draw = random.Random(1)
    points, path = [], os.path.join(folder, "points.csv")
    for k in range(6000):
        direction = [draw.gauss(0, 1) for _ in range(3)]
        scale = (1.0 + 10**(-4.0 + 4.5 * k / 6000)) / math.hypot(*direction)
        points.append([scale * d for d in direction])
    with open(path, "w", encoding="utf-8") as file:
        file.write("x,y,z\n" + "".join("%.17g,%.17g,%.17g\n" % tuple(p) for p in points))
    figure, axes = chart("distance from the wall, panel sizes",
                         "velocity error / stream, rms", xscale="log", yscale="log")
    for n, colour in ((1280, RED), (5120, GREEN), (20480, BLUE)):
        solve("sphere/sphere.toml", folder, f"mesh.panels={n}",
              f'output.probe=[{{name="near", kind="points", file="{path}"}}]')
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(os.path.join(folder, "near.vtp"))
        reader.Update()
        x = vtk_to_numpy(reader.GetOutput().GetPoints().GetData()).astype(float)
        u = vtk_to_numpy(reader.GetOutput().GetPointData().GetArray("U"))
        r = numpy.linalg.norm(x, axis=1)[:, None]
        exact = [1.0, 0.0, 0.0] + 0.5 * (numpy.eye(3)[:1] / r**3 - 3 * x[:, :1] * x / r**5)
        squares = ((u - exact)**2).sum(axis=1).reshape(60, 100).mean(axis=1)
        size = math.sqrt(4 * math.pi / n * 4 / math.sqrt(3))  # of an equilateral triangle
        axes.plot((r[50::100] - 1) / size, numpy.sqrt(squares), "-", color=colour,
                  label=f"{n} panels")
    axes.legend(frameon=False)
    return figure


def lists(_):
    """A quadtree of points on a curve, and the lists of one leaf (fmm/interaction_lists.hpp)."""
    draw = random.Random(4)
    points = []
    for _ in range(260):
        t, r = draw.uniform(0, 2 * math.pi), draw.gauss(0.0, 0.004)
        points.append((0.47 + (0.36 + r) * math.cos(t), 0.5 + (0.2 + r) * math.sin(t)))
    boxes = {}  # (level, i, j): points, of boxes that are not empty

    def divide(level, i, j, inside):
        boxes[level, i, j] = inside
        if len(inside) > 6:
            for a in (0, 1):
                for b in (0, 1):
                    half = 2.0**-(level + 1)
                    child = [p for p in inside if int(p[0] / half) == 2 * i + a
                             and int(p[1] / half) == 2 * j + b]
                    if child:
                        divide(level + 1, 2 * i + a, 2 * j + b, child)

    divide(0, 0, 0, points)
    parent = lambda box: (box[0] - 1, box[1] // 2, box[2] // 2)  # noqa: E731
    leaf = {box for box in boxes if len(boxes[box]) <= 6}

    def touch(a, b):
        ends = [(box[k] / 2**box[0], (box[k] + 1) / 2**box[0]) for k in (1, 2) for box in (a, b)]
        return all(low[0] <= high[1] and high[0] <= low[1]
                   for low, high in (ends[0:2], ends[2:4]))

    def kind(b, c):
        if touch(b, c):
            return "U" if c in leaf else None
        if c[0] == b[0] and touch(parent(b), parent(c)):
            return "V"
        if c[0] > b[0] and touch(parent(c), b):
            return "W"
        return "X" if c in leaf and c[0] < b[0] and touch(c, parent(b)) else None

    # The leaf that has most kinds of boxes in its lists.
    target = max(sorted(leaf), key=lambda b: (len({kind(b, c) for c in boxes}), b[0]))
    colours = {"U": "#f2b8a0", "V": "#b9d0ee", "W": "#bfe0c8", "X": "#e6d7f0"}
    names = {"U": "U, near", "V": "V, far", "W": "W, multipole", "X": "X, local"}
    figure, axes = pyplot.subplots(figsize=(5.6, 3.6))
    for box in sorted(boxes):
        colour = RED if box == target else colours.get(kind(target, box), "none")
        size = 2.0**-box[0]
        axes.add_patch(pyplot.Rectangle((box[1] * size, box[2] * size), size, size, linewidth=0.7,
                                        facecolor=colour, edgecolor="#555555"))
    axes.plot(*zip(*points), ".", color="black", markersize=3)
    patches = [pyplot.Rectangle((0, 0), 1, 1, facecolor=RED)]
    patches += [pyplot.Rectangle((0, 0), 1, 1, facecolor=colour) for colour in colours.values()]
    axes.legend(patches, ["the leaf", *names.values()], frameon=False, loc="center left",
                bbox_to_anchor=(1.0, 0.5))
    middle = [(k + 0.5) / 2**target[0] for k in target[1:]]
    window = [(c - 4.2 / 2**target[0], c + 4.2 / 2**target[0]) for c in middle]
    axes.set(xlim=window[0], ylim=window[1], aspect="equal")
    axes.set_axis_off()
    return figure


FIGURES = {"order": order, "near-wall": near_wall, "lists": lists, "truncation": truncation,
           "preconditioners": preconditioners, "estimates": estimates,
           "span-loading": span_loading, "two-elements": two_elements}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "rankine", "font.size": 9})
    for name in sys.argv[2:] or FIGURES:
        with tempfile.TemporaryDirectory() as folder:
            figure = FIGURES[name](folder)
            figure.tight_layout()
            path = os.path.join(PAGES, name + ".svg")
            figure.savefig(path, metadata={"Date": None})
            print("written:", path)


if __name__ == "__main__":
    main()
