"""The program `rankine` from Python, and that its answers are the package's bits."""

import os
import shutil

import numpy as np
import pytest

import rankine

needs_program = pytest.mark.skipif(
    shutil.which(os.environ.get("RANKINE", "rankine")) is None,
    reason="the program rankine is not installed",
)

CASE = """version = 1
[mesh]
shape = "ellipsoid"
semi_axes = [3.0, 2.0, 1.0]
panels = 1280
[solver]
backend = "cpu"
[problem]
velocity = [1.0, 0.5, 0.25]
density = 1000.0
"""


@pytest.fixture
def case(tmp_path):
    path = tmp_path / "case.toml"
    path.write_text(CASE)
    return path


@needs_program
def test_answers_are_the_bits_of_the_program(case, tmp_path):
    found = rankine.solve(case, output=tmp_path / "results", quiet=True)
    body = rankine.ellipsoid(1280, (3, 2, 1))
    run = rankine.Flow(body, density=1000, device="cpu").solve((1, 0.5, 0.25))
    results = found["results"]
    assert results["force"] == run.force.tolist()
    assert results["moment"] == run.moment.tolist()
    assert results["added_mass"] == run.added_mass_velocity.tolist()
    assert results["Cp_min"] == run.Cp.min() and results["Cp_max"] == run.Cp.max()
    assert results["phi_min"] == run.phi.min() and results["phi_max"] == run.phi.max()
    assert found["solver"]["iterations"] == run.iterations
    assert found.directory == tmp_path / "results"


@needs_program
def test_surface_has_the_same_pressures(case, tmp_path):
    pytest.importorskip("pyvista")
    found = rankine.solve(case, output=tmp_path / "results", quiet=True)
    run = rankine.Flow(rankine.ellipsoid(1280, (3, 2, 1)), density=1000, device="cpu").solve(
        (1, 0.5, 0.25)
    )
    assert np.array_equal(found.surface.cell_data["Cp"], run.Cp.astype(found.surface["Cp"].dtype))


@needs_program
def test_errors_have_the_messages_of_the_program(case, tmp_path):
    with pytest.raises(rankine.InputError, match="mesh.panels"):
        rankine.solve(case, keys={"mesh.panels": -1}, output=tmp_path / "results", quiet=True)
    with pytest.raises(rankine.InputError, match="nowhere.toml"):
        rankine.solve(tmp_path / "nowhere.toml", quiet=True)


def test_without_the_program_the_error_says_so(case, monkeypatch):
    monkeypatch.setenv("RANKINE", "no-such-program")
    with pytest.raises(rankine.Error, match="not installed"):
        rankine.solve(case)
