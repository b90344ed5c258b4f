"""Surface meshes: from files, arrays and objects of other packages."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import Array, as_array, as_integer, as_points, as_vector, warn
from ._core import Error, InputError, MeshError, Surface, read_file, surface
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
        """m^3, for a closed surface; positive if normals point outwards."""
        return self._core.measures()[1]

    @property
    def watertight(self) -> bool:
        """Whether every edge has two faces."""
        return self._core.measures()[2]

    def save(self, path: str | os.PathLike[str]) -> str:
        """Writes a .msh file (Gmsh 2.2), patches as physical surfaces, and returns its path."""
        lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames"]
        lines += [str(len(self.patch_names))]
        lines += [f'2 {k + 1} "{name}"' for k, name in enumerate(self.patch_names)]
        lines += ["$EndPhysicalNames", "$Nodes", str(len(self.nodes))]
        lines += [f"{k} {x!r} {y!r} {z!r}" for k, (x, y, z) in enumerate(self.nodes.tolist(), 1)]
        lines += ["$EndNodes", "$Elements", str(len(self))]
        for k, (corners, patch) in enumerate(
            zip((self.faces + 1).tolist(), self.patch.tolist()), 1
        ):
            used = [str(each) for each in corners if each > 0]
            lines.append(f"{k} {len(used) - 1} 2 {patch + 1} {patch + 1} {' '.join(used)}")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join([*lines, "$EndElements", ""]))
        return os.fspath(path)

    def __reduce__(self) -> Any:
        """Copies and pickles."""
        return _from_arrays, (
            self.nodes,
            self.faces,
            self._core.source,
            1.0,
            self.patch,
            self.patch_names,
        )

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


def is_mesh(source: Any) -> bool:
    """Returns whether read() accepts it and it is not a path."""
    return (
        isinstance(source, (Mesh, tuple)) or hasattr(source, "points") or hasattr(source, "faces")
    )


def read(source: Any, *, scale: float = 1.0, panel_size: float = 0.0) -> Mesh:
    """A surface mesh from a file, arrays, or an object of another package.

    Parameters
    ----------
    source : path, (nodes, faces), or mesh
        A file: .obj .ply .off .stl .mesh .su2 .gdf .dat .mar .pnl .vspgeom are read here, others
        by meshio if it is installed. CAD files (.step .stp .iges .igs .brep) are meshed by Gmsh's
        Python package, if it is installed; `gmsh.model` is the mesh of its current model. Arrays:
        nodes (n, 3), and faces (m, 3) or (m, 4), integers, where -1 in the fourth place makes a
        triangle, or a list of such arrays. A mesh of meshio, pyvista (PolyData, or the surface of
        another data set) or trimesh.
    scale : float
        To metres from the unit of the source.
    panel_size : float
        Largest edge on CAD files, m; by default a thirtieth of the largest dimension.

    Raises
    ------
    MeshError
        For an unusable file or invalid faces. Whether the surface is closed is checked when a
        problem is solved on it.
    InputError
        For arrays of other shapes.
    """
    if isinstance(source, Mesh):
        return source
    if isinstance(source, (str, os.PathLike)):
        return _read_path(os.fspath(source), scale, panel_size)
    if getattr(source, "__name__", "") == "gmsh" or getattr(source, "__module__", "") == "gmsh":
        return _from_gmsh(sys.modules["gmsh"].model, "model of gmsh", scale)
    if isinstance(source, tuple) and len(source) == 2:
        return _from_arrays(*source, "arrays", scale)
    if hasattr(source, "points") and hasattr(source, "extract_surface"):
        return _from_pyvista(source, scale)
    if hasattr(source, "points") and hasattr(source, "cells_dict"):
        return _from_meshio(source, "mesh of meshio", scale)
    if hasattr(source, "vertices") and hasattr(source, "faces"):
        return _from_arrays(source.vertices, source.faces, "mesh", scale)
    raise InputError(
        f"a mesh cannot be made of {type(source).__name__}; use a path, (nodes, faces), or a mesh "
        "of meshio, pyvista or trimesh"
    )


_CAD = (".step", ".stp", ".iges", ".igs", ".brep")


def _read_path(path: str, scale: float, panel_size: float) -> Mesh:
    if path.lower().endswith(_CAD):
        return _read_cad(path, scale, panel_size)
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
    except (meshio.ReadError, SystemExit, ValueError, KeyError, IndexError) as error:
        raise MeshError(f"meshio cannot read {path}: {error}") from None
    return _from_meshio(found, path, scale)


def _read_stl(path: str) -> tuple[Array, Array]:
    """Returns the corners of triangles, three each; coincident nodes are merged later."""
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


def _read_cad(path: str, scale: float, panel_size: float) -> Mesh:
    try:
        import gmsh
    except (ImportError, OSError):  # OSError: display libraries are missing
        raise MeshError(
            f"{path} is meshed by Gmsh's Python package; install it (pip install gmsh), or give "
            "the file to the program: rankine.solve"
        ) from None
    if not os.path.isfile(path):
        raise MeshError(f"there is no file {path}")
    mine = not gmsh.isInitialized()
    if mine:
        gmsh.initialize(readConfigFiles=False, interruptible=False)
    gmsh.option.setNumber("General.Terminal", 0)
    gmsh.option.setString("Geometry.OCCTargetUnit", "M")
    gmsh.model.add(path)
    try:
        gmsh.model.occ.importShapes(path)
        gmsh.model.occ.synchronize()
        box = np.array(gmsh.model.getBoundingBox(-1, -1))
        size = panel_size / scale or np.max(box[3:] - box[:3]) / 30
        gmsh.option.setNumber("Mesh.MeshSizeMax", size)
        gmsh.model.mesh.generate(2)
        return _from_gmsh(gmsh.model, path, scale)
    except Exception as error:
        if isinstance(error, Error):
            raise
        raise MeshError(f"gmsh cannot mesh {path}: {error}") from None
    finally:
        gmsh.model.remove()
        if mine:
            gmsh.finalize()


def _from_gmsh(model: Any, source: str, scale: float) -> Mesh:
    """Returns the panels of the current model, with physical surfaces as patches."""
    tags, positions, _ = model.mesh.getNodes()
    place = np.zeros(int(max(tags, default=0)) + 1, np.int64)
    place[tags.astype(np.int64)] = np.arange(len(tags))
    faces, patch, names, named = [], [], [], {}
    for _, group in model.getPhysicalGroups(2):
        for surface_tag in model.getEntitiesForPhysicalGroup(2, group):
            named[int(surface_tag)] = model.getPhysicalName(2, group) or f"surface {group}"
    for _, tag in model.getEntities(2):
        name = named.get(tag, "body")
        for kind, _, corners in zip(*model.mesh.getElements(2, tag)):
            _, _, _, count, _, primary = model.mesh.getElementProperties(kind)
            if name not in names:
                names.append(name)
            block = place[corners.astype(np.int64)].reshape(-1, count)[:, :primary]
            faces.append(block)
            patch.append(np.full(len(block), names.index(name)))
    if not faces:
        raise MeshError(f"{source} has no mesh of surfaces; call gmsh.model.mesh.generate(2)")
    return _from_arrays(
        positions.reshape(-1, 3), faces, source, scale, np.concatenate(patch), names
    )


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


def _surface_of(data: Any) -> Any:
    try:
        return data.extract_surface(algorithm=None)
    except TypeError:  # before pyvista 0.47
        return data.extract_surface()


def _from_pyvista(mesh: Any, scale: float) -> Mesh:
    poly = mesh if hasattr(mesh, "faces") else _surface_of(mesh)
    ends = np.asarray(poly.GetPolys().GetOffsetsArray())
    sizes = np.diff(ends)
    if poly.n_strips or not np.isin(sizes, (3, 4)).all():  # polygons
        return _from_pyvista(poly.triangulate(), scale)
    corners = np.asarray(poly.GetPolys().GetConnectivityArray())
    faces = np.full((len(sizes), 4), -1)
    faces[:, :3] = corners[ends[:-1, None] + np.arange(3)]
    faces[sizes == 4, 3] = corners[ends[:-1][sizes == 4] + 3]
    return _from_arrays(poly.points, faces, "mesh of pyvista", scale)


def _warned(core: Surface) -> Mesh:
    warn(core.warnings)
    return Mesh(core)


def sphere(panels: int = 20480, radius: float = 1.0, centre: Any = (0.0, 0.0, 0.0)) -> Mesh:
    """A sphere of at least `panels` triangles; lengths in m."""
    return Mesh(_sphere(as_integer("panels", panels), radius, as_vector("centre", centre)))


def ellipsoid(
    panels: int = 20480, semi_axes: Any = (3.0, 2.0, 1.0), centre: Any = (0.0, 0.0, 0.0)
) -> Mesh:
    """An ellipsoid of at least `panels` triangles; semi-axes along x, y, z, m."""
    axes, origin = as_vector("semi_axes", semi_axes), as_vector("centre", centre)
    return Mesh(_ellipsoid(as_integer("panels", panels), axes, origin))


def wing(
    panels: int = 20480,
    section: str = "0012",
    *,
    span: float = 6.0,
    chord: float | Sequence[float] = 1.0,
    sweep: float = 0.0,
    dihedral: float = 0.0,
    twist: float = 0.0,
) -> Mesh:
    """A wing with a NACA 4-digit section; x aft, y to starboard, z up.

    `chord`, m, at the root and the tip, and `span`, m; `sweep` and `dihedral` of the quarter-chord
    line and `twist` of the tip, degrees.
    """
    chords = as_array("chord", chord)
    if chords.shape not in ((), (2,)):
        raise InputError(f"chord has the shape {chords.shape}; use a number, or (root, tip)")
    root, tip = np.broadcast_to(chords, 2).tolist()
    count = as_integer("panels", panels)
    return Mesh(_wing(count, str(section), span, root, tip, sweep, dihedral, twist))


def winding_number(mesh: Any, points: Any, *, tolerance: float = 1e-6) -> Array:
    """The winding number of a surface at points, (n,): 1 inside a closed surface with outward
    normals, 0 outside. For a surface with holes it is the fraction of the solid angle covered, and
    values above 0.5 mean inside (Jacobson et al. 2013).

    Parameters
    ----------
    mesh : Mesh or what read() takes
    points : array, (n, 3)
        m.
    tolerance : float
        Relative error of the far field.
    """
    return _winding_number(read(mesh)._core, as_points("points", points), tolerance)
