"""Meshes from files, arrays and other packages."""

import pickle
import struct

import numpy as np
import pytest

import rankine

CUBE_NODES = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)], float)
CUBE = np.array(
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
)


def triangles():
    return np.vstack([CUBE[:, [0, 1, 2]], CUBE[:, [0, 2, 3]]])


def is_cube(mesh, size=1.0):
    assert mesh.watertight
    assert mesh.volume == pytest.approx(size**3, rel=1e-12)
    assert mesh.area == pytest.approx(6 * size**2, rel=1e-12)


def test_arrays():
    mesh = rankine.read((CUBE_NODES, CUBE))
    is_cube(mesh)
    assert mesh.faces.shape == (6, 4) and mesh.patch_names == ["body"] and len(mesh) == 6
    is_cube(rankine.read((CUBE_NODES, triangles())), 1)
    is_cube(rankine.read((CUBE_NODES.tolist(), [CUBE[:3], triangles()[[3, 4, 5, 9, 10, 11]]])))
    is_cube(rankine.read((CUBE_NODES, CUBE), scale=0.001), 0.001)


def test_own_formats(tmp_path):
    path = tmp_path / "cube.obj"
    path.write_text(
        "".join(f"v {x} {y} {z}\n" for x, y, z in CUBE_NODES)
        + "".join("f " + " ".join(str(k + 1) for k in face) + "\n" for face in CUBE)
    )
    is_cube(rankine.read(path))
    is_cube(rankine.read(str(path), scale=2), 2)


@pytest.mark.filterwarnings("ignore:.*nodes at the place")
def test_stl_as_text_and_binary(tmp_path):
    text, binary = tmp_path / "text.stl", tmp_path / "binary.STL"
    corners = CUBE_NODES[triangles()]
    text.write_text(
        "solid cube\n"
        + "".join(
            "facet normal 0 0 0\nouter loop\n"
            + "".join(f"vertex {x} {y} {z}\n" for x, y, z in face)
            + "endloop\nendfacet\n"
            for face in corners
        )
        + "endsolid cube\n"
    )
    binary.write_bytes(
        b"solid, but binary".ljust(80)
        + struct.pack("<I", 12)
        + b"".join(struct.pack("<12fH", 0, 0, 0, *face.ravel(), 0) for face in corners)
    )
    for path in (text, binary):
        mesh = rankine.read(path)
        is_cube(mesh)
        assert len(mesh.nodes) == 8
    text.write_text("solid\nvertex 0 0 zero\n")
    with pytest.raises(rankine.MeshError, match="not three numbers"):
        rankine.read(text)


def test_meshio(tmp_path):
    meshio = pytest.importorskip("meshio")
    mesh = meshio.Mesh(
        CUBE_NODES,
        [("quad", CUBE[:2]), ("quad", CUBE[2:]), ("line", [[0, 1]])],
        cell_data={"gmsh:physical": [np.full(2, 7), np.full(4, 8), np.array([1])]},
        field_data={"ends": np.array([7, 2]), "sides": np.array([8, 2])},
    )
    found = rankine.read(mesh)
    is_cube(found)
    assert found.patch_names == ["ends", "sides"] and list(found.patch) == [0, 0, 1, 1, 1, 1]
    path = tmp_path / "cube.vtk"
    meshio.Mesh(CUBE_NODES, [("quad", CUBE)]).write(path)
    is_cube(rankine.read(path))
    with pytest.raises(rankine.MeshError, match="line"):
        rankine.read(meshio.Mesh(CUBE_NODES, [("line", [[0, 1]])]))


def test_pyvista():
    pyvista = pytest.importorskip("pyvista")
    is_cube(rankine.read(pyvista.Cube(center=(0.5, 0.5, 0.5)).clean()))
    mixed = np.concatenate(
        [np.hstack([[4], face]) for face in CUBE[:5]] + [[3, 1, 3, 7], [3, 1, 7, 5]]
    )
    is_cube(rankine.read(pyvista.PolyData(CUBE_NODES, mixed)))


def test_winding_number_of_closed_and_open_surfaces():
    cube = rankine.read((CUBE_NODES, CUBE))
    points = np.array([[0.5, 0.5, 0.5], [0.1, 0.9, 0.99], [1.5, 0.5, 0.5], [0.5, 0.5, -0.01]])
    assert np.allclose(rankine.winding_number(cube, points), [1, 1, 0, 0], atol=1e-6)
    # Without one of six equal faces five sixths of the directions from the centre are covered.
    is_open = (CUBE_NODES, CUBE[1:])
    assert rankine.winding_number(is_open, points[:1]) == pytest.approx(5 / 6, abs=1e-6)


def test_an_open_surface_is_refused_by_a_solve():
    with pytest.raises(rankine.MeshError, match="open|one panel|boundary"):
        rankine.Flow((CUBE_NODES, CUBE[1:]))


def test_normals_are_turned_outwards_with_a_warning():
    with pytest.warns(UserWarning, match="turn|revers"):
        flow = rankine.Flow((CUBE_NODES, CUBE[:, ::-1]))
    assert flow.mesh.volume == pytest.approx(1)


@pytest.mark.parametrize(
    "source, kind, text",
    [
        ("nowhere.obj", rankine.MeshError, "nowhere.obj"),
        ((CUBE_NODES[:, :2], CUBE), rankine.InputError, r"nodes has the shape \(8, 2\)"),
        ((CUBE_NODES, CUBE[:, :2]), rankine.InputError, r"faces has the shape \(6, 2\)"),
        ((CUBE_NODES, CUBE + 1), rankine.MeshError, "names the node 8"),
        ((CUBE_NODES, CUBE.astype(float)), TypeError, "float64; use integers"),
        ((CUBE_NODES * np.nan, CUBE), rankine.MeshError, "not a place"),
        (3, rankine.InputError, "int"),
    ],
)
def test_errors_say_what_is_wrong(source, kind, text):
    with pytest.raises(kind, match=text):
        rankine.read(source)


@pytest.mark.filterwarnings("ignore:.*nodes at the place")
def test_any_data_set_of_pyvista():
    pv = pytest.importorskip("pyvista")
    is_cube(rankine.read(pv.Cube().cast_to_unstructured_grid()))
    is_cube(rankine.read(pv.Cube().triangulate().strip()))
    is_cube(rankine.read(pv.ImageData(dimensions=(3, 3, 3))), 2)
    column = rankine.read(pv.Cylinder(radius=1.0, height=2.0, resolution=6, direction=(0, 0, 1)))
    # A hexagonal prism, whose ends are polygons of six corners; coordinates are float32.
    assert column.volume == pytest.approx(2 * 1.5 * 3**0.5, rel=1e-6) and column.watertight


def test_a_model_of_gmsh_and_a_file_of_cad(tmp_path):
    gmsh = pytest.importorskip("gmsh")
    step = tmp_path / "box.step"
    gmsh.initialize(readConfigFiles=False, interruptible=False)
    try:
        gmsh.option.setNumber("General.Terminal", 0)
        gmsh.model.occ.addBox(0, 0, 0, 1, 1, 1)
        gmsh.model.occ.synchronize()
        with pytest.raises(rankine.MeshError, match="no mesh"):
            rankine.read(gmsh.model)
        gmsh.model.addPhysicalGroup(2, [1, 2], name="ends")
        gmsh.option.setNumber("Mesh.ElementOrder", 2)
        gmsh.model.mesh.generate(2)
        mesh = rankine.read(gmsh.model)
        is_cube(mesh)
        assert mesh.patch_names == ["ends", "body"] and set(mesh.patch) == {0, 1}
        gmsh.write(str(step))  # in millimetres
    finally:
        gmsh.finalize()
    small = rankine.read(step, panel_size=0.25e-3)
    is_cube(small, 1e-3)
    assert len(small) > 6 * 2 * 4**2
    assert not gmsh.isInitialized()
    with pytest.raises(rankine.MeshError, match="no file"):
        rankine.read(tmp_path / "nowhere.step")


def test_warnings_name_the_line_of_the_caller():
    corners = CUBE_NODES[triangles()].reshape(-1, 3)
    with pytest.warns(UserWarning, match="28 nodes at the place") as warned:
        rankine.read((corners, np.arange(36).reshape(-1, 3)))
    with pytest.warns(UserWarning, match="28 nodes at the place") as deeper:
        rankine.added_mass((corners, np.arange(36).reshape(-1, 3)))
    assert warned[0].filename == deeper[0].filename == __file__


def test_saved_and_pickled_meshes_are_the_same(tmp_path):
    mesh = rankine.read((CUBE_NODES * np.pi, CUBE))
    for copy in (pickle.loads(pickle.dumps(mesh)), rankine.read(mesh.save(tmp_path / "cube.msh"))):
        assert np.array_equal(copy.nodes, mesh.nodes) and np.array_equal(copy.faces, mesh.faces)
        assert copy.patch_names == mesh.patch_names
