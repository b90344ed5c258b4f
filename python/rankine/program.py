"""Case files, which the program `rankine` solves."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._core import DeviceError, Error, InputError, MeshError
from ._progress import run
from .mesh import is_mesh, read

if TYPE_CHECKING:
    import pyvista
    import xarray

_ERRORS = {2: InputError, 3: MeshError, 6: DeviceError}


class CaseResults(Mapping[str, Any]):
    """Results of a run of the program: summary.json as a mapping, and the files."""

    def __init__(self, summary: dict[str, Any], directory: Path) -> None:
        self.summary, self.directory = summary, directory

    def __getitem__(self, key: str) -> Any:
        return self.summary[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.summary)

    def __len__(self) -> int:
        return len(self.summary)

    @property
    def surface(self) -> pyvista.PolyData:
        """The solved surface: surface.vtp, or the pieces of several processes (surface.pvtp)."""
        import pyvista

        pieces = self.directory / "surface.pvtp"
        return pyvista.read(pieces if pieces.exists() else self.directory / "surface.vtp")

    def polar(self, alpha: Any = 0.0, beta: Any = 0.0, **others: Any) -> xarray.Dataset:
        """The same as rankine.polar()."""
        return polar(self.directory, alpha, beta, **others)

    @property
    def derivatives(self) -> xarray.DataArray:
        """Derivatives of the coefficients (rows) with respect to alpha, beta and the deflections
        of control surfaces, per radian, and the rates p b/(2V), q c/(2V) and r b/(2V), for a case
        with lift.derivatives; nan if symmetry planes exclude the motion."""
        import xarray

        if "derivatives" not in self["results"]:
            raise InputError(f"{self.directory}: solve the case with lift.derivatives = true")
        found = self["results"]["derivatives"]
        by = ["alpha", "beta", "p", "q", "r"]
        by += [name for name in found["CL"] if name not in by]  # control surfaces
        return xarray.DataArray(
            [[row.get(each, float("nan")) for each in by] for row in found.values()],
            coords={"coefficient": list(found), "by": by},
            dims=("coefficient", "by"),
        )

    def __repr__(self) -> str:
        return f"<rankine.CaseResults in {self.directory}>"


# A case file, or its keys: {"mesh.shape": "sphere"}, {"mesh": {"shape": "sphere"}}.
Case = str | os.PathLike[str] | Mapping[str, Any]


def _toml(value: Any) -> str:
    """Returns a value in TOML; a mapping becomes an inline table."""
    if isinstance(value, Mapping):
        return (
            "{" + ", ".join(f"{json.dumps(k)} = {_toml(each)}" for k, each in value.items()) + "}"
        )
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(os.fspath(value), ensure_ascii=False)
    if hasattr(value, "tolist"):  # numpy
        return _toml(value.tolist())
    if isinstance(value, Iterable):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return str(value).lower()  # true, 1e-06, inf


def _leaves(keys: Mapping[str, Any], table: str = "") -> Iterator[tuple[str, Any]]:
    """Yields dotted keys and their values, without those that are None."""
    for name, value in keys.items():
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, f"{table}{name}.")
        elif value is not None:
            yield table + name, value


def _lines(keys: Mapping[str, Any], output: str | os.PathLike[str]) -> list[str]:
    """Returns the keys as lines of TOML. A mesh is written to a file beside the results."""
    lines = []
    for key, value in _leaves(keys):
        if key == "mesh.file" and is_mesh(value):
            value = read(value).save(f"{os.fspath(output).rstrip('/')}.msh")
        lines.append(f"{key} = {_toml(value)}")
    return lines


def _call(arguments: Sequence[str], quiet: bool, text: str = "") -> tuple[int, str, str]:
    """Returns exit code, standard output and standard error of the program with `text` as input."""
    program = shutil.which(os.environ.get("RANKINE", "rankine"))
    if program is None:
        raise Error(
            "case files are solved by the program rankine, which is not installed: put it on the "
            "PATH, or its path into the environment variable RANKINE"
        )
    code, out, message = run([program, *arguments], text, quiet)
    if code == 130:
        raise KeyboardInterrupt
    return code, out, message


def _run(
    verb: str,
    case: Case,
    keys: Mapping[str, Any] | None,
    output: str | os.PathLike[str],
    quiet: bool,
    more: Sequence[str] = (),
) -> tuple[int, str, str]:
    """Runs a verb with a case."""
    text = ""
    if isinstance(case, Mapping):
        text = "\n".join(_lines({"version": 1, **case}, output)) + "\n"
        case = "/dev/stdin"
    arguments = [verb, os.fspath(case), "--json", "--output", os.fspath(output), *more]
    for line in _lines(keys or {}, output):
        arguments += ["--set", line.replace(" = ", "=", 1)]
    return _call([*arguments, "--quiet"] if quiet else arguments, quiet, text)


def _fail(exit_code: int, message: str) -> None:
    text = re.split(r"^error: ", message, flags=re.M)[-1].strip()
    text = re.sub(r"^/dev/stdin:\d+:\d+: ", "", text, flags=re.M)
    text = text or f"the program rankine ended with code {exit_code}"
    raise _ERRORS.get(exit_code, Error)(text)


def solve(
    case: Case,
    *,
    keys: Mapping[str, Any] | None = None,
    output: str | os.PathLike[str] = "results",
    quiet: bool = False,
) -> CaseResults:
    """Solves a case with the program `rankine`, which must be installed: on the PATH, or
    where the environment variable RANKINE says. In notebooks, and on terminals if tqdm is
    installed, a bar shows its progress.

    Parameters
    ----------
    case : path or mapping
        A case file, or its keys as `rankine keys` lists them, in tables or dotted::

            {"mesh": {"file": "hull.stl"}, "problem.velocity": [2, 0, 0]}

        `mesh.file` may be a mesh, or what read() takes. It is kept as OUTPUT.msh.
    keys : mapping
        Values that replace those of the file, such as {"mesh.panels": 5120}.
    output : path
        Results directory.
    quiet : bool
        Suppress the log and progress of the program on standard error.

    Raises
    ------
    InputError, MeshError, DeviceError, Error
        With the message of the program, or if the program is not found.
    """
    exit_code, out, message = _run("solve", case, keys, output, quiet)
    if exit_code not in (0, 4, 5):  # 4: not converged, 5: above the limits of [verify]
        _fail(exit_code, message)
    return CaseResults(json.loads(out), Path(output))


class SweepResults(Sequence["CaseResults | None"]):
    """The cases of a sweep in their order; None where a case has no results."""

    def __init__(self, table: dict[str, Any], directory: Path) -> None:
        self.table, self.directory = table, directory

    def __len__(self) -> int:
        return len(self.table["cases"])

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, slice):
            return [self[i] for i in range(*k.indices(len(self)))]
        row = self.table["cases"][k]
        if "message" in row:
            return None
        folder = self.directory / row["folder"]
        return CaseResults(json.loads((folder / "summary.json").read_text()), folder)

    @property
    def failures(self) -> dict[str, str]:
        """The error message of each case without results, by the values of its keys."""
        return {row["values"]: row["message"] for row in self.table["cases"] if "message" in row}

    def to_xarray(self) -> xarray.Dataset:
        """All numbers over the keys of the sweep (for a zip over `case`), from sweep.nc. Needs
        xarray and scipy."""
        import xarray

        with xarray.open_dataset(self.directory / "sweep.nc", engine="scipy") as dataset:
            return dataset.load()

    def __repr__(self) -> str:
        return (
            f"<rankine.SweepResults of {len(self)} cases in {self.directory}, "
            f"{len(self.failures)} without results>"
        )


def sweep(
    case: Case,
    values: Mapping[str, Sequence[Any]] | None = None,
    *,
    combine: str = "product",
    keys: Mapping[str, Any] | None = None,
    output: str | os.PathLike[str] = "results",
    resume: bool = False,
    quiet: bool = False,
) -> SweepResults:
    """Solves the cases of a sweep with the program `rankine`. Streams with the same mesh share one
    solve. A case that fails is listed in `failures`; the others are still solved.

    Parameters
    ----------
    case : path or mapping
        As of solve().
    values : mapping
        A list of values for each key, such as {"alpha": [0, 2, 4], "mesh.panels": [1280, 5120]}, in
        addition to the table [sweep] of the file, if any.
    combine : {"product", "zip"}
        With `values`: all combinations, the last key fastest; or the k-th values of all keys
        together.
    resume : bool
        Skip cases that an earlier run has solved.
    keys, output, quiet
        As of solve().

    Raises
    ------
    InputError, Error
        If there is no sweep, or the program is not found.
    """
    more = ["--resume"] if resume else []
    if values is not None:  # a single table keeps the order of keys
        lists = [f"{key} = {_toml(each)}" for key, each in values.items()]
        more += ["--set", "sweep = {" + ", ".join([f'combine = "{combine}"', *lists]) + "}"]
    exit_code, out, message = _run("sweep", case, keys, output, quiet, more)
    if not out:  # no case was started
        _fail(exit_code, message)
    return SweepResults(json.loads(out), Path(output))


def polar(
    results: str | os.PathLike[str],
    alpha: Any = 0.0,
    beta: Any = 0.0,
    *,
    p: float = 0.0,
    q: float = 0.0,
    r: float = 0.0,
    controls: Mapping[str, float] | None = None,
) -> xarray.Dataset:
    """Coefficients of a wing at other angles and in steady turns, over `beta` and `alpha`, without
    a further solve: from the results of a case with lift.derivatives, with fixed wakes.

    Parameters
    ----------
    results : path
        Results directory.
    alpha, beta : float or list of floats
        Degrees.
    p, q, r : float
        Rates p b/(2V), q c/(2V), r b/(2V): right wing down, nose up, nose to starboard.
    controls : mapping, optional
        Deflections of control surfaces by name, degrees; others are zero.

    Raises
    ------
    InputError
        If there are no derivatives, or the solve was of half a wing and the state is not symmetric.
    """
    import numpy as np
    import xarray

    angles = {"alpha": np.atleast_1d(alpha).tolist(), "beta": np.atleast_1d(beta).tolist()}
    arguments = ["polar", os.fspath(results), "--json"]
    for name, values in angles.items():
        arguments.append(f"--{name}=" + ",".join(repr(float(each)) for each in values))
    arguments += [f"-{name}{float(value)!r}" for name, value in (("p", p), ("q", q), ("r", r))]
    arguments += [f"--control={name}={float(value)!r}" for name, value in (controls or {}).items()]
    exit_code, out, message = _call(arguments, quiet=True)
    if exit_code != 0:
        _fail(exit_code, message)
    rows = json.loads(out)
    shape = (len(angles["beta"]), len(angles["alpha"]))
    names = [name for name in rows[0] if name not in ("alpha", "beta", "p", "q", "r")]
    return xarray.Dataset(
        {
            name: (("beta", "alpha"), np.reshape([row[name] for row in rows], shape))
            for name in names
        },
        coords=angles,
        attrs={"p": p, "q": q, "r": r},
    )
