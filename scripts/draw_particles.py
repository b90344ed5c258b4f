#!/usr/bin/env python3
"""Draws particles of a results directory without a screen, as a picture or an animation.

    rankine view RESULTS        or, beside them, python3 view.py: written to RESULTS/view.png
    draw_particles.py RESULTS PICTURE.png [--steps 0 100 200] [--view xy] [--colour ARRAY] ...
    draw_particles.py RESULTS ANIMATION.gif [--view xy]

Needs numpy, matplotlib and VTK's Python (Debian: python3-matplotlib python3-vtk9); VTK reads the
files and renders nothing. Particles are projected along an axis. Without --colour the picture shows
their number on a grid, on a logarithmic scale. With --integrated it shows sums of --colour over
area: of strengths the size of the vorticity, integrated along the line of sight. With --probe PLANE
it shows that plane of the case instead, coloured by --colour and blank inside bodies.
"""
import argparse
import os
import sys
import xml.etree.ElementTree

try:
    import matplotlib
    import numpy as np
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLImageDataReader, vtkXMLPolyDataReader
except ImportError as missing:
    print(f"error: pictures of particles need matplotlib and VTK's Python, and {sys.executable} "
          f"has none ({missing}); Debian: apt-get install python3-matplotlib python3-vtk9, and set "
          "RANKINE_PYTHON=/usr/bin/python3", file=sys.stderr)
    sys.exit(6)

matplotlib.use("Agg")
from matplotlib import animation, colors, pyplot  # noqa: E402  (the backend comes first)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    here = os.path.dirname(os.path.abspath(sys.argv[0]))
    add("results", nargs="?", default=here, help="(default: this script's folder)")
    add("picture", nargs="?", help=".png, or .gif for an animation (default: view.png there)")
    add("-o", "--output", help="the same as PICTURE")
    add("--steps", type=int, nargs="+", help="of a picture (default: first, middle, last)")
    add("--view", default="xy", help="axes to the right and upwards (default: xy)")
    add("--azimuth", type=float, help="degrees: seen from there instead of along an axis")
    add("--elevation", type=float, nargs="+", default=[20.0], help="degrees; a picture for each")
    add("--sample", type=int,
        help="draw at most so many particles, likelier those of larger --colour")
    add("--colour", "--array", help="point data; of vectors the length")
    add("--integrated", action="store_true", help="--colour over area on a grid, on a root scale")
    add("--probe", metavar="PLANE", help="a plane of the case, with --colour; axes are its own")
    add("--most", type=float, help="end of the colours (default: the largest value)")
    add("--label", help="of the colours (default: the array)")
    add("--limits", type=float, nargs=4, metavar=("LEFT", "RIGHT", "LOW", "HIGH"), help="m")
    add("--size", type=float, default=2.0, help="of a point, points")
    arguments = parser.parse_args()
    arguments.picture = (arguments.picture or arguments.output
                         or os.path.join(arguments.results, "view.png"))
    for name in ("probe", "integrated"):
        if getattr(arguments, name) and not arguments.colour:
            parser.error(f"--{name} needs --colour, an array")
    return arguments


def series(results, name):
    """Times and files of the collection."""
    root = xml.etree.ElementTree.parse(os.path.join(results, name + ".pvd")).getroot()
    return [(float(each.get("timestep")), os.path.join(results, each.get("file")))
             for each in root.iter("DataSet")]


def step_of(path):
    return int(os.path.basename(path).rsplit("_", 1)[1].split(".")[0])


def view(arguments, elevation):
    """Unit vectors to the right, upwards and towards the eye."""
    if arguments.azimuth is None:
        right, up = np.eye(3)[["xyz".index(axis) for axis in arguments.view]]
        return np.array([right, up, np.cross(right, up)])
    a, e = np.radians([arguments.azimuth, elevation])
    towards = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    right = np.array([-np.sin(a), np.cos(a), 0])
    return np.array([right, np.cross(towards, right), towards])


def read(path, turn, name, sample=None):
    """The two coordinates that are seen, and the colours, of all particles or of a sample."""
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    data = reader.GetOutput()
    points = vtk_to_numpy(data.GetPoints().GetData()).astype(float)
    values = None
    if name:
        values = vtk_to_numpy(data.GetPointData().GetArray(name)).astype(float)
        values = np.linalg.norm(values, axis=1) if values.ndim == 2 else values
    if sample:
        chance = None if values is None else values / values.sum()
        taken = np.unique(np.random.default_rng(1).choice(len(points), sample, p=chance))
        taken = taken[np.argsort(points[taken] @ turn[2])]
        points, values = points[taken], None if values is None else values[taken]
    return points @ turn[0], points @ turn[1], values


def read_plane(path, name):
    """Names of the axes, coordinates along them, and colours (of vectors the length)."""
    reader = vtkXMLImageDataReader()
    reader.SetFileName(path)
    reader.Update()
    grid = reader.GetOutput()
    if grid.GetPointData().GetArray(name) is None:
        raise SystemExit(f"error: {path} has no array {name}")
    points = grid.GetDimensions()
    axes = [k for k in range(3) if points[k] > 1]
    places = [grid.GetOrigin()[k] + grid.GetSpacing()[k] * np.arange(points[k]) for k in axes]
    values = vtk_to_numpy(grid.GetPointData().GetArray(name)).astype(float)
    values = np.linalg.norm(values, axis=1) if values.ndim == 2 else values
    if grid.GetPointData().GetArray("inside") is not None:
        inside = vtk_to_numpy(grid.GetPointData().GetArray("inside")) > 0
        values = np.ma.masked_where(inside, values)
    return "".join("xyz"[k] for k in axes), *places, values.reshape(len(places[1]), len(places[0]))


class Plane:
    """What all pictures of a plane share."""

    def __init__(self, frames, arguments):
        self.arguments = arguments
        loaded = [read_plane(path, arguments.colour) for _, path in frames]
        self.axes, right, up = loaded[0][:3]
        self.limits = arguments.limits or [right[0], right[-1], up[0], up[-1]]
        self.norm = colors.Normalize(min(each[3].min() for each in loaded),
                                     arguments.most or max(each[3].max() for each in loaded))

    def draw(self, axes, time, path):
        _, right, up, values = read_plane(path, self.arguments.colour)
        axes.clear()
        shown = axes.pcolormesh(right, up, values, norm=self.norm,
                                cmap="inferno", shading="nearest")
        label(axes, self.limits, self.axes, time)
        return shown


def label(axes, limits, names, time):
    """`names`: of the axes; none where a picture is turned."""
    axes.set_xlim(*limits[:2])
    axes.set_ylim(*limits[2:])
    axes.set_aspect("equal")
    if names:
        axes.set_xlabel(f"{names[0]}, m")
        axes.set_ylabel(f"{names[1]}, m")
    else:
        axes.set_axis_off()
    axes.set_title(f"t = {time:.3g} s")


class Frame:
    """What all pictures of a series of particles share: limits and colours."""

    def __init__(self, frames, arguments, elevation):
        self.arguments = arguments
        self.turn = view(arguments, elevation)
        loaded = [read(path, self.turn, arguments.colour) for _, path in frames]
        right, up = (np.concatenate([each[k] for each in loaded]) for k in (0, 1))
        margin = 0.05 * max(np.ptp(right), np.ptp(up))
        self.limits = arguments.limits or [right.min() - margin, right.max() + margin,
                                           up.min() - margin, up.max() + margin]
        if arguments.integrated:
            most = arguments.most or max(self.integrals(*each)[0].max() for each in loaded)
            self.norm = colors.PowerNorm(0.5, 0, most)
        elif arguments.colour:
            values = np.concatenate([each[2] for each in loaded])
            low, high = values.min(), arguments.most or values.max()
            if high - low <= 1e-6 * abs(high):  # a spread that is rounding
                high = low + abs(low)
            self.norm = colors.Normalize(low, high)
        else:
            self.norm = colors.LogNorm(1, max(2, self.counts(*loaded[0][:2])[0].max()))

    def counts(self, right, up, cells=160, values=None):
        left, end, low, high = self.limits
        return np.histogram2d(right, up, cells, [[left, end], [low, high]], weights=values)

    def integrals(self, right, up, values):
        left, end, low, high = self.limits
        cell = (end - left) / 160
        cells = [160, max(1, round((high - low) / cell))]
        sums, x, y = self.counts(right, up, cells, values)
        return sums / (cell * (high - low) / cells[1]), x, y

    def draw(self, axes, time, path):
        right, up, values = read(path, self.turn, self.arguments.colour, self.arguments.sample)
        axes.clear()
        if self.arguments.integrated:
            sums, x, y = self.integrals(right, up, values)
            shown = axes.pcolormesh(x, y, sums.T, norm=self.norm, cmap="inferno")
        elif values is None:
            count, x, y = self.counts(right, up)
            axes.set_facecolor(matplotlib.colormaps["inferno"](0.0))
            shown = axes.pcolormesh(x, y, np.ma.masked_equal(count.T, 0), norm=self.norm,
                                    cmap="inferno")
        else:
            shown = axes.scatter(right, up, s=self.arguments.size, c=values, norm=self.norm,
                                 cmap="viridis", linewidths=0)
        names = self.arguments.view if self.arguments.azimuth is None else None
        label(axes, self.limits, names, time)
        return shown


def views_of(frames, arguments):
    if arguments.probe:
        return [Plane(frames, arguments)]
    return [Frame(frames, arguments, elevation) for elevation in arguments.elevation]


def draw_picture(frames, arguments):
    """960 pixels wide: side by side, or one above the other where pictures are wide."""
    steps = arguments.steps or [step_of(frames[k][1]) for k in (0, len(frames) // 2, -1)]
    chosen = [each for each in frames if step_of(each[1]) in steps]
    views = views_of(chosen, arguments)
    shape = max((high - low) / (end - left) for left, end, low, high in
                (each.limits for each in views))
    columns = 1 if shape < 0.6 else len(chosen)
    rows = len(views) * len(chosen) // columns
    figure, places = pyplot.subplots(
        rows, columns, figsize=(9.6, rows * (8.0 / columns * shape + 0.4) + 0.5), dpi=100,
        sharex=len(views) == 1, sharey=len(views) == 1, squeeze=False, layout="constrained")
    pictures = [(each, *frame) for each in views for frame in chosen]
    for axes, (each, time, path) in zip(places.flat, pictures):
        shown = each.draw(axes, time, path)
        axes.label_outer()
    figure.colorbar(shown, ax=places, shrink=0.8,
                    label=arguments.label or arguments.colour or "particles")
    figure.savefig(arguments.picture)
    from PIL import Image  # of few colours: a quarter of the bytes
    Image.open(arguments.picture).convert("RGB").quantize(96).save(arguments.picture, optimize=True)


def draw_animation(frames, arguments):
    frame = views_of(frames, arguments)[0]
    left, end, low, high = frame.limits
    figure, axes = pyplot.subplots(
        figsize=(3.2 * min(max((end - left) / (high - low), 0.5), 2.0) + 0.9, 3.4), dpi=80,
        layout="constrained")
    film = animation.FuncAnimation(figure, lambda k: frame.draw(axes, *frames[k]),
                                   frames=len(frames))
    film.save(arguments.picture, writer=animation.PillowWriter(fps=12))


def main():
    arguments = parse_arguments()
    frames = series(arguments.results, arguments.probe or "particles")
    if arguments.picture.endswith(".gif"):
        draw_animation(frames, arguments)
    else:
        draw_picture(frames, arguments)


if __name__ == "__main__":
    main()
