"""The program `rankine` from Python, and that its answers are the package's bits."""

import json
import os
import shutil
import signal
import subprocess
import sys

import numpy as np
import pytest

import rankine
from rankine import _progress, program

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


KEYS = {
    "mesh": {"shape": "ellipsoid", "semi_axes": np.array([3.0, 2.0, 1.0]), "panels": 320},
    "problem.velocity": (1, 0.5, 0.25),
    "problem": {"density": np.float64(1000.0), "mach": None},
    "title": 'A "quoted" title\n',
    "boundary": [{"patch": "*", "type": "normal-velocity", "value": 0.5}],
    "solver.backend": "cpu",
}


@needs_program
def test_a_mapping_is_a_case(case, tmp_path):
    from_keys = rankine.solve(KEYS, output=tmp_path / "keys", quiet=True)
    case.write_text(
        CASE.replace("panels = 1280", "panels = 320").replace("[mesh]", "title = 'A'\n[mesh]")
    )
    override = {"boundary": KEYS["boundary"]}  # a list of tables
    from_file = rankine.solve(case, keys=override, output=tmp_path / "file", quiet=True)
    assert from_keys["results"] == from_file["results"]
    with pytest.raises(rankine.InputError, match='^unknown key "panles" in .mesh.; did you mean'):
        rankine.solve({"mesh": {"shape": "sphere", "panles": 80}})


def drawn(schema, rng):
    """A value of a key that the schema allows, except for its limits; None for what has no type."""
    if "enum" in schema:
        return schema["enum"][rng.integers(len(schema["enum"]))]
    if "oneOf" in schema or "anyOf" in schema:
        return drawn((schema.get("oneOf") or schema["anyOf"])[0], rng)
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = kind[rng.integers(len(kind))]
    if kind == "object":
        each = {name: drawn(of, rng) for name, of in schema.get("properties", {}).items()}
        return each or {"any name": 1.5}
    if kind == "array":
        number = schema.get("minItems", 2)
        return [drawn(schema["items"], rng) for _ in range(number)]
    return {
        "string": lambda: "".join(rng.permutation([*'aä"\\#=]\n\t . ß']).tolist()),
        "integer": lambda: int(rng.integers(-(2**53), 2**53)),
        "number": lambda: float(rng.normal() * 10.0 ** rng.integers(-12, 12)),
        "boolean": lambda: bool(rng.integers(2)),
        None: lambda: None,
    }[kind]()


def without_none(value):
    if isinstance(value, dict):
        return {name: without_none(each) for name, each in value.items() if each is not None}
    return [without_none(each) for each in value] if isinstance(value, list) else value


@needs_program
@pytest.mark.parametrize("branch", ["then", "else"])
def test_every_key_of_the_table_can_be_given(branch):
    """One table of keys serves both: all of its keys, with drawn values, pass unchanged from a
    mapping to the text that the program reads."""
    tomllib = pytest.importorskip("tomllib")
    schema = json.loads(program._call(["keys", "--json"], quiet=True)[1])
    rng = np.random.default_rng(5)
    case = without_none(drawn(schema[branch], rng))
    assert len(case) > 5
    text = "\n".join(program._lines(case, "results"))
    assert tomllib.loads(text) == case


@needs_program
def test_keys_are_known_to_the_program(tmp_path):
    """Each key with a value of no type: the program names the key, and knows it."""
    schema = json.loads(program._call(["keys", "--json"], quiet=True)[1])["else"]["properties"]
    keys = [
        f"{table}.{name}"
        for table, of in schema.items()
        for name in of.get("properties", {})
        if of.get("type") == "object" and of["properties"][name].get("type") != "object"
    ]
    required = {"mesh.shape": "sphere", "verify.exact": "sphere-flow"}
    for key in keys:
        name = key.split(".")[1]
        with pytest.raises(rankine.InputError, match=rf"(?s)\b{name}\b") as error:
            rankine.solve(required | {key: [{"no": "value"}]}, output=tmp_path / "out")
        assert f'unknown key "{name}"' not in str(error.value), key


@needs_program
def test_a_mesh_in_memory_is_solved_as_it_is(tmp_path):
    nodes, faces = rankine.sphere(320).nodes, rankine.sphere(320).faces
    found = rankine.solve(
        {"mesh.file": (nodes, faces), "solver.backend": "cpu"}, output=tmp_path / "out/", quiet=True
    )
    run = rankine.Flow((nodes, faces), device="cpu").solve()
    assert found["results"]["Cp_min"] == run.Cp.min()
    assert np.array_equal(rankine.read(tmp_path / "out.msh").nodes, nodes)


class Bar:
    """What the program shows, instead of a bar of tqdm."""

    def __init__(self):
        self.lines, self.stages, self.n = [], [], 0.0

    def write(self, line, file):
        self.lines.append(line)

    def set_description_str(self, text, refresh):
        self.stages.append(text)

    def refresh(self):
        assert 0.0 <= self.n < 1.0

    def close(self):
        self.lines.append("closed")


def test_the_line_of_progress_goes_to_a_bar():
    read, write = os.pipe()
    os.write(write, b"4 panels\n\r\033[K  near field ...")
    os.close(write)
    bar = Bar()
    assert _progress._show(read, bar, quiet=False) == "4 panels"
    os.close(read)
    assert bar.stages == ["near field ..."] and bar.lines == ["4 panels"]


@needs_program
def test_the_log_goes_above_a_bar(case, tmp_path, monkeypatch):
    bar = Bar()
    monkeypatch.setattr(_progress, "_bar", lambda: bar)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    rankine.solve(case, output=tmp_path / "results")
    assert all(" ..." in stage for stage in bar.stages)
    assert any("converged" in line for line in bar.lines) and bar.lines[-1] == "closed"
    assert not any("\033[K" in text for text in bar.lines + bar.stages)


def test_the_bar_is_the_share_of_the_stage_that_is_done():
    assert _progress._progress("  a stage ..., 4 s, at least 1 min 56 s left") == (
        "a stage ..., 4 s, at least 1 min 56 s left",
        4 / 120,
    )
    assert _progress._progress("  a stage ..., 1 h 0 min, 1 h 0 min left")[1] == 0.5
    assert _progress._progress("  a stage ..., 4 s")[1] == 0.0
    assert _progress._progress("  force      (0, 0, 0) N") is None


def test_without_the_program_the_error_says_so(case, monkeypatch):
    monkeypatch.setenv("RANKINE", "no-such-program")
    with pytest.raises(rankine.Error, match="not installed"):
        rankine.solve(case)


LONG = """
import signal, sys, rankine
signal.signal(signal.SIGINT, signal.default_int_handler)
rankine.solve(
    {
        "problem.kind": "gravity",
        "particles": {"generator": "plummer", "n": 100, "softening": 0.1},
        "time": {"step": 1e-4, "steps": 100_000_000},
        "output.every": 1_000_000,
    },
    output=sys.argv[1],
)
"""


@needs_program
def test_ctrl_c_ends_the_program_once(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", LONG, tmp_path / "results"], stderr=subprocess.PIPE, text=True
    ) as process:
        log = ""
        while "energy drift" not in log:  # the table of steps begins
            log += process.stderr.readline()
        process.send_signal(signal.SIGINT)
        log += process.stderr.read()  # to its end: nobody holds it any more
    assert "KeyboardInterrupt" in log
    assert "is saved" in log  # by the first signal; a second one ends without
