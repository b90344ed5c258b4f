"""Polars and derivatives of wings from Python, by the program `rankine`."""

import os
import shutil

import numpy as np
import pytest

import rankine

pytestmark = pytest.mark.skipif(
    shutil.which(os.environ.get("RANKINE", "rankine")) is None,
    reason="the program rankine is not installed",
)

CASE = """version = 1
[mesh]
shape = "wing"
panels = [40, 20]
span = 4.0
[problem]
alpha = 5.0
[lift]
derivatives = true
[[control]]
name = "flap"
patch = "body"
hinge = [[0.7, -2.0, 0.0], [0.7, 2.0, 0.0]]
"""


@pytest.fixture(scope="module")
def wing(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wing")
    (folder / "wing.toml").write_text(CASE)
    return rankine.solve(folder / "wing.toml", output=folder / "results", quiet=True)


def test_polar_is_over_beta_and_alpha_and_agrees_with_the_solve(wing):
    pytest.importorskip("xarray")
    data = wing.polar(alpha=[-5.0, 0.0, 2.5, 5.0], beta=[0.0, 5.0])
    assert data.CL.dims == ("beta", "alpha") and data.CL.shape == (2, 4)
    # The solve at the angle of the case; loads differ by 5e-4 of the force (docs/howto/wings.md).
    at_case = data.sel(alpha=5.0, beta=0.0)
    assert abs(at_case.CL - wing["results"]["lift"]["CL"]) < 1e-3
    # A wing of symmetric sections has no lift at zero, and lift of two signs, whose wakes lie
    # along the stream of the case and so are not symmetric: a hundredth.
    assert abs(data.CL.sel(alpha=0.0, beta=0.0)) < 1e-3
    assert abs(data.CL.sel(alpha=-5.0, beta=0.0) + at_case.CL) < 0.01 * at_case.CL


def test_derivatives_are_slopes_of_the_polar(wing):
    pytest.importorskip("xarray")
    slope = wing.derivatives.sel(coefficient="CL", by="alpha").item()
    two = wing.polar(alpha=[4.9, 5.1]).CL.values[0]
    # A central difference of a smooth function over 0.2 degrees.
    assert np.isclose((two[1] - two[0]) / np.radians(0.2), slope, rtol=1e-4)
    rolling = wing.polar(5.0, p=0.01).Cl.item() - wing.polar(5.0, p=-0.01).Cl.item()
    assert np.isclose(
        rolling / 0.02, wing.derivatives.sel(coefficient="Cl", by="p").item(), rtol=1e-3
    )
    flapped = [wing.polar(5.0, controls={"flap": each}).Cm.item() for each in (0.1, -0.1)]
    assert np.isclose(
        (flapped[0] - flapped[1]) / np.radians(0.2),
        wing.derivatives.sel(coefficient="Cm", by="flap").item(),
        rtol=1e-4,
    )


def test_an_aircraft_is_the_same_case(wing, tmp_path):
    pytest.importorskip("xarray")
    plane = rankine.Aircraft(
        {"shape": "wing", "panels": [40, 20], "span": 4.0},
        alpha=5.0,
        controls={"flap": {"patch": "body", "hinge": [[0.7, -2.0, 0.0], [0.7, 2.0, 0.0]]}},
        output=tmp_path / "plane",
        quiet=True,
    )
    assert np.array_equal(plane.derivatives, wing.derivatives, equal_nan=True)
    assert plane.polar([0.0, 5.0]).identical(wing.polar([0.0, 5.0]))
    # With wakes along each stream: at the angle of the aircraft the same flow.
    swept = plane.sweep(alpha=[5.0])
    assert swept[0]["results"]["lift"]["CL"] == plane.results["results"]["lift"]["CL"]


def test_results_without_derivatives_raise(tmp_path):
    pytest.importorskip("xarray")
    case = tmp_path / "case.toml"
    case.write_text('version = 1\n[mesh]\nshape = "sphere"\npanels = 80\n')
    found = rankine.solve(case, output=tmp_path / "results", quiet=True)
    with pytest.raises(rankine.InputError, match="lift.derivatives"):
        found.polar(alpha=1.0)
    with pytest.raises(rankine.InputError, match="lift.derivatives"):
        _ = found.derivatives
