#!/usr/bin/env pvpython
"""Opens the results of a case in ParaView and saves a picture.

    pvpython view.py                        the results beside this script, written to view.png
    xvfb-run -a pvpython view.py            the same on a machine without a screen
    pvpython view.py RESULTS -o sphere.png --azimuth 30 --elevation 20

The body is coloured by the pressure coefficient Cp, and so is the plane through it that a plane or
box probe gives, with arrows of the velocity. A box probe adds streamlines. Without probes the picture
shows the body alone. In the ParaView window, use File > Open on surface.vtp instead.
"""
import argparse
import json
import math
import os
import sys

MISSING = """view.py needs ParaView's Python, which this interpreter does not have.
  Debian 12:   apt-get install paraview python3-paraview xvfb
               (python3-paraview and libvtk9-dev exclude each other: use another machine)
  then:        xvfb-run -a pvpython {script}
  or:          open surface.vtp in the ParaView window and colour it by Cp"""


def parse_arguments():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__,
     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
    "results",
    nargs="?",
    default=here,
     help="results directory (default: that of this script)")
    parser.add_argument(
    "-o",
    "--output",
     help="picture to write (default: view.png in the results directory)")
    parser.add_argument(
    "--size",
    type=int,
    nargs=2,
    default=[
        1600,
        900],
        metavar=(
            "W",
            "H"),
             help="pixels")
    parser.add_argument("--azimuth", type=float, default=-
    20.0, help="degrees from broadside, negative to see more of the front")
    parser.add_argument("--elevation", type=float, default=32.0, help="degrees above the horizon")
    parser.add_argument("--zoom", type=float, default=1.0, help="larger is closer")
    parser.add_argument("--no-streamlines", action="store_true")
    parser.add_argument("--no-arrows", action="store_true")
    arguments = parser.parse_args()
    arguments.output = arguments.output or os.path.join(arguments.results, "view.png")
    return arguments


def read_summary(results):
    """The summary of the run; an empty one where it is missing."""
    try:
        with open(os.path.join(results, "summary.json"), encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


class Frame:
    """Unit vectors along the stream, upwards and towards the viewer; the extent of the body."""

    def __init__(self, bounds, velocity):
        self.centre = [(bounds[2 * i] + bounds[2 * i + 1]) / 2 for i in range(3)]
        self.half = [(bounds[2 * i + 1] - bounds[2 * i]) / 2 for i in range(3)]
        self.radius = math.sqrt(sum(h * h for h in self.half))
        self.speed = math.sqrt(sum(u * u for u in velocity)) or 1.0
        self.stream = [u / self.speed for u in velocity]
        self.up = [0.0, 0.0, 1.0] if abs(self.stream[2]) < 0.9 else [0.0, 1.0, 0.0]
        s, u = self.stream, self.up
        across = [s[1] * u[2] - s[2] * u[1], s[2] * u[0] - s[0] * u[2], s[0] * u[1] - s[1] * u[0]]
        length = math.sqrt(sum(a * a for a in across))
        self.across = [a / length for a in across]

    def point(self, along, across, up):
        """Body centre plus multiples of metres along the three directions."""
        return [
    self.centre[i] +
    along *
    self.stream[i] +
    across *
    self.across[i] +
    up *
     self.up[i] for i in range(3)]

    def extent(self, direction):
        """Half the body's width along a unit direction."""
        return sum(abs(d) * h for d, h in zip(direction, self.half))


def quantity_of(surface):
    """Cp, or the potential where nothing says to which pressure Cp would refer."""
    return "Cp" if "Cp" in surface.PointData.keys() else "phi"


def colour_by(pv, display, quantity, largest):
    """One map for body and plane, symmetric about the pressure of the stream, which is white."""
    pv.ColorBy(display, ("POINTS", quantity))
    table = pv.GetColorTransferFunction(quantity)
    table.ApplyPreset("Cool to Warm", True)
    table.RescaleTransferFunction(-largest, largest)
    return table


def show_body(pv, view, results):
    surface = pv.XMLPolyDataReader(FileName=[os.path.join(results, "surface.vtp")])
    surface.UpdatePipeline()
    smooth = pv.GenerateSurfaceNormals(Input=surface, FeatureAngle=40)
    display = pv.Show(smooth, view)
    quantity = quantity_of(surface)
    largest = max(abs(value) for value in surface.PointData[quantity].GetRange())
    table = colour_by(pv, display, quantity, largest)
    display.Ambient, display.Diffuse, display.Specular, display.SpecularPower = 0.35, 0.7, 0.15, 40
    bar = pv.GetScalarBar(table, view)
    bar.Title, bar.ComponentTitle = quantity, ""
    bar.Orientation, bar.WindowLocation = "Vertical", "Any Location"
    bar.Position, bar.ScalarBarLength, bar.ScalarBarThickness = [0.93, 0.29], 0.42, 14
    bar.TitleColor = bar.LabelColor = [0.15, 0.15, 0.15]
    bar.TitleFontSize, bar.LabelFontSize = 22, 18
    bar.LabelFormat, bar.RangeLabelFormat, bar.AutomaticLabelFormat = (
        "%.1f" if quantity == "Cp" else "%.3g"), "%.2f", 0
    bar.HorizontalTitle = 1
    display.SetScalarBarVisibility(view, True)
    return surface, largest


def find_probes(pv, results):
    """Readers of the probe volumes: boxes (three dimensions) and planes."""
    boxes, planes = [], []
    for name in sorted(os.listdir(results)):
        if not name.endswith(".vti"):
            continue
        reader = pv.XMLImageDataReader(FileName=[os.path.join(results, name)])
        reader.UpdatePipeline()
        extent = reader.GetDataInformation().GetExtent()
        thick = sum(extent[2 * i + 1] > extent[2 * i] for i in range(3))
        (boxes if thick == 3 else planes).append(reader)
    return boxes, planes


def layer(pv, grid, frame, arrows=0):
    """The layer of a probe grid through the body's centre, across the most upward direction. With
    `arrows` it is thinned to about so many points along its longer side."""
    information = grid.GetDataInformation()
    extent, bounds = list(information.GetExtent()), information.GetBounds()
    axis = max(range(3), key=lambda i: abs(frame.up[i]))
    cells = extent[2 * axis + 1] - extent[2 * axis]
    if cells > 0:
        share = (frame.centre[axis] - bounds[2 * axis]) / (bounds[2 * axis + 1] - bounds[2 * axis])
        extent[2 * axis] = extent[2 * axis + 1] = extent[2 * axis] + round(share * cells)
    subset = pv.ExtractSubset(Input=grid, VOI=extent)
    longest = max(range(3), key=lambda i: extent[2 * i + 1] - extent[2 * i])
    points = extent[2 * longest + 1] - extent[2 * longest]
    rate = max(1, round(points / arrows)) if arrows else 1
    subset.SampleRateI = subset.SampleRateJ = subset.SampleRateK = rate
    spacing = rate * (bounds[2 * longest + 1] - bounds[2 * longest]) / max(points, 1)
    return subset, spacing


def show_plane(pv, view, grid, frame, quantity, largest):
    plane, _ = layer(pv, grid, frame)
    display = pv.Show(plane, view)
    display.SetRepresentationType("Slice")
    colour_by(pv, display, quantity, largest)
    display.Opacity = 0.85


def show_arrows(pv, view, grid, frame):
    points, spacing = layer(pv, grid, frame, arrows=24)
    outside = pv.Threshold(
    Input=points,
    Scalars=[
        "POINTS",
        "inside"],
        ThresholdMethod="Below Lower Threshold",
         LowerThreshold=0.5)
    arrows = pv.Glyph(Input=outside, GlyphType="Arrow", GlyphMode="All Points")
    arrows.OrientationArray = ["POINTS", "U"]
    arrows.ScaleArray = ["POINTS", "U"]
    arrows.ScaleFactor = 0.55 * spacing / frame.speed
    arrows.GlyphType.TipResolution = arrows.GlyphType.ShaftResolution = 16
    arrows.GlyphType.TipRadius, arrows.GlyphType.ShaftRadius = 0.11, 0.03
    display = pv.Show(arrows, view)
    display.ColorArrayName = [None, ""]
    display.DiffuseColor = display.AmbientColor = [0.45, 0.48, 0.53]


def show_streamlines(pv, view, box, frame):
    """Two rakes of seeds upstream, at a quarter and nine tenths of the body's height."""
    upstream = -1.3 * frame.extent(frame.stream)
    width, height = 1.15 * frame.extent(frame.across), frame.extent(frame.up)
    for share, count in ((0.25, 12), (0.9, 8)):
        reach = width * count / 12
        seeds = pv.Line(Point1=frame.point(upstream, -reach, share * height),
                        Point2=frame.point(upstream, reach, share * height), Resolution=count - 1)
        lines = pv.StreamTracerWithCustomSource(Input=box, SeedSource=seeds)
        lines.Vectors = ["POINTS", "U"]
        lines.IntegrationDirection = "BOTH"
        lines.MaximumStreamlineLength = 30 * frame.radius
        lines.MaximumSteps = 20000
        lines.TerminalSpeed = 1e-3 * frame.speed
        tubes = pv.Tube(Input=lines, Radius=0.005 * frame.radius, NumberofSides=12)
        display = pv.Show(tubes, view)
        display.ColorArrayName = [None, ""]
        display.DiffuseColor = display.AmbientColor = [0.20, 0.27, 0.38]
        display.Ambient, display.Specular = 0.25, 0.2


def place_camera(view, frame, arguments):
    azimuth, elevation = math.radians(arguments.azimuth), math.radians(arguments.elevation)
    along, across = math.sin(azimuth) * math.cos(elevation), math.cos(azimuth) * math.cos(elevation)
    distance = 6.0 * frame.radius
    view.CameraFocalPoint = frame.centre
    view.CameraPosition = frame.point(
    distance * along,
    distance * across,
     distance * math.sin(elevation))
    view.CameraViewUp = frame.up
    view.CameraViewAngle = 30
    view.ResetCamera(True)
    view.GetActiveCamera().Dolly(1.22 * arguments.zoom)


def main():
    arguments = parse_arguments()
    try:
        from paraview import simple as pv
    except ImportError:
        sys.exit(MISSING.format(script=os.path.relpath(os.path.abspath(__file__))))
    if not os.path.exists(os.path.join(arguments.results, "surface.vtp")):
        sys.exit(f"{arguments.results}: no surface.vtp here; run rankine solve first")
    summary = read_summary(arguments.results)

    pv._DisableFirstRenderCameraReset()
    view = pv.CreateView("RenderView")
    view.ViewSize = arguments.size
    view.UseColorPaletteForBackground = 0
    view.Background = [1.0, 1.0, 1.0]
    view.OrientationAxesVisibility = 0
    surface, largest = show_body(pv, view, arguments.results)
    velocity = summary.get("problem", {}).get("velocity", [1.0, 0.0, 0.0])
    frame = Frame(surface.GetDataInformation().GetBounds(),
                  velocity if any(velocity) else[1.0, 0.0, 0.0])
    boxes, planes = find_probes(pv, arguments.results)
    grid = (planes or boxes or [None])[0]
    if grid is not None:
        show_plane(pv, view, grid, frame, quantity_of(surface), largest)
    # A potential alone has no U; without a stream there is no upstream to seed lines in.
    moves = grid is not None and "U" in grid.PointData.keys()
    if moves and not arguments.no_arrows:
        show_arrows(pv, view, grid, frame)
    if boxes and moves and any(velocity) and not arguments.no_streamlines:
        show_streamlines(pv, view, boxes[0], frame)
    place_camera(view, frame, arguments)
    pv.Render(view)
    pv.SaveScreenshot(arguments.output, view, ImageResolution=arguments.size)
    print(arguments.output)


if __name__ == "__main__":
    main()
