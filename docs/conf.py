"""Sphinx builds the pages of the whole repository, so that links between them are those of the
files:

    scripts/build_docs.sh            build/docs/index.html

Needs python3-sphinx and python3-myst-parser. With doxygen and python3-breathe the comments of the
headers that programs call are on the pages, too.

The Python examples are not run here (sphinx-gallery would): pages are built without a compiler, the
compiled package and a picture library. python/tests runs them, scripts/gallery.sh draws them.
"""
import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys

from docutils import nodes
from docutils.parsers.rst import Directive, directives

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))

project = "Rankine"
author = "Rankine developers"
version = release = re.search(r"project\(rankine VERSION (\S+)",
                              (ROOT / "CMakeLists.txt").read_text()).group(1)

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**.md", "*/README.md", "*/*/README.md"]
exclude_patterns = ["build*/**", ".*/**"]
source_suffix = {".md": "markdown"}

# Headings have the anchors of GitHub.
myst_heading_anchors = 4
nitpicky = True
# Types in signatures: words of Python's documentation, and of headers that have no page.
nitpick_ignore_regex = [("(py|c|cpp):.*", ".*")]

HEADERS = ["fmm/operator.hpp", "fmm/cpu_operator.hpp", "bem/cpu_backend.hpp",
           "fmm/core/error.hpp", "meshes/surface_mesh.hpp",
           "bem/panels/panels.hpp", "bem/flow/flow.hpp", "bem/flow/field.hpp",
           "bem/flow/forces.hpp"]


def read_headers(xml):
    """Doxygen's XML of the headers, for breathe."""
    xml.mkdir(parents=True, exist_ok=True)
    subprocess.run(["doxygen", "-"], cwd=ROOT, check=True, text=True, input=f"""
INPUT = {" ".join(HEADERS)}
OUTPUT_DIRECTORY = {xml.parent}
XML_OUTPUT = {xml.name}
STRIP_FROM_PATH = {ROOT}
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
EXTRACT_ALL = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = RANKINE_HD= RANKINE_API=
QUIET = YES
WARN_AS_ERROR = FAIL_ON_WARNINGS
WARN_IF_UNDOCUMENTED = NO
""")
    # Links would lead to pages that are not made.
    for page in xml.glob("*.xml"):
        page.write_text(
            re.sub(r"</?ref\b[^>]*>|<(includes|innernamespace)\b.*?</\1>", "", page.read_text()))


class NoHeaders(Directive):
    """In place of breathe's directive, where it or doxygen is not installed."""

    required_arguments = 1
    option_spec = {"content-only": directives.flag, "members": directives.flag}

    def run(self):
        return [nodes.paragraph(text="Not in this build of the site, which had no doxygen.")]


breathe_default_project = "rankine"
breathe_projects = {"rankine": str(ROOT / "build" / "doxygen" / "xml")}
if shutil.which("doxygen") and importlib.util.find_spec("breathe"):
    extensions.append("breathe")
    read_headers(pathlib.Path(breathe_projects["rankine"]))
else:
    directives.register_directive("doxygennamespace", NoHeaders)

# The compiled module is not needed to document the package.
autodoc_mock_imports = ["rankine._core", "numpy"]
autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_use_rtype = False


html_theme = "alabaster"
html_theme_options = {"description": "Potential flow by boundary elements and fast multipoles",
                      "fixed_sidebar": True, "page_width": "1100px"}
html_sidebars = {"**": ["about.html", "navigation.html", "searchbox.html"]}
html_copy_source = False
