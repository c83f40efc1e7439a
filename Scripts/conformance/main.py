"""Holds the second implementation of Documentation/Protocol.md against itself, against golden vectors and against hostile input."""

import argparse
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Scripts"))


def main():
    parser = argparse.ArgumentParser(prog="Scripts/conform", description=__doc__)
    parser.add_argument("names", nargs="*", help="only these modules of tests: membership, session, …")
    parser.add_argument("--write-vectors", type=Path, metavar="FILE", help="write golden vectors, the same each time, and do no more")
    parser.add_argument("--write-rosters", type=Path, metavar="FILE",
                        help="write who is in, in examples and crafted sets, the same each time, and do no more")
    arguments = parser.parse_args()
    if arguments.write_rosters:
        from conformance.rules import vectors
        arguments.write_rosters.write_text(vectors.written())
        return 0
    if arguments.write_vectors:
        from conformance import vectors
        vectors.write(arguments.write_vectors)
        return 0
    folder = Path(__file__).parent / "tests"
    known = sorted(path.stem.removeprefix("test_") for path in folder.glob("test_*.py"))
    if unknown := [name for name in arguments.names if name not in known]:
        parser.error(f"there are no tests {', '.join(unknown)}: there are {', '.join(known)}")
    names = [f"conformance.tests.test_{name}" for name in arguments.names or known]
    outcome = unittest.TextTestRunner(verbosity=1).run(unittest.defaultTestLoader.loadTestsFromNames(names))
    return 0 if outcome.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
