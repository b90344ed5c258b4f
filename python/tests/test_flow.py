"""Flows, added mass and capacitance against exact solutions."""

import os
import signal
import threading

import numpy as np
import pytest

import rankine


def rms(values, area):
    return np.sqrt(np.sum(area * values**2) / np.sum(area))


def sphere_errors(panels):
    """Relative L2 errors of Cp and phi: Cp = 1 - 9/4 (1 - x^2), phi = x / 2."""
    run = rankine.Flow(rankine.sphere(panels)).solve((1, 0, 0))
    x = run.centroid[:, 0] / np.linalg.norm(run.centroid, axis=1)
    cp, phi = 1 - 9 / 4 * (1 - x**2), x / 2
    return np.array(
        [
            rms(run.Cp - cp, run.area) / rms(cp, run.area),
            rms(run.phi - phi, run.area) / rms(phi, run.area),
        ]
    ), run


def test_sphere_is_of_second_order():
    errors, runs = zip(*[sphere_errors(n) for n in (320, 1280, 5120)])
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(np.abs(orders - 2) < 0.3), orders
    for error, run in zip(errors, runs):  # what the estimate promises
        assert error[0] < 3 * run.errors["cp_l2"]


def test_sphere_has_no_drag_and_the_field_is_that_of_a_dipole():
    run = rankine.Flow(rankine.sphere(1280), density=1000).solve((2, 0, 0))
    # d'Alembert: the force is 0, of a dynamic pressure 2000 Pa on pi m^2.
    assert np.linalg.norm(run.force) < 1e-6 * 2000 * np.pi
    x = np.array([[2, 0, 0], [0, 2, 0], [1.5, 1, -1.2], [0.1, 0, 0]])
    r = np.linalg.norm(x, axis=1, keepdims=True)
    e = np.array([1.0, 0, 0])
    exact = 2 * e + (e - 3 * x[:, :1] * x / r**2) / r**3
    field = run.field(x)
    assert list(field["inside"]) == [False, False, False, True]
    # The dipole errs as the added mass, 6e-4 on 1280 panels.
    assert np.abs(field["velocity"] - exact)[:3].max() < 2e-3
    assert np.all(run.velocity(x)[3] == 0)
    bernoulli = 1000 * (4 - np.sum(field["velocity"] ** 2, axis=1)) / 2
    assert np.allclose(field["pressure"][:3], bernoulli[:3], rtol=1e-12)


def test_streams_together_are_streams_alone():
    flow = rankine.Flow(rankine.ellipsoid(1280))
    streams = [(1, 0, 0), (0, 1, 0), (0.5, 0, 2)]
    together = flow.solve(streams)
    assert len(together) == 3
    for one, stream in zip(together, streams):
        alone = flow.solve(stream)
        assert np.array_equal(one.stream, stream)
        # Both solve to 1e-6; a common solve only shares its products.
        assert rms(one.phi - alone.phi, one.area) < 1e-6 * rms(alone.phi, one.area)
    combined = 0.5 * together[0].phi + 2 * together_z(flow)
    assert rms(together[2].phi - combined, together[2].area) < 1e-5 * rms(
        combined, together[2].area
    )


def together_z(flow):
    return flow.solve((0, 0, 1)).phi


def ellipsoid_coefficients(a, b, c):
    """k_i = alpha_i / (2 - alpha_i), with alpha_i = abc int_0^inf ds / ((a_i^2 + s) D(s))."""
    special = pytest.importorskip("scipy.special")
    squares = np.array([a, b, c]) ** 2
    alpha = [
        2 / 3 * a * b * c * special.elliprd(*np.delete(squares, i), squares[i]) for i in range(3)
    ]
    return [each / (2 - each) for each in alpha]


def test_added_mass_of_an_ellipsoid():
    exact = ellipsoid_coefficients(3, 2, 1)
    volume = 4 / 3 * np.pi * 6
    errors = []
    for panels in (320, 1280):
        matrix = rankine.added_mass(rankine.ellipsoid(panels), density=1000)
        assert matrix.shape == (6, 6) and np.allclose(matrix, matrix.T, rtol=1e-12)
        found = np.diag(matrix)[:3] / (1000 * volume)
        errors.append(np.abs(found / exact - 1))
        # By symmetry translations do not turn the body.
        assert np.abs(matrix[:3, 3:]).max() < 1e-4 * matrix[2, 2]
    # Panels inscribed in the surface: errors of second order, 4 times less on 4 times more panels.
    assert errors[1].max() < errors[0].max() / 3 and errors[1].max() < 0.01


def test_capacitance_of_spheres():
    unit = 4 * np.pi * 8.8541878128e-12
    one = rankine.capacitance([rankine.sphere(1280, radius=2)])
    assert one.shape == (1, 1) and abs(one[0, 0] / (2 * unit) - 1) < 2e-3
    # Two unit spheres at the distance d = 4: by images, C11 = 1 + 1/(d^2 - 2) ..., with sinh(u) in
    # units of 4 pi eps: C11 = sinh u sum 1/sinh((2n-1) u), C12 = -sinh u sum 1/sinh(2n u),
    # cosh u = d/2.
    u, n = np.arccosh(2.0), np.arange(1, 40)
    exact = np.sinh(u) * np.array(
        [np.sum(1 / np.sinh((2 * n - 1) * u)), -np.sum(1 / np.sinh(2 * n * u))]
    )
    found = (
        rankine.capacitance([rankine.sphere(1280), rankine.sphere(1280, centre=(4, 0, 0))]) / unit
    )
    assert np.allclose(found, found.T, rtol=1e-12)
    assert np.allclose([found[0, 0], found[0, 1]], exact, rtol=3e-3)


@pytest.mark.filterwarnings("ignore:.*thin wall")
def test_wing_has_lift_by_two_ways():
    alpha = np.radians(4)
    stream = (np.cos(alpha), 0, np.sin(alpha))
    run = rankine.Flow(rankine.wing(2000, span=6), wakes=True).solve(stream)
    lift, far = run.lift, run.force
    # The pressure and the wake far downstream give the same lift. Lifting-line theory: 2 pi alpha
    # A / (A + 2), A = 6, on a dynamic pressure of 1/2 Pa and 6 m^2; thick wings have up to a tenth
    # more.
    assert abs(far[2] / lift["force"][2] - 1) < 0.05
    assert abs(lift["force"][2] / (0.5 * 6 * 2 * np.pi * alpha * 6 / 8) - 1) < 0.12
    # The least induced drag of a lift L is L^2 / (pi q b^2).
    least = lift["force"][2] ** 2 / (np.pi * 0.5 * 36)
    assert 0.97 < lift["induced_drag"] / least < 1.15
    assert lift["circulation"].shape == (len(lift["edges"]),)
    assert abs(rankine.Flow(rankine.wing(2000)).solve(stream).force[2]) < 0.05 * abs(far[2])


def test_other_packages():
    xarray = pytest.importorskip("xarray")
    runs = rankine.Flow(rankine.sphere(320)).solve([(1, 0, 0), (0, 1, 0)])
    data = runs.to_xarray()
    assert isinstance(data, xarray.Dataset) and dict(data.sizes) == {
        "stream": 2,
        "axis": 3,
        "panel": 320,
    }
    assert data.force.attrs["units"] == "N"
    assert np.array_equal(data.Cp[1], runs[1].Cp)
    # k = 1/2 along each stream.
    assert np.allclose(data.added_mass_velocity, [[0.5, 0, 0], [0, 0.5, 0]], atol=2e-3)


def test_surface_for_pyvista():
    pytest.importorskip("pyvista")
    run = rankine.Flow(rankine.sphere(320)).solve()
    surface = run.surface
    assert surface.n_cells == 320 and np.array_equal(surface.cell_data["Cp"], run.Cp)
    again = rankine.read(surface)
    assert np.array_equal(again.faces, run.mesh.faces)


def test_arrays_are_views_that_outlive_the_result():
    phi = rankine.Flow(rankine.sphere(320)).solve().phi
    assert not phi.flags.writeable and not phi.flags.owndata
    assert abs(phi).max() < 0.6


def test_interrupt_ends_a_solve():
    flow = rankine.Flow(rankine.sphere(80000), tolerance=1e-10, threads=1)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        flow.solve()


def test_a_solve_that_does_not_converge_warns():
    with pytest.warns(rankine.ConvergenceWarning):
        run = rankine.Flow(rankine.ellipsoid(320), max_iterations=1).solve()
    assert not run.converged and run.residual > 1e-6


@pytest.mark.parametrize(
    "call, kind, text",
    [
        (
            lambda: rankine.Flow(rankine.sphere(80), tolerance=-1).solve(),
            rankine.InputError,
            "tolerance",
        ),
        (lambda: rankine.Flow(rankine.sphere(80), panels="round"), rankine.InputError, '"curved"'),
        (lambda: rankine.Flow(rankine.sphere(80)).solve((1, 0)), rankine.InputError, r"\(2,\)"),
        (
            lambda: rankine.Flow(rankine.sphere(80)).solve((0, 0, 0)),
            rankine.InputError,
            r"velocity\[0\] is zero",
        ),
        (lambda: rankine.Flow(rankine.sphere(80)).solve((1, 0, np.nan)), rankine.InputError, "nan"),
        (lambda: rankine.Flow(rankine.sphere(80), wakes=True).solve(), rankine.InputError, "edge"),
        (
            lambda: rankine.Flow(rankine.sphere(80)).solve().velocity([1, 2, 3]),
            rankine.InputError,
            "points",
        ),
        (lambda: rankine.capacitance([]), rankine.InputError, "no conductors"),
        (
            lambda: rankine.capacitance([rankine.sphere(80), rankine.sphere(80, centre=(1, 0, 0))]),
            rankine.MeshError,
            "bodies",
        ),
        (
            lambda: rankine.added_mass(rankine.sphere(80), centre=(1, 2)),
            rankine.InputError,
            "centre",
        ),
        (lambda: rankine.added_mass(rankine.sphere(80), density=-1), rankine.InputError, "density"),
        (lambda: rankine.Flow(rankine.sphere(80), density=0), rankine.InputError, "density is 0"),
        (
            lambda: rankine.Flow(rankine.sphere(80)).solve(np.zeros((0, 3))),
            rankine.InputError,
            "no stream",
        ),
        (lambda: rankine.sphere(80.5), rankine.InputError, "panels is 80.5"),
        (lambda: rankine.ellipsoid(80, (1, 2)), rankine.InputError, "semi_axes"),
        (lambda: rankine.wing(80, chord=(1, 2, 3)), rankine.InputError, "chord"),
    ],
)
def test_errors_say_what_is_wrong(call, kind, text):
    with pytest.raises(kind, match=text):
        call()


def box_of_quads(n):
    """A cube from 0 to 1 in z and from -1/2 to 1/2 in x and y, n x n quadrilaterals a side."""
    t = np.linspace(0, 1, n + 1)
    nodes, faces = [], []
    for axis in range(3):
        for end in (0, 1):
            first = len(nodes)
            for a in t:
                for b in t:
                    x = np.zeros(3)
                    x[axis], x[(axis + 1) % 3], x[(axis + 2) % 3] = end, a, b
                    nodes.append(x - (0.5, 0.5, 0))
            for i in range(n):
                for j in range(n):
                    k = first + i * (n + 1) + j
                    quad = [k, k + n + 1, k + n + 2, k + 1]
                    faces.append(quad if end else quad[::-1])
    return np.array(nodes), np.array(faces)


def ball(n, semi_axes=(1, 1, 1), half=False):
    """A cube of quadrilaterals blown up to an ellipsoid; `half`: the part with y > 0."""
    nodes, faces = box_of_quads(n)
    nodes = nodes - (0, 0, 0.5)
    nodes = nodes / np.linalg.norm(nodes, axis=1, keepdims=True) * semi_axes
    return nodes, faces[np.all(nodes[faces][:, :, 1] > -1e-9, axis=1)] if half else faces


@pytest.mark.filterwarnings("ignore:.*merged")
def test_half_a_sphere_beside_its_plane_is_the_whole():
    whole = rankine.Flow(ball(12), tolerance=1e-8).solve((1, 0, 0))
    flow = rankine.Flow(ball(12, half=True), symmetry="y", tolerance=1e-8)
    half = flow.solve((1, 0, 0))
    assert len(half.phi) == 432 and len(whole.phi) == 864
    # The same system but for the order of its rows, both solved to 1e-8.
    assert abs(half.Cp.min() - whole.Cp.min()) < 1e-6
    assert abs(half.phi.max() - whole.phi.max()) < 1e-6
    with pytest.raises(rankine.InputError, match="through the symmetry plane"):
        flow.solve((0, 1, 0))
    with pytest.raises(rankine.MeshError):  # the rim is open without its plane
        rankine.Flow(ball(12, half=True))


@pytest.mark.filterwarnings("ignore:.*merged")
def test_whole_bodies_from_halves_have_all_modes():
    whole = rankine.added_mass(ball(12, (3, 2, 1)), tolerance=1e-8)
    half = rankine.added_mass(
        ball(12, (3, 2, 1), half=True), symmetry=["y"], whole=["y"], tolerance=1e-8
    )
    # On the same panels, solved to 1e-8.
    assert np.abs(half - whole).max() < 1e-6 * np.abs(whole).max()


@pytest.mark.filterwarnings("ignore:.*merged")
def test_flow_through_a_tank_is_uniform():
    """Through the floor of a tank w flows in, through its lid out: phi = w z."""
    nodes, faces = box_of_quads(8)
    flow = rankine.Flow((nodes, faces), domain="interior", panels="flat", tolerance=1e-8)
    z = np.array(flow.mesh.nodes)[np.array(flow.mesh.faces)][:, :, 2].mean(axis=1)
    w = np.where(np.isclose(z, 0), 1.0, np.where(np.isclose(z, 1), -1.0, 0.0))
    run = flow.solve(normal_velocity=w)
    assert np.isnan(run.Cp).all()
    # Linear potentials are exact on flat panels but for the constant density on each: 1/8 wide.
    phi = run.centroid[:, 2] - 0.5
    assert rms(run.phi - phi, run.area) < 0.02
    inside = run.velocity([(0, 0, 0.5), (0.1, -0.2, 0.4)])
    assert np.abs(inside - (0, 0, 1)).max() < 0.02
    assert run.field([(2, 2, 2)])["inside"][0]  # of the walls, where there is no fluid
    with pytest.raises(rankine.InputError, match="flux"):
        flow.solve(normal_velocity=np.ones_like(w))


def test_a_sphere_that_blows_is_a_source():
    """w = 1 on the unit sphere: phi = -1/r, and the velocity 1/r^2."""
    flow = rankine.Flow(rankine.sphere(1280))
    run = flow.solve(normal_velocity=np.ones(1280))
    assert np.abs(run.phi + 1).max() < 5e-3
    assert np.abs(run.velocity([(2, 0, 0)])[0] - (0.25, 0, 0)).max() < 1e-3
    with pytest.raises(rankine.InputError, match="one for each panel"):
        flow.solve(normal_velocity=np.ones(3))


def test_nine_streams_are_those_of_single_solves():
    flow = rankine.Flow(rankine.ellipsoid(1280), tolerance=1e-8)
    streams = [(1 + i, 0.3 * j, 0.2 * i - 0.1 * j) for i in range(3) for j in range(3)]
    for one, stream in zip(flow.solve(streams), streams):
        alone = flow.solve(stream)
        # Residuals of 1e-8 on either side, times the condition of the system.
        assert np.abs(one.phi - alone.phi).max() < 1e-6 * np.abs(alone.phi).max()
        assert np.abs(one.Cp - alone.Cp).max() < 1e-5
        assert one.residual <= 1e-8
