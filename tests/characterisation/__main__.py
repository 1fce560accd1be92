"""`python3 -m tests.characterisation compare|record|paths [--full DIR] [name ...]`"""

import sys
from pathlib import Path

from tests.characterisation.runs import DIGESTS, compare, paths_differ, record

words = sys.argv[1:]
command, *names = words or [""]
full = None
if "--full" in names:
    at = names.index("--full")
    full = Path(names[at + 1])
    del names[at : at + 2]
match command:
    case "record":
        record(names, full)
    case "compare":
        sys.exit(compare(names, full))
    case "paths":
        paths_differ(names)
    case _:
        sys.exit(f"record, compare or paths? The digests are in {DIGESTS}.")
