"""Wings and aircraft with wakes: polars and derivatives."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .program import CaseResults, SweepResults, solve, sweep

if TYPE_CHECKING:
    import xarray


class Aircraft:
    """Wings, with bodies or without, and their wakes. The program `rankine` solves once, when
    results are first asked for; coefficients at other angles and in steady turns need no further
    solve.

    Parameters
    ----------
    mesh : Mesh, what read() takes, path, or mapping
        x aft, y to starboard, z up. Files are read by the program, also CAD files; a mapping has
        the keys of [mesh], such as {"shape": "wing", "span": 4.0}.
    alpha, beta : float
        Angles of the solve, degrees. The wakes are fixed at these angles.
    area, span, chord, centre : float, array (3,)
        Reference values of the coefficients, m^2 and m; for defaults see `rankine keys`.
    controls : mapping
        Control surfaces by name: {"flap": {"patch": "wing", "hinge": [[0.7, -2, 0], [0.7, 2, 0]]}}.
    keys : mapping
        Further keys of a case file, such as {"problem.mach": 0.5, "problem.symmetry": ["y"]}.
    output, quiet
        As of solve().
    """

    def __init__(
        self,
        mesh: Any,
        *,
        alpha: float = 0.0,
        beta: float = 0.0,
        area: float | None = None,
        span: float | None = None,
        chord: float | None = None,
        centre: Any = None,
        controls: Mapping[str, Mapping[str, Any]] | None = None,
        keys: Mapping[str, Any] | None = None,
        output: str | os.PathLike[str] = "results",
        quiet: bool = False,
    ) -> None:
        self.case: dict[str, Any] = {
            "mesh": mesh if isinstance(mesh, Mapping) else {"file": mesh},
            "problem": {"alpha": alpha, "beta": beta},
            "lift": {
                "derivatives": True,
                "reference": {"area": area, "span": span, "chord": chord, "centre": centre},
            },
            "control": [{"name": name, **each} for name, each in (controls or {}).items()] or None,
        }
        self._how = {"keys": keys, "output": output, "quiet": quiet}

    @cached_property
    def results(self) -> CaseResults:
        """Results of the solve at the angles of the aircraft."""
        return solve(self.case, **self._how)

    def polar(self, alpha: Any = 0.0, beta: Any = 0.0, **others: Any) -> xarray.Dataset:
        """Coefficients over `beta` and `alpha`, degrees, as rankine.polar()."""
        return self.results.polar(alpha, beta, **others)

    @property
    def derivatives(self) -> xarray.DataArray:
        """The same as CaseResults.derivatives."""
        return self.results.derivatives

    def sweep(self, **values: Sequence[float]) -> SweepResults:
        """Solves for each of the values, such as alpha=[0, 2, 4], with the wakes in their place
        there; in OUTPUT-sweep."""
        how = {**self._how, "output": f"{os.fspath(self._how['output']).rstrip('/')}-sweep"}
        case = {**self.case, "lift": {**self.case["lift"], "derivatives": False}}
        return sweep(case, values, **how)

    def __repr__(self) -> str:
        state = "solved" if "results" in self.__dict__ else "not solved yet"
        return f"<rankine.Aircraft {self.case['mesh']}, {state}>"
