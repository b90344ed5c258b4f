"""Sweeps of case files from Python, by the program `rankine`."""

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
shape = "ellipsoid"
panels = 320
[solver]
tolerance = 1e-8
"""


@pytest.fixture
def case(tmp_path):
    path = tmp_path / "case.toml"
    path.write_text(CASE)
    return path


def test_streams_are_those_of_the_package(case, tmp_path):
    found = rankine.sweep(
        case, {"beta": [-5, 5], "alpha": [0, 4, 8]}, output=tmp_path / "results", quiet=True
    )
    assert len(found) == 6 and not found.failures
    flow = rankine.Flow(rankine.ellipsoid(320, (3, 2, 1)), tolerance=1e-8)
    # The first key is the slowest.
    angles = [(alpha, beta) for beta in (-5, 5) for alpha in (0, 4, 8)]
    for one, (alpha, beta) in zip(found, angles):
        a, b = np.radians([alpha, beta])
        run = flow.solve((np.cos(a) * np.cos(b), -np.sin(b), np.sin(a) * np.cos(b)))
        # Two solves to 1e-8; the condition of the system and of gradients is below 1000.
        assert abs(one["results"]["Cp_min"] - run.Cp.min()) < 1e-5
        assert np.allclose(one["results"]["added_mass"], run.added_mass_velocity, atol=1e-5)


def test_table_is_a_data_set_over_the_keys(case, tmp_path):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("scipy")
    found = rankine.sweep(
        case,
        {"alpha": [0, 4], "mesh.panels": [320, 1280, 2000]},
        output=tmp_path / "results",
        quiet=True,
    )
    data = found.to_xarray()
    assert isinstance(data, xarray.Dataset)
    assert dict(data.sizes)["alpha"] == 2 and dict(data.sizes)["mesh_panels"] == 3
    assert list(data.alpha.values) == [0, 4] and list(data.mesh_panels.values) == [320, 1280, 2000]
    for k in range(6):
        value = data.added_mass_x.values[k // 3, k % 3]
        assert value == found[k]["results"]["added_mass"][0]


def test_failures_are_listed(case, tmp_path):
    found = rankine.sweep(
        case, {"solver.tolerance": [1e-4, 2.0]}, output=tmp_path / "results", quiet=True
    )
    assert found[0] is not None and found[1] is None
    assert "solver.tolerance must be between" in found.failures["solver.tolerance 2.0"]


def test_zip_and_resume(case, tmp_path):
    values = {"speed": [1, 2], "alpha": [0, 4]}
    for resume in (False, True):
        found = rankine.sweep(
            case, values, combine="zip", output=tmp_path / "results", resume=resume, quiet=True
        )
        assert [row["values"] for row in found.table["cases"]] == [
            "speed 1, alpha 0",
            "speed 2, alpha 4",
        ]


def test_what_is_no_sweep_raises(case, tmp_path):
    with pytest.raises(rankine.InputError, match=r"\[sweep\]"):
        rankine.sweep(case, output=tmp_path / "results", quiet=True)
    with pytest.raises(rankine.InputError, match="alpha"):
        rankine.sweep(case, {"alpa": [1, 2]}, output=tmp_path / "results", quiet=True)
