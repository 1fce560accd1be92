"""A process that imports an exported home and stops once it is unpacked, until it is killed."""

import sys
from pathlib import Path

from tabletop.home import merge


def _stop(_: Path) -> None:
    print("unpacked", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    merge.seal.take_key = _stop
    merge.merge(Path(sys.argv[1]))
