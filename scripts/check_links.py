#!/usr/bin/env python3
"""Checks that links between the pages of this repository lead somewhere: files and headings.

    check_links.py        every .md file under git; exit code 1 if a link is broken
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def pages():
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if not name.startswith((".", "build"))]
        for name in files:
            if name.endswith(".md"):
                yield os.path.join(folder, name)


def text_of(page):
    """The page without blocks and words of code."""
    with open(page, encoding="utf-8") as file:
        text = re.sub(r"^```.*?^```", "", file.read(), flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "code", text)


def anchors(page):
    """The anchors of its headings, as GitHub makes them."""
    found = set()
    with open(page, encoding="utf-8") as file:
        text = re.sub(r"^```.*?^```", "", file.read(), flags=re.M | re.S)
    for heading in re.findall(r"^#+\s+(.*)$", text, flags=re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        found.add(re.sub(r"[^\w\- ]", "", words).replace(" ", "-"))
    return found


def main():
    count, broken = 0, []
    for page in pages():
        for target in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
            if re.match(r"[a-z]+:", target):
                continue
            count += 1
            path, _, anchor = target.partition("#")
            file = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.exists(file):
                broken.append(f"{os.path.relpath(page, ROOT)}: {target}: there is no such file")
            elif anchor and file.endswith(".md") and anchor not in anchors(file):
                broken.append(f"{os.path.relpath(page, ROOT)}: {target}: there is no such heading")
    print("\n".join(broken + [f"{count} links, {len(broken)} broken"]))
    sys.exit(1 if broken or count == 0 else 0)


if __name__ == "__main__":
    main()
