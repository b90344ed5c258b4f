"""Curves of a report, as SVG."""

from __future__ import annotations

import csv
import html
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np


def plots(folder: Path) -> str:
    """Plots residuals, span loading, Cp along sections, and scalars of particles over time."""
    text = ""
    for path in sorted(folder.glob("*.csv")):
        with path.open(newline="") as file:
            rows = list(csv.DictReader(file))
        columns = set(rows[0]) if rows else set()
        if {"iteration", "residual"} <= columns:
            text += "<h2>Residual</h2>" + plot(rows, "iteration", "residual", logarithmic=True)
        elif {"y", "circulation"} <= columns:
            of_rotor = "radius" in columns
            text += "<h2>Circulation along the trailing edge, m²/s</h2>" + plot(
                rows, "radius" if of_rotor else "y", "circulation", dots=of_rotor
            )
        elif {"line", "x", "Cp"} <= columns:
            title = html.escape(f"Cp along the section {path.stem}")
            text += f"<h2>{title}</h2>" + plot(rows, longest(rows), "Cp", upwards=False, dots=True)
        elif {"step", "time"} <= columns:
            for name in [name for name in list(rows[0])[2:] if name[-2:] not in ("_x", "_y", "_z")]:
                title = html.escape(name.replace("_", " "))
                text += f"<h2>{title} over time, s</h2>" + plot(rows, "time", name)
    return text


def longest(rows: Sequence[dict[str, str]]) -> str:
    """Returns the coordinate along which a section is longest."""
    return max("xyz", key=lambda axis: np.ptp([float(row[axis]) for row in rows]))


def plot(
    rows: Sequence[dict[str, str]],
    across: str,
    up: str,
    *,
    logarithmic: bool = False,
    upwards: bool = True,
    dots: bool = False,
) -> str:
    """Returns a line or dots as SVG; the ends of the axes are labelled."""
    points = [(float(row[across]), float(row[up])) for row in rows]
    if logarithmic:
        points = [(x, math.log10(y)) for x, y in points if y > 0]
    if len(points) < 2:
        return "<p>fewer than two values</p>"
    (left, right), (low, high) = [(min(v), max(v)) for v in zip(*points, strict=True)]
    right, high = (right if right > left else left + 1), (high if high > low else low + 1)

    def place(x: float, y: float) -> tuple[float, float]:
        share = (y - low) / (high - low)
        return 70 + 600 * (x - left) / (right - left), 220 - 200 * (share if upwards else 1 - share)

    marks = [place(*point) for point in points]
    if dots:
        drawn = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1.6"/>' for x, y in marks)
    else:
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in marks)
        drawn = f'<polyline points="{line}" fill="none" stroke="#1f5fa8" stroke-width="1.6"/>'
    ends = (low, high) if upwards else (high, low)
    digits = 3
    while digits < 12 and f"{low:.{digits}g}" == f"{high:.{digits}g}":
        digits += 1
    labels = [f"1e{value:.1f}" if logarithmic else f"{value:.{digits}g}" for value in ends]
    return (
        '<svg width="700" height="262" font-size="12" fill="#1f5fa8">'
        '<path d="M70,20 V220 H670" stroke="#888" fill="none"/>' + drawn + '<g fill="#222">'
        f'<text x="64" y="224" text-anchor="end">{labels[0]}</text>'
        f'<text x="64" y="24" text-anchor="end">{labels[1]}</text>'
        f'<text x="70" y="238">{left:.3g}</text>'
        f'<text x="670" y="238" text-anchor="end">{right:.3g}</text>'
        f'<text x="370" y="256" text-anchor="middle">{html.escape(across)}</text></g></svg>'
    )
