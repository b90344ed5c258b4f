#!/usr/bin/env bash
# Builds the documentation site, without a network: build/docs/index.html. A warning is an error.
# Needs the Debian packages python3-sphinx and python3-myst-parser, for the pages of C++ doxygen and
# python3-breathe.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target=${1:-build/docs}
if ! /usr/bin/python3 -c 'import sphinx, myst_parser' 2>/dev/null; then
  echo "build_docs.sh: install python3-sphinx and python3-myst-parser (apt)" >&2
  exit 2
fi
/usr/bin/python3 -m sphinx -q -W --keep-going -b html -c docs . "$target"
cat > "$target/index.html" <<'HTML'
<!DOCTYPE html>
<html><head><title>Rankine</title>
<meta http-equiv="refresh" content="0; url=docs/index.html"></head>
<body><a href="docs/index.html">Rankine</a></body></html>
HTML
echo "written: $target/index.html"
