"""python -m rankine report RESULTS"""

from __future__ import annotations

import argparse
import sys

from . import Error, report


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m rankine", description="Looks at results.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("report", help="write a page about a results directory")
    verb.add_argument("results", help="results directory of a solved case")
    verb.add_argument("--output", "-o", help="the page; default report.html in the directory")
    arguments = parser.parse_args()
    try:
        print(report(arguments.results, arguments.output))
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
