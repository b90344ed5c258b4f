"""The notebook of the tutorials prints what it shows."""

import ast
import json
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[2] / "docs" / "tutorials" / "notebook.ipynb"


def test_cells_print_what_is_shown():
    pytest.importorskip("xarray")
    names, compared = {}, 0
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        if cell["cell_type"] != "code" or "picture" in cell["metadata"].get("tags", []):
            continue
        code = ast.parse("".join(cell["source"]))
        last = ast.Expression(code.body.pop().value)
        exec(compile(code, NOTEBOOK.name, "exec"), names)
        found = repr(eval(compile(last, NOTEBOOK.name, "eval"), names))
        assert found == "".join(cell["outputs"][0]["data"]["text/plain"])
        compared += 1
    assert compared >= 8
