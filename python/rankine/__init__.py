"""Potential flow and electrostatics by boundary elements, with a fast multipole method::

    import rankine

    body = rankine.sphere(5120)                          # or rankine.read("hull.stl")
    run = rankine.Flow(body).solve(velocity=(1, 0, 0))
    run.Cp, run.force, run.velocity(points)

    fmm = rankine.FMM(points, tolerance=1e-6)
    potential, gradient = fmm(charges, gradient=True)

    plane = rankine.Aircraft("plane.step", area=16.2)    # needs the program rankine
    plane.polar(alpha=[0, 2, 4]).CL, plane.derivatives
    rankine.solve({"mesh.shape": "sphere"})              # all that a case file can say

Lengths are in metres, all units are SI. Arrays of others (numpy, torch, ...) on the host are used
without a copy if they are C-contiguous and of the type float64. Errors are rankine.Error: what is
wrong, the value found, what to do. Ctrl-C stops every call; other Python threads run meanwhile.
"""

from ._core import DeviceError, DeviceMemoryError, Error, InputError, MeshError, __version__
from .aircraft import Aircraft
from .flow import ConvergenceWarning, Flow, FlowResult, FlowResults, added_mass, capacitance
from .fmm import FMM
from .mesh import Mesh, ellipsoid, read, sphere, winding_number, wing
from .pages import report
from .program import CaseResults, SweepResults, polar, solve, sweep

__all__ = [
    "FMM",
    "Aircraft",
    "CaseResults",
    "ConvergenceWarning",
    "DeviceError",
    "DeviceMemoryError",
    "Error",
    "Flow",
    "FlowResult",
    "FlowResults",
    "InputError",
    "Mesh",
    "MeshError",
    "SweepResults",
    "__version__",
    "added_mass",
    "capacitance",
    "ellipsoid",
    "polar",
    "read",
    "report",
    "solve",
    "sphere",
    "sweep",
    "winding_number",
    "wing",
]
