#!/usr/bin/env python3
"""Draws the surface of a results directory, coloured by one of its arrays, without a screen.

    draw_example.py RESULTS ARRAY PICTURE.png [--label TEXT] [--plane FILE.vti] [--mirror AXES] ...

Needs numpy, matplotlib and VTK's Python (Debian: python3-matplotlib python3-vtk9). Panels are
sorted by their distance and filled one after the other; VTK reads the files and renders nothing.
"""
import argparse
import os

import matplotlib
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLImageDataReader, vtkXMLPolyDataReader

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  (the backend comes first)
from matplotlib.collections import PolyCollection  # noqa: E402


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results")
    parser.add_argument("array", help="cell data of surface.vtp; of vectors the length")
    parser.add_argument("picture")
    parser.add_argument("--label", help="of the colours (default: the array)")
    parser.add_argument("--plane", help="a plane probe of the results, drawn in the same colours")
    parser.add_argument("--plane-array", help="its point data, where they have another name")
    parser.add_argument(
    "--mirror",
    default="",
     help="axes, as y or yz: draw the images beyond their planes, too")
    parser.add_argument("--azimuth", type=float, default=-60.0)
    parser.add_argument("--elevation", type=float, default=25.0)
    parser.add_argument("--range", type=float, nargs=2, help="of the colours")
    return parser.parse_args()


def read(reader, path):
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def lengths(array):
    values = vtk_to_numpy(array).astype(float)
    return np.linalg.norm(values, axis=1) if values.ndim == 2 else values


def surface(path, name):
    """Corners of every panel, and its value."""
    data = read(vtkXMLPolyDataReader(), path)
    points = vtk_to_numpy(data.GetPoints().GetData()).astype(float)
    polygons = [
        points[[data.GetCell(i).GetPointId(k) for k in range(data.GetCell(i).GetNumberOfPoints())]]
        for i in range(data.GetNumberOfCells())
    ]
    return polygons, lengths(data.GetCellData().GetArray(name))


def plane(path, name):
    """Cells of a plane probe in the fluid, and the means of their corners."""
    data = read(vtkXMLImageDataReader(), path)
    values, inside = lengths(data.GetPointData().GetArray(
        name)), data.GetPointData().GetArray("inside")
    inside = vtk_to_numpy(inside) if inside else np.zeros(len(values))
    polygons, means = [], []
    for i in range(data.GetNumberOfCells()):
        cell = data.GetCell(i)
        ids = [cell.GetPointId(k) for k in range(4)]
        if inside[ids].any():
            continue
        ring = ids if cell.GetCellType() == 9 else [ids[0], ids[1], ids[3], ids[2]]
        polygons.append(np.array([data.GetPoint(k) for k in ring]))
        means.append(values[ids].mean())
    return polygons, np.array(means)


def view(azimuth, elevation):
    """Rows: to the right, upwards, towards the viewer."""
    a, e = np.radians([azimuth, elevation])
    towards = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    right = np.array([-np.sin(a), np.cos(a), 0.0])
    return np.array([right, np.cross(towards, right), towards])


def main():
    arguments = parse_arguments()
    polygons, values = surface(os.path.join(arguments.results, "surface.vtp"), arguments.array)
    for axis in ("xyz".index(letter) for letter in arguments.mirror):
        sign = np.ones(3)
        sign[axis] = -1.0
        polygons = polygons + [polygon * sign for polygon in polygons]
        values = np.concatenate([values, values])
    low, high = arguments.range or (values.min(), values.max())
    if arguments.plane:
        more, means = plane(os.path.join(arguments.results, arguments.plane),
                            arguments.plane_array or arguments.array)
        polygons, values = polygons + more, np.concatenate([values, means])
    turn = view(arguments.azimuth, arguments.elevation)
    turned = [polygon @ turn.T for polygon in polygons]
    order = np.argsort([polygon[:, 2].mean() for polygon in turned])
    figure, axes = pyplot.subplots(figsize=(6.4, 3.8), dpi=110)
    faces = PolyCollection(
        [turned[i] [:,: 2] for i in order],
        array=values[order],
        cmap="viridis", edgecolors="face", linewidths=0.2)
    faces.set_clim(low, high)
    axes.add_collection(faces)
    axes.autoscale()
    axes.set_aspect("equal")
    axes.set_axis_off()
    figure.colorbar(faces, ax=axes, shrink=0.7, label=arguments.label or arguments.array)
    figure.tight_layout()
    figure.savefig(arguments.picture)
    from PIL import Image  # of few colours: a quarter of the bytes
    Image.open(arguments.picture).convert("RGB").quantize(96).save(arguments.picture, optimize=True)


if __name__ == "__main__":
    main()
