"""Potential flow and electrostatics by boundary elements, with a fast multipole method.

    import rankine

    fmm = rankine.FMM(points, tolerance=1e-6)
    potential, gradient = fmm(charges, gradient=True)

Lengths are in metres, all units are SI. Arrays of others (numpy, torch, ...) on the host are used
without a copy if they are C-contiguous and of the type float64. Errors are rankine.Error: what is
wrong, the value found, what to do. Ctrl-C stops every call; other Python threads run meanwhile.
"""

from ._core import DeviceError, DeviceMemoryError, Error, InputError, MeshError, __version__
from .fmm import FMM

__all__ = [
    "FMM",
    "DeviceError",
    "DeviceMemoryError",
    "Error",
    "InputError",
    "MeshError",
    "__version__",
]
