"""`python3 -m tests.characterisation compare|record|paths [--full DIR] [name ...]`"""

import sys
from pathlib import Path

from tests.characterisation.runs import compare, paths_differ, record


def main(words: list[str]) -> int:
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
            return compare(names, full)
        case "paths":
            paths_differ(names)
        case _:
            print("record, compare or paths?", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":  # processes that play matches import this module as well
    sys.exit(main(sys.argv[1:]))
