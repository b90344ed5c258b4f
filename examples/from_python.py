"""Potential and gradient of charges through librankine.so, by Python's ctypes alone, against a
plain loop.

    python3 from_python.py [/where/rankine/is/lib/librankine.so]
"""
import ctypes
import math
import random
import sys
from ctypes import POINTER, Structure, byref, c_double, c_int, c_int64, c_size_t, c_void_p


class Options(Structure):  # the structs of rankine/fmm.h
    _fields_ = [("size", c_size_t), ("tolerance", c_double), ("softening", c_double),
                ("direct_pairs", c_int64),
                *((name, c_int) for name in ("backend", "kernel", "method", "precision", "order",
                                             "leaf_capacity", "derivatives", "dipoles", "rhs",
                                             "threads"))]


class Points(Structure):
    _fields_ = [("source_count", c_int64), ("target_count", c_int64),
                *((name, POINTER(c_double))
                  for name in ("sources", "targets", "normals", "core_radii"))]


class Strengths(Structure):
    _fields_ = [(name, POINTER(c_double))
                for name in ("charges", "normal_dipoles", "dipoles", "vortices")]


class Results(Structure):
    _fields_ = [(name, POINTER(c_double))
                for name in ("potential", "gradient", "hessian", "velocity", "velocity_gradient")]


rankine = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else "librankine.so")
rankine.rankine_message.restype = ctypes.c_char_p
rankine.rankine_fmm_destroy.restype = None
rankine.rankine_fmm_destroy.argtypes = [c_void_p]


def require(status):
    if status:
        sys.exit(f"error {status}: {rankine.rankine_message().decode()}")


n = 20000
points = (c_double * (3 * n))(*(random.uniform(-1, 1) for _ in range(3 * n)))
charges = (c_double * n)(*(random.uniform(-1, 1) for _ in range(n)))
potential, gradient = (c_double * n)(), (c_double * (3 * n))()

options, plan = Options(), c_void_p()
require(rankine.rankine_fmm_default_options(byref(options), c_size_t(ctypes.sizeof(options))))
options.tolerance = 1e-6
options.derivatives = 1
require(rankine.rankine_fmm_create(byref(plan), byref(Points(source_count=n, sources=points)),
                                   byref(options)))
require(rankine.rankine_fmm_apply(plan, byref(Strengths(charges=charges)),
                                  byref(Results(potential=potential, gradient=gradient)), 1, 0))
rankine.rankine_fmm_destroy(plan)

error = size = 0.0
for i in range(0, n, 400):
    x = points[3 * i:3 * i + 3]
    exact = sum(charges[j] / math.dist(x, points[3 * j:3 * j + 3]) for j in range(n) if j != i)
    error += (potential[i] - exact) ** 2
    size += exact**2
error = math.sqrt(error / size)
print(f"relative error of {n} potentials from Python: {error:.1e}")
sys.exit(0 if error < 1e-6 else 1)
