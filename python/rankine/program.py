"""Case files, which the program `rankine` solves."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._core import DeviceError, Error, InputError, MeshError

if TYPE_CHECKING:
    import pyvista

_ERRORS = {2: InputError, 3: MeshError, 6: DeviceError}


class CaseResults(Mapping[str, Any]):
    """What a run of the program has found: its summary.json as a mapping, and its files."""

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
        """The solved surface, surface.vtp."""
        import pyvista

        return pyvista.read(self.directory / "surface.vtp")

    def __repr__(self) -> str:
        return f"<rankine.CaseResults in {self.directory}>"


def solve(
    case: str | os.PathLike[str],
    *,
    keys: Mapping[str, Any] | None = None,
    output: str | os.PathLike[str] = "results",
    quiet: bool = False,
) -> CaseResults:
    """Solves a case file with the program `rankine`, which must be installed: on the PATH, or
    where the environment variable RANKINE says.

    Parameters
    ----------
    case : path
    keys : mapping
        Values that replace those of the file, such as {"mesh.panels": 5120}.
    output : path
        Results directory.
    quiet : bool
        Without the program's log and progress on standard error.

    Raises
    ------
    InputError, MeshError, DeviceError, Error
        With the program's message, or if there is no program.
    """
    program = shutil.which(os.environ.get("RANKINE", "rankine"))
    if program is None:
        raise Error(
            "case files are solved by the program rankine, which is not installed: put it on the "
            "PATH, or its path into the environment variable RANKINE"
        )
    command = [program, "solve", os.fspath(case), "--json", "--output", os.fspath(output)]
    for key, value in (keys or {}).items():
        command += ["--set", f"{key}={json.dumps(value)}"]
    if quiet:
        command.append("--quiet")
    done = subprocess.run(
        command,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if quiet else None,
        text=True,
    )
    if done.returncode not in (0, 4, 5):  # 4: not converged, 5: above the limits of [verify]
        if done.returncode == 130:
            raise KeyboardInterrupt
        message = (done.stderr or "").strip() or f"{program} ended with code {done.returncode}"
        raise _ERRORS.get(done.returncode, Error)(message)
    return CaseResults(json.loads(done.stdout), Path(output))
