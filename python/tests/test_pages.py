"""Pages about results."""

import io
import json
import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import rankine
from rankine import _plots, pages

k3d = pytest.importorskip("k3d")
pyvista = pytest.importorskip("pyvista")


@pytest.fixture
def results(tmp_path):
    """A results directory as the program writes it, of a small sphere."""
    run = rankine.Flow(rankine.sphere(320)).solve()
    surface = run.mesh.to_pyvista()
    surface.cell_data.update({"Cp": run.Cp, "U": run.surface_velocity, "Area": run.area})
    surface.save(tmp_path / "surface.vtp")
    (tmp_path / "residuals.csv").write_text("iteration,residual\n0,1\n1,1e-3\n2,1e-7\n")
    summary = {
        "status": "converged",
        "exit_code": 0,
        "warnings": ["a panel is <warped> & large"],
        "warning_numbers": ["W38"],
        "code": {"name": "rankine", "version": "0.2.0"},
        "host": {"device": "cpu"},
        "case": {"path": "sphere.toml"},
        "seconds": {"total": 0.5},
        "results": {"force": [1.5, 0.0, -2.25], "bodies": [{"name": "body", "volume": 4.18}]},
    }
    (tmp_path / "summary.json").write_text(json.dumps(summary))
    return tmp_path


@pytest.mark.skipif(
    shutil.which(os.environ.get("RANKINE", "rankine")) is None,
    reason="the program rankine is not installed",
)
def test_the_program_writes_the_page(results):
    program = os.environ.get("RANKINE", "rankine")
    environment = os.environ | {"RANKINE_PYTHON": sys.executable}
    done = subprocess.run([program, "report", str(results)], env=environment, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert (results / "report.html").read_text().startswith("<!doctype html>")


def test_page_has_everything_and_needs_no_network(results):
    path = rankine.report(results)
    assert path == results / "report.html"
    page = path.read_text()
    assert "1.5, 0, -2.25" in page and "bodies[0].volume" in page and "4.18" in page
    assert "W38 a panel is &lt;warped&gt; &amp; large" in page and "<warped>" not in page
    assert page.count("<polyline") == 1
    for field in ("Cp", "|U|", "patch"):
        assert f'"{field}": {{"shares"' in page
    assert '"Area"' not in page
    assert "unpkg" not in page.split("k3dCompressed")[0] and 'src="http' not in page
    assert len(page) < 2e6


def test_colours_leave_out_what_is_far_away():
    values = np.concatenate([np.linspace(0, 1, 1001), [-600.0, np.nan]])
    packed = pages._packed(values, np.ones(len(values)))
    # One value of 1002 is far away: colours begin at the 10.02th value, of which the 10th is 0.008.
    assert packed["least"] == "0.00802 (least -600)" and packed["most"] == "0.99 (most 1)"
    even = pages._packed(values[:1001], np.ones(1001))
    assert even["least"] == "0" and even["most"] == "1"
    assert pages._packed(np.full(3, np.nan), np.ones(3))["most"] == "1"


def test_particles_at_the_last_time_are_shown(tmp_path):
    for step in (0, 10):
        cloud = pyvista.PolyData(np.random.default_rng(step).random((50, 3)))
        cloud.point_data["speed"] = np.linspace(step, step + 1, 50)
        cloud.save(tmp_path / f"particles_{step:06}.vtp")
    page, notes = pages._viewer(tmp_path / "particles_000010.vtp")
    assert '"speed": {"shares"' in page and '"least": "10"' in page and len(notes) == 1


def test_matrices_are_tables():
    matrix = [[1.0, -0.5], [1e-15, 2.0]]
    results = {"C": matrix, "same": matrix, "empty": [], "x": [[0.0, 1.0, 2.0]]}
    assert list(pages._rows(results)) == [("empty", ""), ("x[0]", "0, 1, 2")]
    text = pages._matrices(results | {"conductors": [{"name": "a<b"}, {"name": "c"}]})
    assert text.count("<table>") == 1 and "<th>a&lt;b<th>c<tr>" in text
    assert re.findall(r'value">([^<]*)', text) == ["1", "-0.5", "0", "2"]


def test_sections_are_plotted_along_their_longest_axis():
    rows = [{"x": "1e-17", "y": "0", "z": "2"}, {"x": "0", "y": "1", "z": "4"}]
    assert _plots.longest(rows) == "z"


def test_scalars_of_particles_are_drawn(results):
    (results / "monitors.csv").write_text("step,time,momentum_x,energy\n0,0,0,1\n1,0.5,0,2\n")
    page = rankine.report(results).read_text()
    assert "energy over time, s" in page and "momentum x" not in page


def test_streamlines_are_joined_within_a_seed_alone(tmp_path):
    lines = pyvista.PolyData(np.arange(15.0).reshape(5, 3))
    lines.point_data["seed"] = [0, 0, 0, 4, 4]
    lines.save(tmp_path / "lines.vtp")
    rankine.sphere(320).to_pyvista().save(tmp_path / "surface.vtp")
    ((points, segments),) = pages._streamlines(tmp_path)
    assert points.shape == (5, 3) and segments.tolist() == [[0, 1], [1, 2], [3, 4]]


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium")
def test_page_in_a_browser(results):
    """The view has a picture, another field another one, and nothing is asked of the network."""
    browsers = pytest.importorskip("playwright.sync_api")
    image = pytest.importorskip("PIL.Image")
    options = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    errors, requests = [], []
    with browsers.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=[*options, "--ignore-gpu-blocklist"]
        )
        page = browser.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(rankine.report(results).as_uri())
        page.wait_for_selector("body[data-ready=yes]", timeout=60_000)

        def picture(field):
            page.select_option("#field", field)
            page.wait_for_timeout(2000)
            shot = image.open(io.BytesIO(page.locator("#view").screenshot()))
            return np.asarray(shot.convert("RGB"))

        pictures = [picture(field) for field in ("Cp", "|U|")]
        browser.close()
    assert errors == []
    assert all(url.startswith(("file:", "blob:")) for url in requests), requests
    colours = [len(np.unique(each.reshape(-1, 3), axis=0)) for each in pictures]
    assert min(colours) > 100, "the view is blank"
    assert not np.array_equal(*pictures)


def test_large_surfaces_are_decimated(results, monkeypatch):
    pytest.importorskip("scipy")
    monkeypatch.setattr(pages, "MOST_TRIANGLES", 100)
    page = rankine.report(results).read_text()
    assert "The surface has 320 triangles" in page


def test_plots_show_the_ends_of_their_axes():
    rows = [{"x": str(x), "Cp": str(x * x)} for x in np.linspace(0, 2, 5)]
    svg = _plots.plot(rows, "x", "Cp", upwards=False, dots=True)
    assert svg.count("<circle") == 5
    # Cp = 0 at x = 0 is at the top, where the axis is turned over.
    assert 'cx="70.0" cy="20.0"' in svg and 'cx="670.0" cy="220.0"' in svg


def test_a_folder_without_results_is_refused(tmp_path):
    with pytest.raises(rankine.InputError, match="summary.json"):
        rankine.report(tmp_path)
