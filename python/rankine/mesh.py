"""Surface meshes: from files, arrays and objects of other packages."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import Array, as_array, as_points
from ._core import InputError, MeshError, Surface, read_file, surface
from ._core import ellipsoid as _ellipsoid
from ._core import sphere as _sphere
from ._core import winding_number as _winding_number
from ._core import wing as _wing

if TYPE_CHECKING:
    import pyvista


class Mesh:
    """Triangles and quadrilaterals, in patches. Made by read() and by the shapes."""

    def __init__(self, core: Surface) -> None:
        self._core = core

    @property
    def nodes(self) -> Array:
        """Positions, (n, 3), m."""
        return self._core.nodes

    @property
    def faces(self) -> Array:
        """Nodes of the corners, (m, 4), counter-clockwise from outside; a triangle ends with -1."""
        return self._core.faces

    @property
    def patch(self) -> Array:
        """The patch of each face, (m,), an index into `patch_names`."""
        return self._core.patch

    @property
    def patch_names(self) -> list[str]:
        return self._core.patch_names

    @property
    def area(self) -> float:
        """m^2"""
        return self._core.measures()[0]

    @property
    def volume(self) -> float:
        """m^3, positive if normals point outwards; of a closed surface."""
        return self._core.measures()[1]

    @property
    def watertight(self) -> bool:
        """Whether every edge has two faces."""
        return self._core.measures()[2]

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return f"<rankine.Mesh {self._core.source}: {len(self)} panels>"

    def to_pyvista(self) -> pyvista.PolyData:
        """The mesh for pyvista, with the patch of each face."""
        import pyvista

        faces = self.faces
        corners = np.where(faces[:, 3] < 0, 3, 4)
        padded = np.column_stack([corners, faces])
        flat = padded[np.arange(5) <= corners[:, None]]
        poly = pyvista.PolyData(self.nodes, flat)
        poly.cell_data["patch"] = self.patch
        return poly


def read(source: Any, *, scale: float = 1.0) -> Mesh:
    """A surface mesh from a file, arrays, or an object of another package.

    Parameters
    ----------
    source : path, (nodes, faces), or mesh
        A file: .obj .ply .off .stl .mesh .su2 .gdf .dat .mar .pnl .vspgeom are read here, others
        by meshio if it is installed. Arrays: nodes (n, 3), and faces (m, 3) or (m, 4), integers,
        where -1 in the fourth place makes a triangle, or a list of such arrays. A mesh of meshio,
        pyvista (PolyData, or the surface of another data set) or trimesh.
    scale : float
        To metres from the unit of the source.

    Raises
    ------
    MeshError
        For a file or faces that cannot be used; whether the surface is closed is found when a
        problem is solved on it.
    InputError
        For arrays of other shapes.
    """
    if isinstance(source, Mesh):
        return source
    if isinstance(source, (str, os.PathLike)):
        return _read_path(os.fspath(source), scale)
    if isinstance(source, tuple) and len(source) == 2:
        return _from_arrays(*source, "arrays", scale)
    if hasattr(source, "points") and hasattr(source, "cells_dict"):
        return _from_meshio(source, "mesh of meshio", scale)
    if hasattr(source, "points") and hasattr(source, "extract_surface"):
        return _from_pyvista(source, scale)
    if hasattr(source, "vertices") and hasattr(source, "faces"):
        return _from_arrays(source.vertices, source.faces, "mesh", scale)
    raise InputError(
        f"a mesh cannot be made of {type(source).__name__}; use a path, (nodes, faces), or a mesh "
        "of meshio, pyvista or trimesh"
    )


def _read_path(path: str, scale: float) -> Mesh:
    core = read_file(path, scale)
    if core is not None:
        return _warned(core)
    if path.lower().endswith(".stl"):
        return _from_arrays(*_read_stl(path), path, scale)
    try:
        import meshio
    except ImportError:
        raise MeshError(f"{path} is read by meshio; install it (pip install meshio)") from None
    try:
        found = meshio.read(path)
    except (meshio.ReadError, SystemExit) as error:
        raise MeshError(f"meshio cannot read {path}: {error}") from None
    return _from_meshio(found, path, scale)


def _read_stl(path: str) -> tuple[Array, Array]:
    """Corners of triangles, three each; nodes at the same place are merged later."""
    with open(path, "rb") as file:
        data = file.read()
    count = int.from_bytes(data[80:84], "little")
    if len(data) == 84 + 50 * count:
        record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
        nodes = np.frombuffer(data, record, count, 84)["corners"].reshape(-1, 3)
    else:
        words = [line.split() for line in data.decode("ascii", "replace").splitlines()]
        try:
            corners = [list(map(float, each[1:4])) for each in words if each[:1] == ["vertex"]]
            nodes = np.array(corners, dtype=float).reshape(-1, 3)
        except ValueError:
            raise MeshError(f"{path}: a vertex is not three numbers; export it again") from None
        if len(nodes) == 0 or len(nodes) % 3:
            raise MeshError(f"{path} is not an STL file of whole triangles; export it again")
    return nodes.astype(np.float64), np.arange(len(nodes)).reshape(-1, 3)


def _from_arrays(
    nodes: Any,
    faces: Any,
    source: str,
    scale: float,
    patch: Any = None,
    names: list[str] | None = None,
) -> Mesh:
    blocks = faces if isinstance(faces, (list, tuple)) and np.ndim(faces[0]) == 2 else [faces]
    four = []
    for block in blocks:
        array = as_array("faces", block, np.int64)
        if array.ndim != 2 or array.shape[1] not in (3, 4):
            raise InputError(f"faces has the shape {array.shape}; use (m, 3) or (m, 4)")
        padding = np.full((len(array), 4 - array.shape[1]), -1)
        four.append(np.hstack([array, padding]))
    return _warned(
        surface(
            as_points("nodes", nodes),
            np.ascontiguousarray(np.vstack(four), np.int32),
            None if patch is None else np.ascontiguousarray(patch, np.int32),
            names or [],
            source,
            float(scale),
        )
    )


def _from_meshio(mesh: Any, source: str, scale: float) -> Mesh:
    corners = {"triangle": 3, "triangle6": 3, "quad": 4, "quad8": 4, "quad9": 4}
    blocks, tags = [], []
    physical = mesh.cell_data.get("gmsh:physical")
    for k, block in enumerate(mesh.cells):
        if block.type in corners:
            blocks.append(block.data[:, : corners[block.type]])
            tags.append(np.zeros(len(block.data), int) if physical is None else physical[k])
    if not blocks:
        types = ", ".join(sorted({block.type for block in mesh.cells}))
        raise MeshError(f"{source} has no triangles or quadrilaterals, but {types or 'no cells'}")
    names = {int(tag): name for name, (tag, dim) in mesh.field_data.items() if dim == 2}
    points = np.zeros((len(mesh.points), 3))
    points[:, : mesh.points.shape[1]] = mesh.points
    if not names:
        return _from_arrays(points, blocks, source, scale)
    all_tags, patch = np.unique(np.concatenate(tags), return_inverse=True)
    texts = [names.get(int(tag), f"surface {tag}") for tag in all_tags]
    return _from_arrays(points, blocks, source, scale, patch, texts)


def _from_pyvista(mesh: Any, scale: float) -> Mesh:
    poly = mesh if hasattr(mesh, "faces") else mesh.extract_surface()
    flat = np.asarray(poly.faces)
    blocks, at = [], 0
    triangles = flat.reshape(-1, 4) if len(flat) % 4 == 0 else None
    if triangles is not None and np.all(triangles[:, 0] == 3):
        blocks = [triangles[:, 1:]]
    else:
        rows = []
        while at < len(flat):
            n = flat[at]
            if n not in (3, 4):
                raise MeshError(
                    f"a face has {n} corners; use triangles and quadrilaterals "
                    "(.triangulate() makes them)"
                )
            rows.append([*flat[at + 1 : at + 1 + n], *[-1] * (4 - n)])
            at += n + 1
        blocks = [np.array(rows, int).reshape(-1, 4)]
    return _from_arrays(poly.points, blocks, "mesh of pyvista", scale)


def _warned(core: Surface) -> Mesh:
    for text in core.warnings:
        warnings.warn(text, stacklevel=4)
    return Mesh(core)


def sphere(panels: int = 20480, radius: float = 1.0, centre: Any = (0.0, 0.0, 0.0)) -> Mesh:
    """A sphere of at least so many triangles; lengths in m."""
    return Mesh(_sphere(panels, radius, tuple(centre)))


def ellipsoid(
    panels: int = 20480, semi_axes: Any = (3.0, 2.0, 1.0), centre: Any = (0.0, 0.0, 0.0)
) -> Mesh:
    """An ellipsoid of at least so many triangles; half axes along x, y, z, m."""
    return Mesh(_ellipsoid(panels, tuple(semi_axes), tuple(centre)))


def wing(
    panels: int = 20480,
    section: str = "0012",
    *,
    span: float = 6.0,
    chord: float | tuple[float, float] = 1.0,
    sweep: float = 0.0,
    dihedral: float = 0.0,
    twist: float = 0.0,
) -> Mesh:
    """A wing with one of NACA's 4-digit sections; x aft, y to starboard, z up.

    `chord`, m, at the root and the tip, and `span`, m; `sweep` and `dihedral` of the quarter-chord
    line and `twist` of the tip, degrees.
    """
    root, tip = chord if isinstance(chord, tuple) else (chord, chord)
    return Mesh(_wing(panels, section, span, root, tip, sweep, dihedral, twist))


def winding_number(mesh: Any, points: Any, *, tolerance: float = 1e-6) -> Array:
    """How often a surface winds around points, (n,): 1 inside a closed surface with normals
    outwards, 0 outside. Of a surface with holes it is the share of directions that are covered,
    so that values above 0.5 are inside (Jacobson et al. 2013).

    Parameters
    ----------
    mesh : Mesh or what read() takes
    points : array, (n, 3)
        m.
    tolerance : float
        Error of the far field, relative.
    """
    return _winding_number(read(mesh)._core, as_points("points", points), tolerance)
