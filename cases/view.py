#!/usr/bin/env pvpython
"""Opens the results of a case in ParaView and saves a picture.

    pvpython view.py                        the results beside this script, written to view.png
    xvfb-run -a pvpython view.py            the same on a machine without a screen
    pvpython view.py RESULTS -o sphere.png --azimuth 30 --elevation 20

The body is coloured by the pressure coefficient Cp. A box probe adds streamlines, a plane probe adds arrows of the
velocity; without probes there is the body alone. In the ParaView window, use File > Open on surface.vtp instead.
"""
import argparse
import json
import math
import os
import sys

MISSING = """view.py needs ParaView's Python, which this interpreter does not have.
  Debian 12:   apt-get install paraview python3-paraview xvfb
               (python3-paraview and libvtk9-dev exclude each other: use another machine or a chroot for one of them)
  then:        xvfb-run -a pvpython {script}
  or:          open surface.vtp in the ParaView window and colour it by Cp"""


def parse_arguments():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="?", default=here, help="results directory (default: that of this script)")
    parser.add_argument("-o", "--output", help="picture to write (default: view.png in the results directory)")
    parser.add_argument("--size", type=int, nargs=2, default=[1600, 1000], metavar=("W", "H"), help="pixels")
    parser.add_argument("--azimuth", type=float, default=-30.0, help="degrees from broadside about the vertical")
    parser.add_argument("--elevation", type=float, default=22.0, help="degrees above the horizon")
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
    """Unit vectors along the stream, upwards and across, and the extent of the body."""

    def __init__(self, bounds, velocity):
        self.centre = [(bounds[2 * i] + bounds[2 * i + 1]) / 2 for i in range(3)]
        self.half = [(bounds[2 * i + 1] - bounds[2 * i]) / 2 for i in range(3)]
        self.radius = math.sqrt(sum(h * h for h in self.half))
        speed = math.sqrt(sum(u * u for u in velocity)) or 1.0
        self.stream = [u / speed for u in velocity]
        up = [0.0, 0.0, 1.0] if abs(self.stream[2]) < 0.9 else [0.0, 1.0, 0.0]
        along = sum(u * s for u, s in zip(up, self.stream))
        up = [u - along * s for u, s in zip(up, self.stream)]
        length = math.sqrt(sum(u * u for u in up))
        self.up = [u / length for u in up]
        s, u = self.stream, self.up
        self.across = [s[1] * u[2] - s[2] * u[1], s[2] * u[0] - s[0] * u[2], s[0] * u[1] - s[1] * u[0]]

    def point(self, along, across, up):
        """Body centre plus multiples of metres along the three directions."""
        return [self.centre[i] + along * self.stream[i] + across * self.across[i] + up * self.up[i] for i in range(3)]

    def extent(self, direction):
        """Half the body's width along a unit direction."""
        return sum(abs(d) * h for d, h in zip(direction, self.half))


def show_body(pv, view, results):
    surface = pv.XMLPolyDataReader(FileName=[os.path.join(results, "surface.vtp")])
    surface.UpdatePipeline()
    display = pv.Show(surface, view)
    pv.ColorBy(display, ("POINTS", "Cp"))
    table = pv.GetColorTransferFunction("Cp")
    table.ApplyPreset("Cool to Warm (Extended)", True)
    low, high = surface.PointData["Cp"].GetRange()
    table.RescaleTransferFunction(low, high)
    display.Specular = 0.25
    display.SpecularPower = 30
    bar = pv.GetScalarBar(table, view)
    bar.Title, bar.ComponentTitle = "Cp", ""
    bar.Orientation, bar.WindowLocation = "Vertical", "Any Location"
    bar.Position, bar.ScalarBarLength = [0.90, 0.30], 0.42
    bar.TitleColor = bar.LabelColor = [0.1, 0.1, 0.1]
    bar.TitleFontSize, bar.LabelFontSize = 20, 17
    bar.LabelFormat, bar.RangeLabelFormat, bar.AutomaticLabelFormat = "%.1f", "%.2f", 0
    display.SetScalarBarVisibility(view, True)
    return surface


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


def show_streamlines(pv, view, box, frame):
    bounds = box.GetDataInformation().GetBounds()
    length = min((abs(b) for b in upstream_distances(bounds, frame)), default=3 * frame.radius)
    start = -0.98 * length
    width, height = 1.35 * frame.extent(frame.across), 1.35 * frame.extent(frame.up)
    seeds = pv.Plane(Origin=frame.point(start, -width, -height), Point1=frame.point(start, width, -height),
                     Point2=frame.point(start, -width, height), XResolution=8, YResolution=8)
    lines = pv.StreamTracerWithCustomSource(Input=box, SeedSource=seeds)
    lines.Vectors = ["POINTS", "U"]
    lines.IntegrationDirection = "FORWARD"
    lines.MaximumStreamlineLength = 20 * frame.radius
    lines.MaximumSteps = 20000
    lines.TerminalSpeed = 1e-3
    tubes = pv.Tube(Input=lines, Radius=0.008 * frame.radius, NumberofSides=10)
    display = pv.Show(tubes, view)
    pv.ColorBy(display, None)
    display.DiffuseColor = display.AmbientColor = [0.22, 0.27, 0.35]
    display.Specular = 0.3


def upstream_distances(bounds, frame):
    """Metres from the body's centre, against the stream, to each face of the box that is met."""
    for i in range(3):
        if abs(frame.stream[i]) > 1e-6:
            face = bounds[2 * i] if frame.stream[i] > 0 else bounds[2 * i + 1]
            yield (face - frame.centre[i]) / frame.stream[i]


def show_arrows(pv, view, plane, frame):
    outside = pv.Threshold(Input=plane, Scalars=["POINTS", "inside"], ThresholdMethod="Below Lower Threshold",
                           LowerThreshold=0.5)
    arrows = pv.Glyph(Input=outside, GlyphType="Arrow")
    arrows.OrientationArray = ["POINTS", "U"]
    arrows.ScaleArray = ["POINTS", "U"]
    arrows.ScaleFactor = 0.14 * frame.radius
    arrows.GlyphMode = "Uniform Spatial Distribution (Surface Sampling)"
    arrows.MaximumNumberOfSamplePoints = 500
    arrows.GlyphType.TipResolution = arrows.GlyphType.ShaftResolution = 16
    display = pv.Show(arrows, view)
    pv.ColorBy(display, None)
    display.DiffuseColor = display.AmbientColor = [0.35, 0.52, 0.72]


def place_camera(pv, view, frame, arguments):
    azimuth, elevation = math.radians(arguments.azimuth), math.radians(arguments.elevation)
    along, across = math.sin(azimuth) * math.cos(elevation), -math.cos(azimuth) * math.cos(elevation)
    distance = 6.0 * frame.radius / arguments.zoom
    view.CameraFocalPoint = frame.centre
    view.CameraPosition = frame.point(distance * along, distance * across, distance * math.sin(elevation))
    view.CameraViewUp = frame.up
    view.CameraViewAngle = 30


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
    surface = show_body(pv, view, arguments.results)
    frame = Frame(surface.GetDataInformation().GetBounds(), summary.get("problem", {}).get("velocity", [1.0, 0.0, 0.0]))
    boxes, planes = find_probes(pv, arguments.results)
    if boxes and not arguments.no_streamlines:
        show_streamlines(pv, view, boxes[0], frame)
    if planes and not arguments.no_arrows:
        show_arrows(pv, view, planes[0], frame)
    place_camera(pv, view, frame, arguments)
    pv.Render(view)
    pv.SaveScreenshot(arguments.output, view, ImageResolution=arguments.size)
    print(arguments.output)


if __name__ == "__main__":
    main()
