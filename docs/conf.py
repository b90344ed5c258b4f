"""Sphinx builds the pages of the whole repository, so that links between them are those of the files:

    scripts/build_docs.sh            build/docs/index.html

Doxygen reads the comments of the headers that programs call, and breathe puts them on the pages.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))

project = "Rankine"
author = "Rankine developers"
version = release = re.search(r"project\(rankine VERSION (\S+)",
                              (ROOT / "CMakeLists.txt").read_text()).group(1)

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "breathe"]
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
           "bem/panels/panels.hpp", "bem/flow/flow.hpp", "bem/flow/field.hpp", "bem/flow/forces.hpp"]
XML = ROOT / "build" / "doxygen"
XML.mkdir(parents=True, exist_ok=True)
subprocess.run(["doxygen", "-"], cwd=ROOT, check=True, text=True, input=f"""
INPUT = {" ".join(HEADERS)}
OUTPUT_DIRECTORY = {XML}
FULL_PATH_NAMES = YES
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
# Links between headers would lead to pages that are not made.
for page in (XML / "xml").glob("*.xml"):
    page.write_text(re.sub(r"</?ref\b[^>]*>|<(includes|innernamespace)\b.*?</\1>", "", page.read_text()))
breathe_projects = {"rankine": str(XML / "xml")}
breathe_default_project = "rankine"

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
