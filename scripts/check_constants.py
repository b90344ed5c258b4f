#!/usr/bin/env python3
"""Compares docs/reference/constants.md with the sources.

Every row names a file and texts of it, which must be there with these values. Every constant of a
namespace `fitted` must be in a row. The page may have at most 80 rows.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/reference/constants.md"
MOST_ROWS = 80
HEADERS = ["fmm/fitted_constants.hpp", "bem/bem_constants.hpp", "meshes/mesh_constants.hpp",
           "cases/case_constants.hpp"]


def without_space(text):
    return re.sub(r"\s+", "", re.sub(r"//.*", "", text))


def rows():
    """(file, texts) of every row of the table."""
    for line in PAGE.read_text().splitlines():
        cells = line.split("|")
        if len(cells) > 4 and (file := re.fullmatch(r"`([\w/.]+\.\w+)`", cells[1].strip())):
            yield file[1], re.findall(r"`([^`]+)`", cells[2])


def fitted_names(header):
    """Names that have a value in the namespace `fitted` of a header."""
    text = re.sub(r"//.*", "", (ROOT / header).read_text())
    body = text[re.search(r"namespace [\w:]*fitted {", text).end():]
    return re.findall(r"(\w+) = [^;{]", body)


def main():
    found = list(rows())
    wrong = []
    for file, texts in found:
        source = without_space((ROOT / file).read_text())
        wrong += [f"{PAGE.name}: {file} does not contain {text}" for text in texts
                  if without_space(text) not in source]
    for header in HEADERS:
        listed = " ".join(text for file, texts in found if file == header for text in texts)
        wrong += [f"{PAGE.name}: {header} has {name}, which is in no row"
                  for name in fitted_names(header) if not re.search(rf"\b{name}\b", listed)]
    if not 0 < len(found) <= MOST_ROWS:
        wrong.append(f"{PAGE.name}: {len(found)} rows, not 1 to {MOST_ROWS}")
    print("\n".join(wrong) or f"{len(found)} fitted constants, as in the sources")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
