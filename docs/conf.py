"""Sphinx builds the pages of the whole repository, so that links between them are those of the files:

    scripts/build_docs.sh            build/docs/index.html; needs python3-sphinx and python3-myst-parser
"""
import pathlib
import re
import sys

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
# Types in signatures of Python that are words of its documentation.
nitpick_ignore_regex = [("py:.*", ".*")]

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
