"""Converts arrays of the caller for the C++ module: C-contiguous, float64, mostly on the host."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

from ._core import InputError

Array = np.ndarray


def warn(texts: Iterable[str], category: type[Warning] = UserWarning) -> None:
    """Emits each text as a warning at the line of the caller outside this package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        frame, level = frame.f_back, level + 1
    for text in texts:
        warnings.warn(text, category, stacklevel=level)


def as_array(what: str, data: Any, dtype: type = np.float64) -> Array:
    """Returns the data as an array, without a copy if possible."""
    if type(data) is np.ndarray and data.dtype == dtype and data.flags.c_contiguous:
        return data
    if hasattr(data, "__dlpack_device__") and data.__dlpack_device__()[0] not in (1, 3, 11, 13):
        raise InputError(
            f"{what} is on a device; copy it to the host (torch: .cpu(), cupy: .get())"
        )
    try:
        if hasattr(data, "__dlpack__") and not hasattr(data, "__array__"):
            array = np.from_dlpack(data)
        else:
            array = np.asarray(data.detach() if hasattr(data, "detach") else data)
    except ValueError as error:
        raise InputError(f"{what} is not an array of numbers: {error}") from None
    if array.dtype.kind not in ("fiub" if dtype is np.float64 else "iu"):
        kind = "real numbers" if dtype is np.float64 else "integers"
        raise TypeError(f"{what} has the type {array.dtype}; use {kind}")
    return np.ascontiguousarray(array, dtype=dtype).reshape(array.shape)


def is_on_device(data: Any) -> bool:
    """Returns whether the data are on a CUDA device."""
    if type(data) is np.ndarray or not hasattr(data, "__dlpack_device__"):
        return False
    return data.__dlpack_device__()[0] == 2


def to_host(data: Any) -> Any:
    """Returns a host copy of device data of cupy or torch; other data unchanged."""
    copy = getattr(data, "cpu", None) or getattr(data, "get", None)
    return copy() if copy is not None and is_on_device(data) else data


def as_tensor(what: str, data: Any) -> Any:
    """Returns data on a device unchanged, other data as as_array()."""
    if not is_on_device(data):
        return as_array(what, data)
    return data.detach() if hasattr(data, "detach") else data


def empty_beside(array: Any, shape: tuple[int, ...]) -> Any:
    """Returns an empty array of the same library (cupy, torch), type and device."""
    library = sys.modules[type(array).__module__.partition(".")[0]]
    with array.device:
        return library.empty(shape, dtype=array.dtype)


def as_vector(what: str, data: Any) -> tuple[float, float, float]:
    array = as_array(what, data)
    if array.shape != (3,):
        raise InputError(f"{what} has the shape {array.shape}; use (3,)")
    return tuple(array.tolist())


def as_integer(what: str, value: Any) -> int:
    """Accepts 1e4, too."""
    try:
        whole = int(value)
    except (TypeError, ValueError, OverflowError):
        whole = None
    if whole is None or whole != value:
        raise InputError(f"{what} is {value!r}; use a whole number")
    return whole


def as_word(what: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(f"{what} is {value!r}; use a word in quotation marks")
    return value


def as_positive(what: str, value: Any) -> float:
    number = as_array(what, value)
    if number.shape != () or not 0.0 < number < np.inf:
        raise InputError(f"{what} is {value!r}; use a positive number")
    return float(number)


def require_writable(what: str, array: Any) -> None:
    """Checks that a result can be written into the array itself."""
    flags = getattr(array, "flags", None)  # numpy, cupy
    contiguous = getattr(array, "is_contiguous", lambda: getattr(flags, "c_contiguous", True))
    if not contiguous():
        raise InputError(f"{what} is not contiguous in C order; use numpy.empty({array.shape})")
    if not getattr(flags, "writeable", True):
        raise InputError(f"{what} is read-only; use an array that can be written")


def as_points(what: str, data: Any) -> Array:
    """Returns points or vectors as an array, n x 3."""
    return require_points(what, as_array(what, data))


def require_points(what: str, array: Any) -> Any:
    if array.ndim != 2 or array.shape[1] != 3:
        raise InputError(f"{what} has the shape {array.shape}; use (n, 3)")
    return array


def require_shape(what: str, array: Array, shape: tuple[int, ...]) -> None:
    """Checks that the array is one right-hand side of this shape, or several of them."""
    if array.shape != shape and (array.ndim != len(shape) + 1 or array.shape[1:] != shape):
        text = ", ".join(map(str, shape))
        raise InputError(
            f"{what} has the shape {array.shape}; use ({text}{',' * (len(shape) == 1)}), "
            f"or (k, {text}) for k right-hand sides"
        )
