"""Potential flow past bodies, added mass and capacitance."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._arrays import (
    Array,
    as_array,
    as_integer,
    as_points,
    as_positive,
    as_vector,
    as_word,
    warn,
)
from ._core import InputError
from .mesh import Mesh, is_mesh, read

if TYPE_CHECKING:
    import pyvista
    import xarray

VACUUM_PERMITTIVITY = 8.8541878128e-12  # F/m


class ConvergenceWarning(UserWarning):
    """A solve ended before it reached its tolerance."""


def _how(
    tolerance: float,
    max_iterations: int = 200,
    panels: str = "curved",
    device: str = "auto",
    threads: int = 0,
) -> _core.How:
    return _core.How(
        float(tolerance),
        as_integer("max_iterations", max_iterations),
        as_word("panels", panels),
        as_word("device", device),
        as_integer("threads", threads),
    )


def _space(symmetry: Sequence[str] | str, origin: Any, domain: str) -> _core.Space:
    planes = [symmetry] if isinstance(symmetry, str) else list(symmetry)
    return _core.Space(planes, as_vector("symmetry_origin", origin), as_word("domain", domain))


def _warn(texts: Sequence[str], converged: bool = True, what: str = "the solve") -> None:
    warn(texts)
    if not converged:
        text = f"{what} did not converge; see residual, and increase max_iterations"
        warn([text], ConvergenceWarning)


class Flow:
    """Potential flow outside closed bodies in a uniform stream, or inside a closed surface.

    Parameters
    ----------
    body : Mesh or what read() takes
        One or more closed surfaces; normals are turned outwards.
    tolerance : float
        Relative residual of the solve.
    density : float
        kg/m^3.
    wakes : bool
        Whether wings have wakes and satisfy the Kutta condition, at edges of at most 60 degrees on
        the downstream side. Each stream then needs a separate solve.
    symmetry : list of {"x", "y", "z", "-x", "-y", "-z"}
        Planes normal to these axes at which the mesh ends: "y" is a plane of symmetry (a wall),
        "-z" a plane of zero potential. Loads are those of the meshed part.
    symmetry_origin : array, (3,)
        A point on all of these planes, m.
    domain : {"exterior", "interior"}
        Where the fluid is.
    panels : {"curved", "flat"}
    max_iterations, device, threads
        Options of the solve; device and threads as for FMM.

    Raises
    ------
    MeshError
        If the surface is open or the equation has no meaning on it.

    Warns of panels on which the solution is inaccurate.
    """

    def __init__(
        self,
        body: Any,
        *,
        tolerance: float = 1e-6,
        density: float = 1.0,
        wakes: bool = False,
        symmetry: Sequence[str] | str = (),
        symmetry_origin: Any = (0.0, 0.0, 0.0),
        domain: str = "exterior",
        panels: str = "curved",
        max_iterations: int = 200,
        device: str = "auto",
        threads: int = 0,
    ) -> None:
        how = _how(tolerance, max_iterations, panels, device, threads)
        space = _space(symmetry, symmetry_origin, domain)
        self.density = as_positive("density", density)
        self._setting = _core.flow_setting(read(body)._core, how, self.density, space)
        self.mesh = Mesh(self._setting.surface)
        self.wakes = wakes
        self.domain = domain
        _warn(self._setting.warnings)

    def solve(
        self,
        velocity: Any = None,
        *,
        normal_velocity: Any = None,
        moment_centre: Any = (0.0, 0.0, 0.0),
    ) -> FlowResult | FlowResults:
        """Solves for a stream, or for several at once.

        Parameters
        ----------
        velocity : array, (3,) or (k, 3)
            Velocity of the undisturbed stream, m/s; by default 1 m/s along x outside walls at rest,
            else zero. Several streams share one solve; with walls at rest, three solutions
            determine those of all streams.
        normal_velocity : array, (n,)
            Normal velocity of the wall, or of flow through it, into the fluid, m/s: the mean over
            each panel. Zero by default. Cp is nan without a stream.
        moment_centre : array, (3,)
            m.

        Returns
        -------
        FlowResult, or FlowResults of k streams
        """
        if velocity is None:
            at_rest = normal_velocity is None and self.domain == "exterior"
            velocity = (1.0 if at_rest else 0.0, 0.0, 0.0)
        given = as_array("velocity", velocity)
        through = None
        if normal_velocity is not None:
            through = as_array("normal_velocity", normal_velocity)
            if through.shape != (len(self.mesh.faces),):
                raise InputError(
                    f"normal_velocity has the shape {through.shape}; "
                    f"use ({len(self.mesh.faces)},), one for each panel"
                )
        if given.shape != (3,) and (given.ndim != 2 or given.shape[1] != 3):
            raise InputError(
                f"velocity has the shape {given.shape}; use (3,), or (k, 3) for k streams"
            )
        if len(given) == 0:
            raise InputError("velocity holds no stream; give one or more")
        solved = _core.solve_flow(
            self._setting,
            np.atleast_2d(given),
            self.wakes,
            through,
            as_vector("moment_centre", moment_centre),
        )
        results = FlowResults(self, solved)
        for result in results:
            _warn([], result.converged)
        return results if given.ndim == 2 else results[0]


def _passed(name: str, words: str, make: Callable[[Any], Any] = lambda value: value) -> Any:
    """Returns a property that reads a value of the solution."""
    return property(lambda self: make(getattr(self._core, name)), doc=words)


class FlowResult:
    """The flow past a body in one stream. Arrays have one entry per panel, in the mesh's order;
    they are read-only views."""

    def __init__(self, flow: Flow, core: _core.SolvedFlow) -> None:
        self._flow, self._core = flow, core

    @property
    def mesh(self) -> Mesh:
        """The body, with outward normals."""
        return self._flow.mesh

    stream: Array = _passed("stream", "Velocity of the stream, (3,), m/s.", np.array)
    centroid: Array = _passed("centroid", "Where the values are found, (n, 3), m.")
    area: Array = _passed("area", "Of the panels, (n,), m^2.")
    phi: Array = _passed("phi", "Potential of the disturbance, (n,), m^2/s.")
    surface_velocity: Array = _passed("velocity", "Velocity on the surface, (n, 3), m/s.")
    pressure: Array = _passed("pressure", "Relative to that of the stream, (n,), Pa.")
    Cp: Array = _passed("Cp", "Pressure coefficient, (n,).")
    force: Array = _passed("force", "Of the pressure, (3,), N.", np.array)
    moment: Array = _passed(
        "moment", "Of the pressure about the moment centre, (3,), N m.", np.array
    )
    added_mass_velocity: Array = _passed(
        "added_mass_velocity",
        "k U, with k the added-mass tensor over density and volume, (3,), m/s.",
        np.array,
    )
    velocity_error: Array = _passed(
        "velocity_error", "Estimated error of the surface velocity, (n,), m/s."
    )
    potential_error: Array = _passed("potential_error", "Estimated error of phi, (n,), m^2/s.")
    errors: dict[str, float] = _passed(
        "errors", "Estimated errors: relative in L2 and of the largest value; of the force in N."
    )
    lift: dict[str, Any] = _passed(
        "lift",
        "With wakes: `force` (3,), N, and `induced_drag`, N, far downstream (Trefftz plane); "
        "`circulation` (s,), m^2/s, at the `edges` (s, 2, 3), m. Else empty.",
        lambda lift: {
            name: np.array(value) if isinstance(value, list) else value
            for name, value in lift.items()
        },
    )
    iterations: int = _passed("iterations", "Of GMRES.")
    residual: float = _passed("residual", "Relative, of the solve.")
    converged: bool = _passed("converged", "Whether the residual is below the tolerance.")

    @property
    def patch_forces(self) -> dict[str, Array]:
        """Pressure force on each patch, (3,), N."""
        return dict(zip(self.mesh.patch_names, map(np.array, self._core.patch_forces)))

    def velocity(self, points: Any) -> Array:
        """Velocity at points off the surface, (n, 3), m/s; zero inside the body."""
        return self._core.field_at(as_points("points", points))[0]

    def field(self, points: Any) -> dict[str, Array]:
        """`velocity` (n, 3), `phi`, `pressure` (n,) and whether points are `inside` (n,)."""
        velocity, phi, pressure, inside = self._core.field_at(as_points("points", points))
        return {"velocity": velocity, "phi": phi, "pressure": pressure, "inside": inside != 0}

    @property
    def surface(self) -> pyvista.PolyData:
        """The body with Cp, U, phi, p and the estimated error, for pyvista."""
        poly = self.mesh.to_pyvista()
        poly.cell_data.update(
            {
                "Cp": self.Cp,
                "U": self.surface_velocity,
                "phi": self.phi,
                "p": self.pressure,
                "velocity_error": self.velocity_error,
            }
        )
        return poly

    def to_xarray(self) -> xarray.Dataset:
        """As FlowResults.to_xarray(), without the dimension of streams."""
        return FlowResults(self._flow, [self._core]).to_xarray().isel(stream=0)

    def __repr__(self) -> str:
        x, y, z = self.stream
        return (
            f"<rankine.FlowResult of {len(self.phi)} panels in the stream "
            f"({x:g}, {y:g}, {z:g}) m/s: Cp {self.Cp.min():.4f} .. {self.Cp.max():.4f}>"
        )


class FlowResults(Sequence[FlowResult]):
    """Flows past one body in several streams."""

    def __init__(self, flow: Flow, solved: list[_core.SolvedFlow]) -> None:
        self._flow, self._all = flow, [FlowResult(flow, each) for each in solved]

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, k: Any) -> Any:
        return self._all[k]

    def __iter__(self) -> Iterator[FlowResult]:
        return iter(self._all)

    def __repr__(self) -> str:
        return f"<rankine.FlowResults of {len(self)} streams; [k] is one of them>"

    def to_xarray(self) -> xarray.Dataset:
        """Loads, added-mass velocities, errors and panel values by stream. .to_netcdf() saves
        them."""
        import xarray

        all_ = self._all
        data: dict[str, Any] = {
            name: (dims, np.array([getattr(each, of) for each in all_]), {"units": unit})
            for name, of, dims, unit in (
                ("stream_velocity", "stream", ("stream", "axis"), "m/s"),
                ("force", "force", ("stream", "axis"), "N"),
                ("moment", "moment", ("stream", "axis"), "N m"),
                ("added_mass_velocity", "added_mass_velocity", ("stream", "axis"), "m/s"),
                ("phi", "phi", ("stream", "panel"), "m^2/s"),
                ("pressure", "pressure", ("stream", "panel"), "Pa"),
                ("Cp", "Cp", ("stream", "panel"), "1"),
                ("velocity_error", "velocity_error", ("stream", "panel"), "m/s"),
                ("surface_velocity", "surface_velocity", ("stream", "panel", "axis"), "m/s"),
            )
        }
        data["centroid"] = (("panel", "axis"), all_[0].centroid, {"units": "m"})
        data["area"] = (("panel",), all_[0].area, {"units": "m^2"})
        data["iterations"] = (("stream",), [each.iterations for each in all_])
        for name in all_[0].errors:
            data[f"error_{name}"] = (("stream",), [each.errors[name] for each in all_])
        return xarray.Dataset(
            data,
            coords={"axis": ["x", "y", "z"]},
            attrs={"source": f"rankine-bem {_core.__version__}", "density": self._flow.density},
        )


def added_mass(
    body: Any,
    *,
    density: float = 1.0,
    centre: Any = (0.0, 0.0, 0.0),
    symmetry: Sequence[str] | str = (),
    symmetry_origin: Any = (0.0, 0.0, 0.0),
    whole: Sequence[str] | str = (),
    domain: str = "exterior",
    tolerance: float = 1e-6,
    panels: str = "curved",
    max_iterations: int = 200,
    device: str = "auto",
    threads: int = 0,
) -> Array:
    """The added-mass matrix of rigid bodies, (6 b, 6 b), in unbounded fluid or beside planes.

    Body b (connected panels, in mesh order) has the rows 6 b to 6 b + 5: translations along x, y, z
    and rotations about axes through `centre`, m. Units: kg, kg m, kg m^2. All modes are solved
    together. `symmetry`, `symmetry_origin` and `domain` are those of Flow. `whole` names the axes
    of planes that halve the bodies ("y" for a ship): the matrix is then that of the whole bodies,
    for all modes.
    """
    how = _how(tolerance, max_iterations, panels, device, threads)
    matrix, _, converged, texts = _core.added_mass(
        read(body)._core,
        how,
        as_positive("density", density),
        as_vector("centre", centre),
        _space(symmetry, symmetry_origin, domain),
        [whole] if isinstance(whole, str) else list(whole),
    )
    _warn(texts, converged)
    return matrix


def capacitance(
    conductors: Any,
    *,
    permittivity: float = VACUUM_PERMITTIVITY,
    tolerance: float = 1e-6,
    panels: str = "curved",
    max_iterations: int = 200,
    device: str = "auto",
    threads: int = 0,
) -> Array:
    """The capacitance matrix of conductors in one medium, (k, k), F: charges = C potentials.

    `conductors`: a list of meshes or what read() takes, or one of them; `permittivity` of the
    medium, F/m.
    """
    is_tuple = isinstance(conductors, tuple)
    if isinstance(conductors, (str, os.PathLike)) or (is_mesh(conductors) and not is_tuple):
        conductors = [conductors]
    meshes = [read(each)._core for each in conductors]
    if not meshes:
        raise InputError("there are no conductors; give a list of meshes")
    how = _how(tolerance, max_iterations, panels, device, threads)
    matrix, _, converged, texts = _core.capacitance(
        meshes, how, as_positive("permittivity", permittivity)
    )
    _warn(texts, converged)
    return matrix
