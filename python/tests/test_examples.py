"""The examples run; their assertions compare with exact solutions."""

import pathlib
import runpy

import pytest

EXAMPLES = sorted((pathlib.Path(__file__).parents[1] / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore:.*thin wall")
def test_example_runs_and_draws(example, tmp_path, monkeypatch):
    pytest.importorskip("scipy")
    pytest.importorskip("matplotlib").use("agg")
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(example))
    assert (tmp_path / f"{example.stem}.png").stat().st_size > 1e4
