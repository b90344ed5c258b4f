"""A report of a run of the program: one HTML page that needs no network.

    python -m rankine report RESULTS [--output report.html]

The viewer is k3d's (WebGL), which the page contains; pyvista reads the results.
"""

from __future__ import annotations

import base64
import html
import json
import os
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ._arrays import Array
from ._core import Error, InputError
from ._plots import plots
from .program import CaseResults

MOST_TRIANGLES = 200_000
MOST_POINTS = 20_000

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #222; max-width: 1100px; margin: 1.5em auto;
       padding: 0 1em; }
h1 { font-size: 1.5em; } h2 { font-size: 1.15em; margin: 1.6em 0 0.4em; }
table { border-collapse: collapse; } td, th { padding: 2px 12px 2px 0; text-align: left;
        vertical-align: top; border-bottom: 1px solid #ddd; } td.value { font-family: monospace; }
#view { position: relative; height: 560px; border: 1px solid #bbb; }
#canvasTarget { position: absolute; inset: 0; }
#legend { display: flex; gap: 8px; align-items: center; margin: 6px 0; }
#scale { width: 320px; height: 14px; border: 1px solid #999; }
.warning { background: #fff3d6; border-left: 4px solid #e0a000; padding: 4px 10px; margin: 4px 0; }
.status { font-weight: bold; } .bad { color: #b00020; }
.tables { columns: 2 460px; } .tables > div { break-inside: avoid; }
.tables h2 { margin-top: 0.2em; } td.value { white-space: pre-wrap; overflow-wrap: anywhere; }
.matrix { overflow-x: auto; font-size: 13px; } .matrix td { white-space: nowrap; }
pre { background: #f6f6f6; padding: 8px; overflow-x: auto; } svg { background: #fff; }
"""


def report(
    results: CaseResults | str | os.PathLike[str], output: str | os.PathLike[str] | None = None
) -> Path:
    """Writes a page about a results directory and returns its path.

    Parameters
    ----------
    results : CaseResults or path
        The results directory of a solved case.
    output : path
        The page; by default report.html in that directory.

    Raises
    ------
    InputError
        If the directory has no results.
    Error
        If k3d or pyvista is not installed.

    Surfaces of more than 200 000 triangles are decimated, and the page says so.
    """
    folder = Path(results.directory if isinstance(results, CaseResults) else results).resolve()
    if not (folder / "summary.json").is_file():
        raise InputError(f"{folder} has no summary.json; give the results directory of a run")
    summary = json.loads((folder / "summary.json").read_text())
    # The surface, or the particles at the last time.
    shown = [*sorted(folder.glob("particles_*.vtp")), *folder.glob("surface.*vtp")][-1:]
    page, notes = _viewer(shown[0]) if shown else ("", [])
    before, after = _head(summary), _body(folder, summary, notes)
    if page:
        before += (
            '<div id="legend"><select id="field" onchange="showField(this.value)"></select>'
            '<span id="least"></span><div id="scale"></div><span id="most"></span></div>'
            '<div id="view"><div id="canvasTarget"></div></div>'
        )
        page = page.replace('<div id="canvasTarget"></div>', before, 1)
        page = page.replace("</body>", after + "</body>", 1)
        start, end = page.index("<style>"), page.index("</style>")
        page = page[:start] + "<style>" + _STYLE + page[end:]
        start, end = page.index("<title>"), page.index("</title>")
        page = page[:start] + "<title>" + _title(summary) + page[end:]
    else:
        page = (
            f'<!doctype html><html><head><meta charset="utf-8"><title>{_title(summary)}</title>'
            f"<style>{_STYLE}</style></head><body>{before}{after}</body></html>"
        )
    path = Path(output) if output is not None else folder / "report.html"
    path.write_text(page, encoding="utf-8")
    return path


def _title(summary: dict[str, Any]) -> str:
    return html.escape(Path(summary["case"]["path"]).stem + " - Rankine")


def _head(summary: dict[str, Any]) -> str:
    case, code, host = summary["case"], summary["code"], summary["host"]
    good = summary["exit_code"] == 0
    text = f"<h1>{html.escape(Path(case['path']).stem)}</h1>"
    text += (
        f'<p><span class="status{"" if good else " bad"}">{html.escape(summary["status"])}'
        f"</span>, {html.escape(case['path'])}, {code['name']} {code['version']} on "
        f"{html.escape(str(host['device']))}, {summary['seconds']['total']:.2f} s</p>"
    )
    warnings = summary.get("warnings", [])
    numbers = summary.get("warning_numbers", [""] * len(warnings))
    for number, warning in zip(numbers, warnings):
        text += f'<div class="warning">{html.escape(f"{number} {warning}".strip())}</div>'
    return text


def _body(folder: Path, summary: dict[str, Any], notes: list[str]) -> str:
    text = "".join(f"<p>{html.escape(note)}</p>" for note in notes)
    text += plots(folder)
    titles = {
        "results": "Results",
        "verify": "Compared with the exact solution",
        "mesh": "Mesh",
        "problem": "Problem",
        "solver": "Solver",
        "fmm": "Sums",
        "seconds": "Times, s",
    }
    text += '<div class="tables">'
    for key, title in titles.items():
        if summary.get(key):
            text += f"<div><h2>{title}</h2>{_table(_rows(summary[key]))}</div>"
    text += "</div>" + _matrices(summary.get("results", {}))
    case = folder / "case.resolved.toml"
    if case.is_file():
        text += f"<h2>Case file</h2><pre>{html.escape(case.read_text())}</pre>"
    return text


def _rows(value: Any, name: str = "") -> Iterable[tuple[str, str]]:
    """Yields names and values of nested objects; a list of numbers is one value."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _rows(each, f"{name}.{key}" if name else key)
    elif _is_matrix(value):
        return
    elif isinstance(value, list) and any(isinstance(each, (dict, list)) for each in value):
        for k, each in enumerate(value):
            yield from _rows(each, f"{name}[{k}]")
    elif isinstance(value, list):
        yield name, ", ".join(map(_shown, value))
    else:
        yield name, _shown(value)


def _is_matrix(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 1 and np.shape(value) == (len(value),) * 2


def _matrices(results: dict[str, Any]) -> str:
    """Square matrices of the results, once each. Entries below rounding are shown as 0."""
    text, shown = "", []
    labels = [results.get("added_mass_modes", [])]
    labels += [[each["name"] for each in results.get("conductors", [])]]
    for name, rows in results.items():
        if not _is_matrix(rows) or rows in shown:
            continue
        shown.append(rows)
        of = next((each for each in labels if len(each) == len(rows)), range(1, len(rows) + 1))
        least = 1e-12 * np.abs(rows).max()
        text += f'<h2>{html.escape(name.replace("_", " "))}</h2><div class="matrix"><table><tr><th>'
        text += "".join(f"<th>{html.escape(str(each))}" for each in of)
        for label, row in zip(of, rows, strict=True):
            text += f"<tr><th>{html.escape(str(label))}"
            text += "".join(
                f'<td class="value">{value if abs(value) > least else 0:.4g}' for value in row
            )
        text += "</table></div>"
    return text


def _shown(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _table(rows: Iterable[tuple[str, str]]) -> str:
    return (
        "<table>"
        + "".join(
            f'<tr><td>{html.escape(name)}</td><td class="value">{html.escape(value)}</td></tr>'
            for name, value in rows
        )
        + "</table>"
    )


def _viewer(path: Path) -> tuple[str, list[str]]:
    """Returns a k3d page with the surface and its fields, and its caption."""
    try:
        import k3d
        import pyvista
    except ImportError as error:
        raise Error(f"a report needs k3d and pyvista; pip install k3d pyvista ({error})") from None

    drawn = pyvista.read(path)
    are_points = path.stem != "surface"
    if are_points:
        every = -(-drawn.n_points // MOST_POINTS)
        data = {name: values[::every] for name, values in drawn.point_data.items()}
        nodes = np.asarray(drawn.points, np.float32)[::every]
    else:
        drawn = drawn.triangulate()
        data, nodes = drawn.cell_data, np.asarray(drawn.points, np.float32)
    names = sorted(data, key=lambda name: (name not in ("Cp", "charge", "speed"), name == "patch"))
    fields = {_label(name, data[name]): _scalars(data[name]) for name in names}
    faces = drawn.regular_faces if not are_points else np.empty((0, 3))
    notes = [
        "Drag to turn, roll to zoom. Colours leave out the outer hundredths of the surface if they "
        "are far away."
    ]
    if are_points and every > 1:
        notes.append(f"{len(nodes)} of {drawn.n_points} particles are shown.")
    if len(faces) > MOST_TRIANGLES:
        notes.append(
            f"The surface has {len(faces)} triangles; the view shows about "
            f"{MOST_TRIANGLES} of them, with the values of the nearest panels."
        )
        nodes, faces, fields = _decimated(drawn, fields)
    plot = k3d.plot(
        grid_visible=False, menu_visibility=False, camera_auto_fit=False, colorbar_object_id=0
    )
    low, high = np.percentile(nodes, [1, 99] if are_points else [0, 100], axis=0)
    centre, size = (low + high) / 2, float(np.linalg.norm(high - low))
    eye = centre + size * np.array([-0.5, -0.86, 0.46], np.float32)
    plot.camera = [*map(float, eye), *map(float, centre), 0, 0, 1]
    colours = k3d.matplotlib_color_maps.Viridis
    look = {"color_map": colours, "color_range": [0, 1]}
    if are_points:
        zeros = np.zeros(len(nodes), np.float32)
        shown = k3d.points(
            nodes, attribute=zeros, point_size=size / 150, shader="flat", name="particles", **look
        )
    else:
        shown = k3d.mesh(
            nodes,
            faces.astype(np.uint32),
            triangles_attribute=np.zeros(len(faces), np.float32),
            side="double",
            flat_shading=False,
            **look,
        )
    plot += shown
    for lines, segments in _streamlines(path.parent):
        plot += k3d.lines(lines, segments, indices_type="segment", shader="simple", color=0x1F3A5F)
    weights = fields.pop("Area", np.ones(len(next(iter(fields.values())))))
    packed = {name: _packed(values, weights) for name, values in fields.items()}
    stops = np.array(colours).reshape(-1, 4)[::16]
    gradient = ", ".join(
        f"rgb({r:.0f},{g:.0f},{b:.0f}) {100 * x:.0f}%" for x, r, g, b in stops * [1, 255, 255, 255]
    )
    script = f"""
    const fields = {json.dumps(packed).replace("</", "<" + chr(92) + "/")};
    document.getElementById("scale").style.background = "linear-gradient(to right, {gradient})";
    window.showField = function (name) {{
      const field = fields[name];
      const shares = new Uint16Array(
        fflate.unzlibSync(_base64ToArrayBuffer(field.shares)).slice().buffer);
      const shown = K3DInstance.getWorld().ObjectsListJson[{shown.id}];
      shown.{"attribute" if are_points else "triangles_attribute"} = {{
        dtype: "float32", shape: [shares.length],
        data: Float32Array.from(shares, share => share / 65535)}};
      document.getElementById("least").textContent = field.least;
      document.getElementById("most").textContent = field.most;
      return K3DInstance.reload(shown, null);
    }};
    for (const name of Object.keys(fields))
      document.getElementById("field").add(new Option(name, name));
    showField(Object.keys(fields)[0]).then(() => {{ document.body.dataset.ready = "yes"; }});
    """
    return plot.get_snapshot(additional_js_code=script), notes


def _streamlines(folder: Path) -> Iterable[tuple[Array, Array]]:
    """Returns points and segments of the streamlines of a run, those of one seed together."""
    import pyvista

    for path in sorted(folder.glob("*.vtp")):
        data = pyvista.read(path)
        if "seed" not in data.point_data or data.n_points < 2:
            continue
        seed = np.asarray(data.point_data["seed"])
        first = np.flatnonzero(seed[:-1] == seed[1:]).astype(np.uint32)
        yield np.asarray(data.points, np.float32), np.stack([first, first + 1], axis=1)


def _packed(values: Array, weights: Array) -> dict[str, str]:
    """Returns the ends of the colour range and the position of each value in 65535 steps."""
    order = np.argsort(values)[: np.isfinite(values).sum()]
    finite = values[order] if len(order) else np.array([0.0, 1.0])
    ends = [float(finite[0]), float(finite[-1])]
    part = np.cumsum(weights[order]) if len(order) else np.array([0.0, 1.0])
    least, most = map(float, np.interp([0.01 * part[-1], 0.99 * part[-1]], part, finite))
    if least == most or ends[1] - ends[0] < 2 * (most - least):
        least, most = ends
    share = (np.nan_to_num(values, nan=least) - least) / (most - least if most > least else 1.0)
    data = zlib.compress(np.round(65535 * np.clip(share, 0, 1)).astype("<u2").tobytes(), 9)
    return {
        "shares": base64.b64encode(data).decode(),
        "least": f"{least:.4g}" + (f" (least {ends[0]:.4g})" if least > ends[0] else ""),
        "most": f"{most:.4g}" + (f" (most {ends[1]:.4g})" if most < ends[1] else ""),
    }


def _label(name: str, values: Array) -> str:
    return f"|{name}|" if np.ndim(values) == 2 else name


def _scalars(values: Array) -> Array:
    array = np.asarray(values, np.float32)
    return np.linalg.norm(array, axis=1) if array.ndim == 2 else array


def _decimated(surface: Any, fields: dict[str, Array]) -> tuple[Array, Array, dict[str, Array]]:
    from scipy.spatial import cKDTree

    few = surface.decimate(1 - MOST_TRIANGLES / surface.n_cells)
    nearest = cKDTree(surface.cell_centers().points).query(few.cell_centers().points)[1]
    return (
        np.asarray(few.points, np.float32),
        few.regular_faces,
        {name: values[nearest] for name, values in fields.items()},
    )
