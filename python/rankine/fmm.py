"""Sums over points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import (
    as_array,
    as_integer,
    as_tensor,
    as_word,
    empty_beside,
    is_on_device,
    require_points,
    require_shape,
    require_writable,
    to_host,
)
from ._core import InputError, Sum

if TYPE_CHECKING:
    from scipy.sparse.linalg import LinearOperator


class FMM:
    """The sum over all pairs of points, planned once and called with many strengths.

    With a target x, the sources y_j and r = x - y_j::

        potential(x) = sum_j q_j / |r| + mu_j . r / |r|^3             charges, dipoles
        velocity(x)  = sum_j g(|r| / sigma_j) alpha_j x r / |r|^3     vortices

    without a factor 1/(4 pi). Pairs that coincide contribute nothing. The root mean square (RMS)
    error of each result is at most `tolerance` times a scale: the RMS of the result or, if larger,
    that of the sum with random signs of its terms.

    Parameters
    ----------
    points : array, (n, 3)
        Sources, m.
    targets : array, (m, 3)
        Evaluation points, m; by default the sources. Points are copied to the host, where the sum
        is planned.
    tolerance : float
        Relative error, 1e-12 to 0.1 (float32: from 1e-5).
    kernel : {"laplace", "plummer", "vortex_exponential", "vortex_gaussian"}
        ``1/|r|``; ``1/sqrt(|r|^2 + softening^2)``; or vortices with g = 1 - exp(-rho^3) or
        g = erf(rho/sqrt 2) - sqrt(2/pi) rho exp(-rho^2/2).
    softening : float
        Of the kernel "plummer", m.
    normals : array, (n, 3)
        Directions of `normal_dipoles`.
    core_radii : array, (n,)
        sigma of vortex kernels, m.
    precision : {"float64", "float32"}
        Precision of the arithmetic; results are always float64.
    method : {"fmm", "treecode", "direct"}
    order : int
        Order of the expansions; 0: from the tolerance.
    derivatives : {0, 1, 2}
        The highest derivative to be requested. A hint for the plan, as are `dipoles` (whether there
        will be dipoles) and `right_hand_sides` (their number per call).
    threads : int
        0: OMP_NUM_THREADS, else all processors.
    device : {"auto", "cpu", "cuda"}

    Raises
    ------
    InputError
        For invalid shapes, options and values.
    DeviceError
        If the requested device is missing, or memory is insufficient.

    Arrays of cupy and torch on the device of the sum are used there, and results are such arrays.
    Their values are not checked to be finite.

    Calls from several threads on one object run one after the other; different objects run
    concurrently.
    """

    def __init__(
        self,
        points: Any,
        *,
        targets: Any = None,
        tolerance: float = 1e-6,
        kernel: str = "laplace",
        softening: float = 0.0,
        normals: Any = None,
        core_radii: Any = None,
        precision: str = "float64",
        method: str = "fmm",
        order: int = 0,
        derivatives: int = 1,
        dipoles: bool = False,
        right_hand_sides: int = 1,
        threads: int = 0,
        device: str = "auto",
    ) -> None:
        self._kernel = as_word("kernel", kernel)
        self._points = self._points_of(
            lambda what, data: as_array(what, to_host(data)), points, targets, normals, core_radii
        )
        self._options = {
            "tolerance": float(tolerance),
            "kernel": kernel,
            "softening": float(softening),
            "method": as_word("method", method),
            "precision": as_word("precision", precision),
            "order": as_integer("order", order),
            "derivatives": as_integer("derivatives", derivatives),
            "dipoles": bool(dipoles),
            "rhs": as_integer("right_hand_sides", right_hand_sides),
            "threads": as_integer("threads", threads),
            "device": as_word("device", device),
        }
        self._sum = Sum(**self._points, **self._options)
        self._transposed: FMM | None = None

    @property
    def _strengths(self) -> dict[str, tuple[int, ...]]:
        """The shapes of the strengths for one right-hand side."""
        n = self.shape[1]
        return {"charges": (n,), "normal_dipoles": (n,), "dipoles": (n, 3), "vortices": (n, 3)}

    @property
    def _results(self) -> dict[str, tuple[int, ...]]:
        m = self.shape[0]
        if self._is_vortex:
            return {"velocity": (m, 3), "velocity_gradient": (m, 9)}
        return {"potential": (m,), "gradient": (m, 3), "hessian": (m, 6)}

    @property
    def _is_vortex(self) -> bool:
        return self._kernel.startswith("vortex")

    def _points_of(
        self, to_array: Any, points: Any, targets: Any, normals: Any, core_radii: Any
    ) -> dict[str, Any]:
        """Returns the given points as arrays with valid shapes."""
        given = {"points": points, "targets": targets, "normals": normals, "core_radii": core_radii}
        arrays = {
            name: to_array(name, data)
            for name, data in given.items()
            if data is not None or name == "points"
        }
        for name in arrays.keys() & {"points", "targets"}:
            require_points(name, arrays[name])
        for name in arrays.keys() & {"normals", "core_radii"}:
            shape = arrays["points"].shape[: 2 if name == "normals" else 1]
            if arrays[name].shape != shape:
                raise InputError(
                    f"{name} has the shape {arrays[name].shape}; use {shape}, as there are "
                    f"{len(arrays['points'])} points"
                )
        return arrays

    def _on_device(self, arrays: dict[str, Any]) -> bool:
        """Returns whether the arrays are on the device of the sum. All must be in one place."""
        on_device = [what for what, array in arrays.items() if is_on_device(array)]
        if on_device and self._sum.stream is None:
            raise InputError(
                f"{on_device[0]} is on a device, and this sum computes on the processor; copy it "
                'to the host (torch: .cpu(), cupy: .get()), or make the sum with device="cuda"'
            )
        if 0 < len(on_device) < len(arrays):
            on_host = next(iter(arrays.keys() - on_device))
            raise InputError(f"{on_host} is on the host and {on_device[0]} on a device; copy one")
        return bool(on_device)

    def _call(self, name: str, arrays: dict[str, Any], **more: int) -> None:
        """Calls a function of the sum, or its variant for arrays on the device."""
        if self._on_device(arrays):
            # The stream of the sum waits for work on the arrays queued on other streams.
            stream = self._sum.stream
            arrays = {what: array.__dlpack__(stream=stream) for what, array in arrays.items()}
            name += "_on_device"
        getattr(self._sum, name)(**arrays, **more)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of targets and of sources."""
        points = self._points["points"]
        return len(self._points.get("targets", points)), len(points)

    @property
    def info(self) -> dict[str, Any]:
        """The sum: device, order, guaranteed tolerance, boxes, memory (bytes), time (s)."""
        return self._sum.info

    def __repr__(self) -> str:
        m, n = self.shape
        return (
            f"<rankine.FMM of {n} sources at {m} targets, tolerance {self._options['tolerance']:g}>"
        )

    def __reduce__(self) -> Any:
        """Copies and pickles; the sum is planned again."""
        return _planned, (self._points, self._options)

    def __call__(
        self,
        charges: Any = None,
        *,
        dipoles: Any = None,
        normal_dipoles: Any = None,
        vortices: Any = None,
        gradient: bool = False,
        hessian: bool = False,
        out: Any = None,
    ) -> Any:
        """The potential at the targets, with gradient and second derivatives on request.

        Parameters
        ----------
        charges : array, (n,) or (k, n)
            q; k right-hand sides at once.
        dipoles : array, (n, 3) or (k, n, 3)
            mu.
        normal_dipoles : array, (n,) or (k, n)
            mu along the normals given with the points.
        vortices : array, (n, 3) or (k, n, 3)
            alpha, the only strengths of vortex kernels.
        gradient, hessian : bool
            Whether to return first and second derivatives; the latter in the order xx xy xz yy yz
            zz.
        out : tuple of arrays
            Arrays for the results, float64 and C-contiguous.

        Returns
        -------
        potential : array, (m,) or (k, m)
            With `gradient` or `hessian` a tuple that continues with gradient (m, 3) and hessian (m,
            6). For vortex kernels the velocity, (m, 3), and with `gradient` its derivatives d u_i /
            d x_j, (m, 9).
        """
        given = {
            "charges": charges,
            "normal_dipoles": normal_dipoles,
            "dipoles": dipoles,
            "vortices": vortices,
        }
        strengths = {
            name: as_tensor(name, data) for name, data in given.items() if data is not None
        }
        if not strengths:
            raise InputError(
                "there are no strengths; give "
                + ("vortices" if self._is_vortex else "charges or dipoles")
            )
        if "normal_dipoles" in strengths and "normals" not in self._points:
            raise InputError("normal_dipoles need directions; give normals with the points")
        leading = None
        for name, array in strengths.items():
            shape = self._strengths[name]
            require_shape(name, array, shape)
            mine = tuple(array.shape[: array.ndim - len(shape)])
            if leading is not None and mine != leading:
                raise InputError(
                    f"{name} has the shape {array.shape}, which is another number of "
                    "right-hand sides than that of the other strengths"
                )
            leading = mine
        wanted = [True, gradient, hessian]
        names = [name for name, each in zip(self._results, wanted) if each]
        if hessian and self._is_vortex:
            raise InputError("vortices have no second derivatives; leave out hessian")
        shapes = [leading + self._results[name] for name in names]
        if out is not None:
            results = self._given(out, names, shapes)
        elif self._on_device(strengths):
            results = [empty_beside(array, shape) for shape in shapes]
        else:
            results = [np.empty(shape) for shape in shapes]
        arrays = strengths | dict(zip(names, results))
        self._call("apply", arrays, rhs=leading[0] if leading else 1)
        return results[0] if len(results) == 1 else tuple(results)

    @staticmethod
    def _given(out: Any, names: list[str], shapes: list[tuple[int, ...]]) -> list[Any]:
        results = list(out) if isinstance(out, (tuple, list)) else [out]
        if len(results) != len(names):
            raise InputError(f"out has {len(results)} arrays; use {len(names)}: {', '.join(names)}")
        for name, array, shape in zip(names, results, shapes):
            if tuple(array.shape) != shape:
                raise InputError(f"out for {name} has the shape {tuple(array.shape)}; use {shape}")
            if not str(array.dtype).endswith("float64"):
                raise TypeError(f"out for {name} has the type {array.dtype}; use float64")
            require_writable(f"out for {name}", array)
        return results

    def move(
        self, points: Any, *, targets: Any = None, normals: Any = None, core_radii: Any = None
    ) -> None:
        """Replaces the points by any number of others. Order, leaf size and tables are kept, so the
        cost is that of a new tree. For a very different distribution make a new object."""
        moved = self._points_of(as_tensor, points, targets, normals, core_radii)
        for name in moved.keys() ^ self._points.keys():
            raise InputError(f"{name} must be given to move() exactly if they were given before")
        self._call("move", moved)
        self._points = moved
        self._transposed = None

    def aslinearoperator(self) -> LinearOperator:
        """The matrix of charges, (m, n), as an operator of scipy: potential = A charges."""
        from scipy.sparse.linalg import LinearOperator

        if self._is_vortex:
            raise InputError(f"the kernel {self._kernel} takes vortices; an operator takes charges")

        def transposed() -> FMM:
            points = self._points
            if "targets" not in points:
                return self
            if self._transposed is None:
                swapped = {"points": points["targets"], "targets": points["points"]}
                self._transposed = _planned(swapped, self._options)
            return self._transposed

        return LinearOperator(
            shape=self.shape,
            dtype=np.dtype(np.float64),
            matvec=lambda x: self(np.ravel(x)),
            matmat=lambda x: self(np.ascontiguousarray(x.T)).T,
            rmatvec=lambda x: transposed()(np.ravel(x)),
            rmatmat=lambda x: transposed()(np.ascontiguousarray(x.T)).T,
        )


def _planned(points: dict[str, Any], options: dict[str, Any]) -> FMM:
    options = options.copy()
    return FMM(**points, right_hand_sides=options.pop("rhs"), **options)
