#!/usr/bin/env python3
"""Checks that docs/reference/warnings.md explains every warning: a text in the sources is one of a
warning if it is passed to warning(), warn() or warnings.push_back(), or returned by
warning_of...(), as are the names of flaws of a mesh.

    check_warnings.py        exit code 1 if a warning is not on the page, or the page has another
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LITERAL = r'"((?:[^"\\\n]|\\.)*)"'
CALLS = (r"(?:\bwarning|\bwarn|warnings\.push_back)\((?!const )(?:%s|[^;\"])*;" % LITERAL,
         r"std::string>? (?:\w+::)*(?:warning_of\w*|\w*_warning|explanation|split_note)\(.*?\n}\n",
         r"verdict\.warning =(?:%s|[^;\"])*;" % LITERAL)
FLAWS = r"texts_of\(FlawKind kind\).*?\n}\n"


def joined_literals(source):
    return "".join(re.findall(LITERAL, source)).replace('\\"', '"')


def sources():
    for folder in ("cases", "meshes"):
        for file in sorted((ROOT / folder).rglob("*.cpp")):
            text = file.read_text(encoding="utf-8")
            yield file.relative_to(ROOT), re.sub(r"^ *//.*$", "", text, flags=re.M)


def texts():
    """Of each warning the literals, joined."""
    for file, source in sources():
        for call in CALLS:
            for match in re.finditer(call, source, flags=re.S):
                text = joined_literals(match.group(0))
                if " " in text:
                    yield file, text
        for match in re.finditer(FLAWS, source, flags=re.S):
            for name in re.findall(r"\{" + LITERAL + ",", match.group(0)):
                yield file, f": {name}: "


def main():
    page = (ROOT / "docs/reference/warnings.md").read_text(encoding="utf-8")
    explained = re.findall(r"^\| W\d+ \| ``? ?(.*?) ?``? \|", page, flags=re.M)
    found = list(texts())
    errors = [f"{file}: not on the page: {text}" for file, text in found
              if not any(each in text for each in explained)]
    all_texts = "".join([text for _, text in found]
                        + [joined_literals(source) for _, source in sources()])
    errors += [f"no warning has the text: {each}" for each in explained if each not in all_texts]
    print("\n".join(errors + [f"{len(found)} warnings, {len(explained)} on the page"]))
    sys.exit(1 if errors or not found else 0)


if __name__ == "__main__":
    main()
