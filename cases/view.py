#!/usr/bin/env python3
"""Draws the results of a case.

    rankine view RESULTS        or, beside them, python3 view.py: written to RESULTS/view.png
    python3 view.py RESULTS -o sphere.png --azimuth 30 --elevation 20

The body is coloured by Cp, conductors by the density of their charge, wakes by their circulation;
--array names another quantity of surface.vtp. Plane probes show the field, with arrows of the
velocity, and streamlines are those of the case. Without either, a box probe gives both. Halves
beyond symmetry planes and all blades of a rotor are drawn; a horizontal plane is the ground or the
water. In the ParaView window, use File > Open on surface.vtp instead.
"""
import argparse
import itertools
import json
import math
import os
import shutil
import sys

try:
    from vtkmodules import all as vtk
except ImportError:
    vtk = None

COLOURED = "charge", "Cp", "U", "phi"  # by the first of these that there is
MISSING = f"""view.py needs VTK's Python, which {sys.executable} does not have.
  Debian:      apt-get install python3-vtk9 xvfb, and set RANKINE_PYTHON=/usr/bin/python3
  or:          pip install vtk
  or:          xvfb-run -a pvpython RESULTS/view.py, or surface.vtp in the ParaView window"""


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    here = os.path.dirname(os.path.abspath(sys.argv[0]))
    parser.add_argument("results", nargs="?", default=here, help="(default: this script's folder)")
    parser.add_argument("-o", "--output", help="picture (default: view.png in the results)")
    parser.add_argument("--window", action="store_true", help="a window to turn, no picture")
    parser.add_argument("--array", help="quantity of surface.vtp; of vectors the length")
    parser.add_argument("--size", type=int, nargs=2, default=[1600, 900], metavar=("W", "H"))
    parser.add_argument("--azimuth", type=float, default=-20.0, help="degrees from broadside")
    parser.add_argument("--elevation", type=float, help="degrees above the horizon")
    parser.add_argument("--zoom", type=float, default=1.0, help="larger is closer")
    parser.add_argument("--no-streamlines", action="store_true")
    parser.add_argument("--no-arrows", action="store_true")
    return parser.parse_args()


def read(results, name):
    kind = "ImageData" if name.endswith("i") else "PPolyData" if ".p" in name else "PolyData"
    return output_of(getattr(vtk, f"vtkXML{kind}Reader")(), FileName=os.path.join(results, name))


def having(item, **settings):
    """Returns a VTK object with these settings."""
    for name, value in settings.items():
        getattr(item, "Set" + name)(value)
    return item


def output_of(step, data=None, **settings):
    """Returns the output of a VTK filter for the data, or of a VTK source."""
    having(step, **settings, **({"InputData": data} if data else {})).Update()
    return step.GetOutput()


def find_data(data, name):
    """Returns the cell array of this name, or the point array, or None."""
    return data.GetCellData().GetArray(name) or data.GetPointData().GetArray(name)


def all_blades(data, problem):
    """Returns data with its images by rotation about the stream, the blades of a rotor."""
    count = 1 if problem.get("symmetry") else problem.get("images", 1)
    turn, blades = vtk.vtkTransform(), vtk.vtkAppendPolyData()
    for _ in range(count if count > 1 else 0):
        blades.AddInputData(output_of(vtk.vtkTransformFilter(), data, Transform=turn))
        turn.Translate(problem["symmetry_origin"])
        turn.RotateWXYZ(360.0 / count, problem["velocity"])
        turn.Translate([-x for x in problem["symmetry_origin"]])
    return output_of(blades) if count > 1 else data


class Frame:
    """The directions stream, across and up, the symmetry planes, the box of a body and wakes."""

    def __init__(self, problem, body, *wakes):
        velocity = problem.get("velocity", [0.0, 0.0, 0.0])
        self.speed = math.hypot(*velocity)
        self.stream = s = [u / self.speed for u in velocity] if self.speed else [1.0, 0.0, 0.0]
        self.up = u = [0.0, 0.0, 1.0] if abs(s[2]) < 0.9 else [0.0, 1.0, 0.0]
        across = [s[1] * u[2] - s[2] * u[1], s[2] * u[0] - s[0] * u[2], s[0] * u[1] - s[1] * u[0]]
        self.across = [a / math.hypot(*across) for a in across]
        self.mirrors, self.ground, self.from_below = [], None, False
        box = [[x for data in (body, *wakes) for x in data.GetBounds()[2 * k:2 * k + 2]]
               for k in range(3)]
        for plane in problem.get("symmetry", []):
            axis = "xyz".index(plane[-1])
            place = problem.get("symmetry_origin", [0.0, 0.0, 0.0])[axis]
            if self.up[axis]:
                self.from_below = sum(box[axis][:2]) < 2 * place
                if not box[axis][0] <= place <= box[axis][1]:
                    self.ground = axis, place
                box[axis].append(place)
            else:
                self.mirrors.append((axis, place, plane[0] == "-"))
                box[axis] += [2 * place - x for x in box[axis]]
        self.centre = [(min(x) + max(x)) / 2 for x in box]
        self.half = [(max(x) - min(x)) / 2 for x in box]
        self.bounds = [c + sign * (h + 0.7 * sorted(self.half)[1])
                       for c, h in zip(self.centre, self.half) for sign in (-1, 1)]
        self.ground = self.ground and [self.ground[1] if k // 2 == self.ground[0] else x
                                       for k, x in enumerate(self.bounds)]

    def point(self, along, across, up):
        """Returns the centre plus offsets in metres along the three directions."""
        return [c + along * s + across * a + up * u
                for c, s, a, u in zip(self.centre, self.stream, self.across, self.up)]

    def near(self, data):
        """Returns the part of data in the box of the picture, or all of it if none is there."""
        part = output_of(vtk.vtkClipPolyData(), data, InsideOut=True,
                         ClipFunction=having(vtk.vtkBox(), Bounds=self.bounds))
        return part if part.GetNumberOfCells() else data

    def extent(self, direction):
        """Returns half the width of the body along a unit direction."""
        return sum(abs(d) * h for d, h in zip(direction, self.half))

    def with_images(self, data):
        """Returns data with images; potentials change sign across a plane of odd symmetry."""
        for axis, place, odd in self.mirrors:
            data = output_of(vtk.vtkReflectionFilter(), data, Center=place,
                             Plane=vtk.vtkReflectionFilter.USE_X + axis)
            names = ("phi", "charge", "sigma", "flux") if odd else ()
            for values in filter(None, (find_data(data, name) for name in names)):
                for k in range(values.GetNumberOfTuples() // 2, values.GetNumberOfTuples()):
                    values.SetTuple1(k, -values.GetTuple1(k))  # images follow the data
        return data


class Scene:
    """The picture, with colour bars and axes in a separate strip."""

    def __init__(self, frame, size):
        self.frame, self.colours = frame, {}
        self.window = having(vtk.vtkRenderWindow(), OffScreenRendering=1, MultiSamples=8, Size=size)
        self.main, self.side, self.corner = (vtk.vtkRenderer() for _ in range(3))
        for renderer, place in ((self.main, (0.0, 0.0, 0.91, 1.0)),
                                (self.side, (0.91, 0.2, 1.0, 1.0)),
                                (self.corner, (0.91, 0.0, 1.0, 0.2))):
            self.window.AddRenderer(having(renderer, Viewport=place, Background=(1.0, 1.0, 1.0)))
        self.aspect, self.text = 0.91 * size[0] / size[1], size[1] / 900
        axes = vtk.vtkAxesActor()
        for caption in (getattr(axes, f"Get{each}AxisCaptionActor2D")() for each in "XYZ"):
            having(caption.GetCaptionTextProperty(), Color=(0.15, 0.15, 0.15), Shadow=False)
        self.corner.AddActor(axes)
        self.main.AddObserver("StartEvent", self.turn_axes)

    def turn_axes(self, *_):
        """Draws the axes as seen by the camera of the picture."""
        camera = self.main.GetActiveCamera()
        having(self.corner.GetActiveCamera(), ParallelProjection=True, ViewUp=camera.GetViewUp(),
               Position=[-each for each in camera.GetDirectionOfProjection()])
        self.corner.ResetCamera()

    def aim(self, azimuth, elevation, zoom, shown):
        """Sets a parallel view that contains and centres the data `shown`."""
        a, e = math.radians(azimuth), math.radians(elevation)
        frame, camera = self.frame, self.main.GetActiveCamera()
        far = 10 * math.hypot(*frame.half)
        place = frame.point(*(far * each for each in (math.sin(a) * math.cos(e),
                                                      math.cos(a) * math.cos(e), math.sin(e))))
        having(camera, FocalPoint=frame.centre, Position=place, ViewUp=frame.up)
        turn = having(vtk.vtkTransform(), Matrix=camera.GetViewTransformMatrix())
        box = vtk.vtkBoundingBox()
        for each in shown:
            box.AddBounds(output_of(vtk.vtkTransformFilter(), frame.with_images(each),
                                    Transform=turn).GetBounds())
        (left, low, _), (right, high, _) = box.GetMinPoint(), box.GetMaxPoint()
        self.scale = scale = 0.525 * max(high - low, (right - left) / self.aspect) / zoom
        having(camera, ParallelProjection=True, ParallelScale=scale)
        camera.SetWindowCenter((left + right) / (2 * scale * self.aspect), (low + high) / scale / 2)

    def add_colours(self, data, array):
        """Adds colours for 98 % of the area, symmetric about zero if both signs occur."""
        found, area = find_data(data, array), data.GetCellData().GetArray("Area")
        scalar = found.GetNumberOfComponents() == 1
        values = sorted((found.GetTuple1(k) if scalar else math.hypot(*found.GetTuple3(k)),
                         area.GetTuple1(k) if area else 1.0)
                        for k in range(found.GetNumberOfTuples()))
        sums = list(itertools.accumulate(weight for _, weight in values))
        low, high = (next(each[0] for each, area in zip(values, sums) if area >= part * sums[-1])
                     for part in (0.01, 0.99))
        low, high = (float(f"{each:.2g}") for each in (
            (-max(-low, high), max(-low, high)) if low < 0.0 < high else (low, high)))
        low, high = (low, high) if low < high else (low - 0.5, high + 0.5)
        colours = self.colours[array] = vtk.vtkColorTransferFunction()
        having(colours, ColorSpace=vtk.VTK_CTF_DIVERGING, VectorMode=colours.MAGNITUDE)
        colours.AddRGBPoint(low, 0.23, 0.30, 0.75)
        colours.AddRGBPoint(high, 0.71, 0.02, 0.15)
        bar = having(vtk.vtkScalarBarActor(), LookupTable=colours, LabelFormat="%.3g",
                     Title=array if scalar else f"|{array}|", VerticalTitleSeparation=12,
                     NumberOfLabels=5, UnconstrainedFontSize=True, Position2=(0.9, 0.4),
                     Position=(0.05, 0.54 if len(self.colours) == 1 else 0.06))
        for text, size in ((bar.GetTitleTextProperty(), 24), (bar.GetLabelTextProperty(), 18)):
            having(text, Color=(0.15, 0.15, 0.15), FontSize=round(size * self.text), Italic=False,
                   Bold=False, Shadow=False)
        self.side.AddViewProp(bar)

    def show(self, data, array=None, colour=(1.0, 1.0, 1.0), flat=False):
        """Draws data and their images in the colours of an array, or in one colour."""
        mapper = having(vtk.vtkDataSetMapper(), InputData=self.frame.with_images(data),
                        ScalarVisibility=array is not None)
        if array:
            of_points = data.GetPointData().HasArray(array)
            having(mapper, LookupTable=self.colours[array], UseLookupTableScalarRange=True,
                   ScalarMode=vtk.VTK_SCALAR_MODE_USE_POINT_FIELD_DATA if of_points
                   else vtk.VTK_SCALAR_MODE_USE_CELL_FIELD_DATA).SelectColorArray(array)
        actor = having(vtk.vtkActor(), Mapper=mapper)
        having(actor.GetProperty(), Color=colour, Lighting=not flat, Ambient=0.5, Diffuse=0.55)
        self.main.AddActor(actor)

    def open(self):
        self.window.SetOffScreenRendering(False)
        interactor = having(vtk.vtkRenderWindowInteractor(), RenderWindow=self.window,
                            InteractorStyle=vtk.vtkInteractorStyleTrackballCamera())
        self.window.Render()
        interactor.Start()

    def save(self, path):
        self.main.ResetCameraClippingRange()
        self.window.Render()
        picture = having(vtk.vtkWindowToImageFilter(), Input=self.window)
        having(vtk.vtkPNGWriter(), InputConnection=picture.GetOutputPort(), FileName=path).Write()
        print(path)


def in_fluid(data):
    """Returns the surface of the cells that have no points in bodies."""
    if find_data(data, "inside"):
        keep = vtk.vtkThreshold()
        keep.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_POINTS, "inside")
        data = output_of(keep, data, ThresholdFunction=vtk.vtkThreshold.THRESHOLD_LOWER,
                         LowerThreshold=0.5)
    return output_of(vtk.vtkGeometryFilter(), data)


def to_walls(grid, name):
    """Returns the grid with values at points just inside bodies, the means of the corners in the
    fluid of their cells: so cells cut by a wall are drawn, and the body hides their inner part."""
    if not find_data(grid, "inside"):
        return grid
    whole = grid.NewInstance()
    whole.DeepCopy(grid)
    whole.GetPointData().RemoveArray("vtkGhostType")
    inside, values = find_data(whole, "inside"), find_data(whole, name)
    corners, found = vtk.vtkIdList(), {}
    for cell in range(grid.GetNumberOfCells()):
        whole.GetCellPoints(cell, corners)
        points = [corners.GetId(k) for k in range(corners.GetNumberOfIds())]
        wet = [values.GetTuple(k) for k in points if not inside.GetTuple1(k)]
        for k in points:
            if wet and inside.GetTuple1(k):
                found.setdefault(k, []).extend(wet)
    for k, wet in found.items():
        values.SetTuple(k, [sum(each) / len(wet) for each in zip(*wet)])
        inside.SetTuple1(k, 0)
    return whole


def layer(box, frame):
    """Returns the layer of a box probe through the centre of the body, normal to `frame.up`."""
    extent, axis = list(box.GetExtent()), frame.up.index(1.0)
    middle = round((frame.centre[axis] - box.GetOrigin()[axis]) / box.GetSpacing()[axis])
    extent[2 * axis:2 * axis + 2] = 2 * [min(max(middle, extent[2 * axis]), extent[2 * axis + 1])]
    return output_of(vtk.vtkExtractVOI(), box, VOI=extent)


def near_part(wake, frame):
    """Returns the wakes, cut at two body lengths downstream of the centre of the body."""
    end = 2.0 * frame.extent(frame.stream) + frame.extent(frame.across) / 3
    plane = having(vtk.vtkPlane(), Origin=frame.point(end, 0.0, 0.0), Normal=frame.stream)
    return output_of(vtk.vtkClipPolyData(), wake, InsideOut=True, ClipFunction=plane)


def show_arrows(scene, plane):
    """Draws arrows, about 24 along the longer side of the plane."""
    longest = max(range(3), key=lambda k: plane.GetDimensions()[k])
    rate = max(1, round((plane.GetDimensions()[longest] - 1) / 24))
    points = in_fluid(output_of(vtk.vtkExtractVOI(), plane, VOI=plane.GetExtent(),
                                SampleRate=[rate, rate, rate]))
    points.GetPointData().SetActiveVectors("U")
    arrow = having(vtk.vtkArrowSource(), TipRadius=0.11, TipResolution=16, ShaftResolution=16)
    fastest = scene.frame.speed or points.GetPointData().GetArray("U").GetRange(-1)[1] or 1.0
    spacing = rate * plane.GetSpacing()[longest]
    arrows = output_of(vtk.vtkGlyph3D(), points, SourceConnection=arrow.GetOutputPort(),
                       ScaleMode=vtk.VTK_SCALE_BY_VECTOR, ScaleFactor=0.55 * spacing / fastest)
    scene.show(scene.frame.near(arrows), colour=(0.45, 0.48, 0.53))


def trace(box, frame):
    """Returns streamlines in a box probe from two upstream rakes."""
    upstream, width = -1.3 * frame.extent(frame.stream), 1.15 * frame.extent(frame.across)
    rakes = vtk.vtkAppendPolyData()
    for height, reach, count in ((0.25, width, 12), (0.9, 0.67 * width, 8)):
        up = height * frame.extent(frame.up)
        line = having(vtk.vtkLineSource(), Point1=frame.point(upstream, -reach, up),
                      Point2=frame.point(upstream, reach, up), Resolution=count - 1)
        rakes.AddInputConnection(line.GetOutputPort())
    box.GetPointData().SetActiveVectors("U")
    return output_of(vtk.vtkStreamTracer(), box, SourceData=output_of(rakes),
                     IntegrationDirection=vtk.vtkStreamTracer.BOTH,
                     IntegratorType=vtk.vtkStreamTracer.RUNGE_KUTTA45,
                     MaximumPropagation=30 * math.hypot(*frame.half),
                     MaximumNumberOfSteps=20000, TerminalSpeed=1e-3 * frame.speed)


def draw(arguments, problem, files, surface):
    surface = all_blades(read(arguments.results, surface), problem)
    frame = Frame(problem, surface)
    probes = [read(arguments.results, name) for name in files if name.endswith(".vti")]
    planes, boxes = ([grid for grid in probes if grid.GetDataDimension() == n] for n in (2, 3))
    planes = planes or [layer(box, frame) for box in boxes[:1]]
    lines = [read(arguments.results, name) for name in files if name.endswith(".vtp")]
    lines = [each for each in lines if find_data(each, "seed")]
    lines = lines or [trace(box, frame) for box in boxes[:1] if frame.speed]
    wakes = [near_part(all_blades(read(arguments.results, name), problem), frame)
             for name in files if name == "wake.vtp"]
    frame = Frame(problem, surface, *wakes)
    scene = Scene(frame, arguments.size)
    elevation = 15.0 if planes and planes[0].GetBounds()[4] != planes[0].GetBounds()[5] else 32.0
    grounds = [output_of(vtk.vtkCubeSource(), Bounds=frame.ground)] if frame.ground else []
    lines = [frame.near(each) for each in lines if not arguments.no_streamlines]
    scene.aim(arguments.azimuth, arguments.elevation if arguments.elevation is not None
              else -elevation if frame.from_below else elevation, arguments.zoom,
              [surface, *wakes, *grounds, *(frame.near(in_fluid(each)) for each in planes), *lines])
    array = arguments.array or next(n for n in COLOURED if find_data(surface, n))
    scene.add_colours(surface, array)
    # Points on sharp edges are split, so that colours are smooth on either side.
    sides = output_of(vtk.vtkPolyDataNormals(), surface, FeatureAngle=40)
    scene.show(output_of(vtk.vtkCellDataToPointData(), sides), array)
    for wake in wakes:
        scene.add_colours(wake, "circulation")
        scene.show(wake, "circulation", flat=True)
    for each in grounds:
        scene.show(each, colour=(0.8, 0.8, 0.78), flat=True)
    for plane in planes:
        field = next(n for n in (array, *COLOURED) if find_data(plane, n))
        if field not in scene.colours:
            scene.add_colours(in_fluid(plane), field)
        scene.show(frame.near(in_fluid(to_walls(plane, field))), field, flat=True)
        if plane.GetPointData().HasArray("U") and not arguments.no_arrows:
            show_arrows(scene, plane)
    for each in lines:
        tubes = output_of(vtk.vtkTubeFilter(), each, Radius=0.004 * scene.scale, NumberOfSides=12)
        scene.show(tubes, colour=(0.20, 0.27, 0.38))
    if arguments.window:
        return scene.open()
    scene.save(arguments.output or os.path.join(arguments.results, "view.png"))


def require_screen(arguments):
    """Runs again under xvfb-run, a virtual screen: VTK before 9.4 draws on a screen only."""
    if not sys.platform.startswith("linux") or os.environ.get("DISPLAY"):
        return
    version = vtk.vtkVersion().GetVTKMajorVersion(), vtk.vtkVersion().GetVTKMinorVersion()
    if version >= (9, 4) and not arguments.window:
        vtk.vtkLogger.SetStderrVerbosity(vtk.vtkLogger.VERBOSITY_ERROR)  # not about screens
        return
    xvfb = shutil.which("xvfb-run")
    if arguments.window or not xvfb:
        end(6, "view.py needs a screen; leave out --window; install xvfb, or VTK 9.4 or later")
    os.execv(xvfb, [xvfb, "-a", *sys.orig_argv])


def end(code, message):
    print(f"error: {message}", file=sys.stderr)
    sys.exit(code)


def main():
    arguments = parse_arguments()
    if vtk is None:
        end(6, MISSING)
    try:
        with open(os.path.join(arguments.results, "summary.json"), encoding="utf-8") as file:
            summary = json.load(file)
    except (OSError, ValueError) as error:
        end(2, f"{arguments.results}: no summary.json ({error}); run rankine solve first")
    surface = next((name for name in summary["files"] if name.startswith("surface.")), None)
    if not surface:
        end(2, f"{arguments.results}: no surface.vtp; of particles: rankine view")
    require_screen(arguments)
    draw(arguments, summary["problem"], summary["files"], surface)


if __name__ == "__main__":
    main()
