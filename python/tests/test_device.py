"""Arrays on a CUDA device, by DLPack. A small library of arrays stands for cupy and torch."""

import ctypes
import math

import numpy as np
import pytest

import rankine

try:
    cuda = ctypes.CDLL("libcuda.so.1")
    context = ctypes.c_void_p()
    found = cuda.cuInit(0) == 0 and cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
    rankine.FMM(np.eye(3), device="cuda")
except (OSError, rankine.DeviceError):
    found = False
pytestmark = pytest.mark.skipif(not found, reason="no CUDA device, or a package without CUDA")


class Tensor(ctypes.Structure):
    """DLManagedTensor of dlpack.h, of one dtype; `deleter` is null, as the array owns its
    memory."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("dtype", ctypes.c_uint8 * 4),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


def check(error):
    assert error == 0, f"CUDA driver: error {error}"


class Device:
    def __enter__(self):
        check(cuda.cuCtxSetCurrent(context))

    def __exit__(self, *_):
        pass


class DeviceArray:
    device = Device()

    def __init__(self, shape, dtype):
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        self.ndim, self.waits = len(self.shape), []
        self.address = ctypes.c_uint64()
        with self.device:
            check(cuda.cuMemAlloc_v2(ctypes.byref(self.address), ctypes.c_size_t(self.nbytes)))
        self.extents = (ctypes.c_int64 * self.ndim)(*self.shape)
        self.tensor = Tensor(
            data=self.address.value,
            device=(2, 0),
            ndim=self.ndim,
            dtype=(2, 8 * self.dtype.itemsize, 1, 0),
            shape=ctypes.addressof(self.extents),
        )

    @property
    def nbytes(self):
        return math.prod(self.shape) * self.dtype.itemsize

    def __del__(self):
        cuda.cuMemFree_v2(self.address)

    def __len__(self):
        return self.shape[0]

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, *, stream):
        self.waits.append(stream)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = (
            ctypes.py_object,
            [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p],
        )
        return new(ctypes.addressof(self.tensor), b"dltensor", None)

    def get(self):
        host = np.empty(self.shape, self.dtype)
        with self.device:
            check(
                cuda.cuMemcpyDtoH_v2(
                    host.ctypes.data_as(ctypes.c_void_p), self.address, ctypes.c_size_t(self.nbytes)
                )
            )
        return host


def empty(shape, *, dtype):
    return DeviceArray(shape, dtype)


def on_device(host):
    array = DeviceArray(host.shape, host.dtype)
    with array.device:
        check(
            cuda.cuMemcpyHtoD_v2(
                array.address, host.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(host.nbytes)
            )
        )
    return array


@pytest.fixture
def rng():
    return np.random.default_rng(1)


@pytest.fixture
def points(rng):
    return rng.random((30_000, 3))


def test_results_are_those_of_arrays_on_the_host(rng, points):
    charges = rng.standard_normal((2, len(points)))
    fmm = rankine.FMM(on_device(points), device="cuda", right_hand_sides=2)
    wanted = fmm(charges, gradient=True)
    given = on_device(charges)
    found = fmm(given, gradient=True)
    for each, array in zip(wanted, found):
        assert isinstance(array, DeviceArray) and array.shape == each.shape
        assert np.allclose(array.get(), each, rtol=1e-13, atol=1e-13 * np.abs(each).max())
    assert given.waits == [fmm._sum.stream], "the sum waits for what is queued on the charges"
    out = empty(points.shape[:1], dtype=np.float64)
    assert fmm(on_device(charges[0]), out=out) is out
    assert np.allclose(out.get(), wanted[0][0], rtol=1e-12)


def test_points_move_on_the_device(rng, points):
    charges, moved = (
        on_device(rng.standard_normal(len(points))),
        points + 0.01 * rng.random(points.shape),
    )
    fmm, other = (rankine.FMM(points, device="cuda") for _ in range(2))
    fmm.move(on_device(moved))
    other.move(moved)
    assert np.allclose(fmm(charges).get(), other(charges).get(), rtol=1e-12)


def test_arrays_that_do_not_fit_are_refused(rng, points):
    fmm = rankine.FMM(points, device="cuda")
    charges = rng.standard_normal(len(points))
    with pytest.raises(rankine.InputError, match="float64"):
        fmm(on_device(charges.astype(np.float32)))
    with pytest.raises(rankine.InputError, match="potential is on the host"):
        fmm(on_device(charges), out=np.empty(len(points)))
    with pytest.raises(rankine.InputError, match="this sum computes on the processor"):
        rankine.FMM(points, device="cpu")(on_device(charges))
