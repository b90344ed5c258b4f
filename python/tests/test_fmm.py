"""rankine.FMM against sums over all pairs in numpy."""

import copy
import pickle

import numpy as np
import pytest

import rankine


@pytest.fixture
def rng():
    return np.random.default_rng(1)


def by_pairs(targets, sources, charges=None, dipoles=None):
    """Potential and gradient, each pair at a time; pairs that coincide left out."""
    phi, grad = np.zeros(len(targets)), np.zeros((len(targets), 3))
    for i, x in enumerate(targets):
        r = x - sources
        d = np.linalg.norm(r, axis=1)
        r, d = r[d > 0], d[d > 0, None]
        if charges is not None:
            q = charges[np.any(x != sources, axis=1), None]
            phi[i] += np.sum(q / d)
            grad[i] -= np.sum(q * r / d**3, axis=0)
        if dipoles is not None:
            mu = dipoles[np.any(x != sources, axis=1)]
            mu_r = np.sum(mu * r, axis=1, keepdims=True)
            phi[i] += np.sum(mu_r / d**3)
            grad[i] += np.sum(mu / d**3 - 3 * mu_r * r / d**5, axis=0)
    return phi, grad


def by_biot_savart(targets, sources, vortices):
    """The velocity of vortices with exponential cores of radius 0.05."""
    velocity = np.zeros((len(targets), 3))
    for i, x in enumerate(targets):
        r = x - sources
        d = np.linalg.norm(r, axis=1, keepdims=True)
        apart = d[:, 0] > 0
        g = 1 - np.exp(-((d[apart] / 0.05) ** 3))
        velocity[i] = np.sum(g * np.cross(vortices[apart], r[apart]) / d[apart] ** 3, axis=0)
    return velocity


def relative(found, exact):
    return np.linalg.norm(found - exact) / np.linalg.norm(exact)


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-9])
def test_charges_keep_the_tolerance(rng, tolerance):
    points, charges = rng.random((20000, 3)), rng.standard_normal(20000)
    phi, grad = rankine.FMM(points, tolerance=tolerance)(charges, gradient=True)
    sample = slice(0, None, 100)
    exact = by_pairs(points[sample], points, charges)
    # The sample holds 200 of the 20000 errors: their root mean square scatters by about 1/20 of
    # that of all, and by more if the errors are unequal.
    assert relative(phi[sample], exact[0]) < 1.5 * tolerance
    assert relative(grad[sample], exact[1]) < 1.5 * tolerance
    assert phi.shape == (20000,) and grad.shape == (20000, 3)


def test_dipoles_and_other_targets(rng):
    sources, targets = rng.random((3000, 3)), rng.random((500, 3)) + [0.5, 0, 0]
    charges, dipoles = rng.standard_normal(3000), rng.standard_normal((3000, 3))
    fmm = rankine.FMM(sources, targets=targets, tolerance=1e-7, dipoles=True)
    phi, grad = fmm(charges, dipoles=dipoles, gradient=True)
    exact = by_pairs(targets, sources, charges, dipoles)
    assert fmm.shape == (500, 3000)
    assert relative(phi, exact[0]) < 1e-6 and relative(grad, exact[1]) < 1e-6


def test_normal_dipoles_are_dipoles_along_normals(rng):
    points, normals, mu = rng.random((2000, 3)), rng.standard_normal((2000, 3)), rng.random(2000)
    phi = rankine.FMM(points, normals=normals)(normal_dipoles=mu)
    free = rankine.FMM(points)(dipoles=mu[:, None] * normals)
    assert relative(phi, free) < 1e-12


def test_vortices(rng):
    points, vortices = rng.random((2000, 3)), rng.standard_normal((2000, 3))
    fmm = rankine.FMM(points, kernel="vortex_exponential", core_radii=np.full(2000, 0.05))
    velocity, slopes = fmm(vortices=vortices, gradient=True)
    assert relative(velocity, by_biot_savart(points, points, vortices)) < 1e-6
    divergence = slopes[:, 0] + slopes[:, 4] + slopes[:, 8]
    assert np.abs(divergence).max() < 1e-6 * np.abs(slopes).max()


def test_second_derivatives_solve_laplace(rng):
    points = rng.random((2000, 3))
    _, _, hessian = rankine.FMM(points, targets=points + 0.01, derivatives=2)(
        np.ones(2000), gradient=True, hessian=True
    )
    assert np.abs(hessian[:, [0, 3, 5]].sum(axis=1)).max() < 1e-9 * np.abs(hessian).max()


def test_several_right_hand_sides_are_the_single_ones(rng):
    points, charges = rng.random((4000, 3)), rng.standard_normal((3, 4000))
    fmm = rankine.FMM(points, right_hand_sides=3)
    phi, grad = fmm(charges, gradient=True)
    for k in range(3):
        single = fmm(charges[k], gradient=True)
        assert relative(phi[k], single[0]) < 1e-12 and relative(grad[k], single[1]) < 1e-12


def test_points_that_move(rng):
    points, charges = rng.random((5000, 3)), rng.standard_normal(5000)
    fmm = rankine.FMM(points)
    fmm(charges)
    moved = points + 0.05 * rng.standard_normal((5000, 3))
    fmm.move(moved)
    assert relative(fmm(charges)[::50], by_pairs(moved[::50], moved, charges)[0]) < 2e-6
    fmm.move(moved[:3000])
    fewer = by_pairs(moved[:3000:50], moved[:3000], charges[:3000])[0]
    assert relative(fmm(charges[:3000])[::50], fewer) < 2e-6


def test_float32_keeps_its_tolerance(rng):
    points, charges = rng.random((5000, 3)), rng.standard_normal(5000)
    phi = rankine.FMM(points, tolerance=1e-4, precision="float32")(charges)
    assert 1e-9 < relative(phi[::50], by_pairs(points[::50], points, charges)[0]) < 1.5e-4


def test_arrays_are_used_in_place(rng):
    points, charges = rng.random((100, 3)), rng.random(100)
    fmm = rankine.FMM(points)
    out = np.empty(100)
    result = fmm(charges, out=out)
    assert result is out and np.array_equal(out, fmm(charges))
    assert np.array_equal(np.from_dlpack(fmm(charges)), out)


class Dlpack:
    """An array of another package, which numpy knows by its protocol alone."""

    def __init__(self, array, device=1):
        self.array, self.device = array, device
        self.shape, self.ndim = array.shape, array.ndim

    def __dlpack__(self, **kwargs):
        return self.array.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self.device, 0


def test_arrays_of_other_packages(rng):
    points, charges = rng.random((100, 3)), rng.random(100)
    phi = rankine.FMM(Dlpack(points))(Dlpack(charges))
    assert np.array_equal(phi, rankine.FMM(points)(charges))
    with pytest.raises(rankine.InputError, match="on a device"):
        rankine.FMM(Dlpack(points, device=2))
    with pytest.raises(rankine.InputError, match="charges is on a device, and this sum computes"):
        rankine.FMM(points, device="cpu")(Dlpack(charges, device=2))


def test_arrays_of_other_types_and_orders(rng):
    points, charges = rng.random((100, 3)).astype(np.float32), rng.integers(-3, 3, 100)
    phi = rankine.FMM(np.asfortranarray(points))(charges)
    assert np.array_equal(phi, rankine.FMM(points.astype(float))(charges.astype(float)))
    assert np.array_equal(phi, rankine.FMM(points.tolist())(charges.tolist()))


def test_gmres_solves_with_the_operator(rng):
    """(2 + A) x = b with a known x: A is that of charges on a sphere, scaled to a norm below 1."""
    linalg = pytest.importorskip("scipy.sparse.linalg")
    points = rng.standard_normal((3000, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    A = rankine.FMM(points, tolerance=1e-10).aslinearoperator()
    system = (
        linalg.aslinearoperator(2 * linalg.LinearOperator((3000, 3000), lambda x: x)) + A / 3000
    )
    x = rng.standard_normal(3000)
    found, failed = linalg.gmres(system, system @ x, rtol=1e-10)
    # The eigenvalues lie between about 1.9 and 3, so the error is at most twice the residual.
    assert failed == 0 and relative(found, x) < 1e-8


def test_operator_and_its_transpose(rng):
    pytest.importorskip("scipy")
    sources, targets = rng.random((800, 3)), rng.random((300, 3))
    A = rankine.FMM(sources, targets=targets).aslinearoperator()
    x, y, X = rng.random(800), rng.random(300), rng.random((800, 2))
    assert A.shape == (300, 800)
    assert abs(y @ (A @ x) - (A.T @ y) @ x) < 1e-6 * abs(y @ (A @ x))
    assert relative(A @ X, np.column_stack([A @ X[:, 0], A @ X[:, 1]])) < 1e-12
    assert (A.T @ rng.random((300, 2))).shape == (800, 2)


def test_pickles_and_copies_are_the_same_sum(rng):
    points, targets, charges = rng.random((100, 3)), rng.random((30, 3)), rng.random(100)
    fmm = rankine.FMM(points, targets=targets, tolerance=1e-4, kernel="plummer", softening=0.1)
    for again in (pickle.loads(pickle.dumps(fmm)), copy.deepcopy(fmm)):
        assert np.array_equal(again(charges), fmm(charges)) and repr(again) == repr(fmm)


def _read_only(n):
    array = np.empty(n)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    "call, kind, text",
    [
        (lambda p, q: rankine.FMM(p[:, :2]), rankine.InputError, r"points has the shape \(10, 2\)"),
        (lambda p, q: rankine.FMM(p * np.nan), rankine.InputError, "finite"),
        (lambda p, q: rankine.FMM(p + 1j), TypeError, "complex128"),
        (lambda p, q: rankine.FMM([["a", "b", "c"]]), TypeError, "points has the type"),
        (
            lambda p, q: rankine.FMM([[1, 2, 3], [4, 5]]),
            rankine.InputError,
            "points is not an array",
        ),
        (lambda p, q: rankine.FMM(p, tolerance=0), rankine.InputError, "tolerance"),
        (lambda p, q: rankine.FMM(p, kernel="yukawa"), rankine.InputError, '"laplace"'),
        (lambda p, q: rankine.FMM(p, threads=-1), rankine.InputError, "threads -1"),
        (
            lambda p, q: rankine.FMM(p, normals=p[:5]),
            rankine.InputError,
            r"normals has the shape \(5, 3\)",
        ),
        (lambda p, q: rankine.FMM(p)(q[:9]), rankine.InputError, r"charges has the shape \(9,\)"),
        (
            lambda p, q: rankine.FMM(p)(np.where(q == q[3], np.inf, q)),
            rankine.InputError,
            r"charges\[3\] is inf",
        ),
        (lambda p, q: rankine.FMM(p)(), rankine.InputError, "no strengths"),
        (lambda p, q: rankine.FMM(p)(normal_dipoles=q), rankine.InputError, "normals"),
        (
            lambda p, q: rankine.FMM(p)(q, dipoles=np.ones((2, 10, 3))),
            rankine.InputError,
            "right-hand sides",
        ),
        (lambda p, q: rankine.FMM(p)(q, out=np.empty(3)), rankine.InputError, "out for potential"),
        (lambda p, q: rankine.FMM(p)(q, out=np.empty(10, np.float32)), TypeError, "float32"),
        (lambda p, q: rankine.FMM(p)(vortices=p), rankine.InputError, "vortices"),
        # Results in a copy of such an array would be lost.
        (lambda p, q: rankine.FMM(p)(q, out=np.empty(20)[::2]), rankine.InputError, "contiguous"),
        (lambda p, q: rankine.FMM(p)(q, out=_read_only(10)), rankine.InputError, "read-only"),
        (lambda p, q: rankine.FMM(None), TypeError, "points has the type object"),
        (lambda p, q: rankine.FMM(p, threads=1.5), rankine.InputError, "threads is 1.5"),
        (lambda p, q: rankine.FMM(p, precision=float), rankine.InputError, "precision is"),
    ],
)
def test_errors_say_what_is_wrong(rng, call, kind, text):
    with pytest.raises(kind, match=text):
        call(rng.random((10, 3)), rng.random(10))


def test_errors_are_those_of_python_too():
    assert issubclass(rankine.InputError, ValueError) and issubclass(
        rankine.InputError, rankine.Error
    )
    assert issubclass(rankine.DeviceMemoryError, MemoryError)


def test_without_a_device_cuda_says_so(rng):
    if rankine.FMM(rng.random((10, 3))).info["device"] == "cuda":
        pytest.skip("there is a device")
    with pytest.raises(rankine.DeviceError, match="CUDA"):
        rankine.FMM(rng.random((10, 3)), device="cuda")
