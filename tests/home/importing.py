"""A process that imports an exported home and stops, until it is killed or interrupted: once the
home is unpacked ("merge"), or in the worker that unpacks it ("unpack")."""

import sys
import time
from collections.abc import Callable
from multiprocessing import parent_process
from pathlib import Path

from tabletop.background.worker_process import WorkerTask
from tabletop.commands.command_line import main
from tabletop.files.packed_files import ArchiveFormat, unpack
from tabletop.home import guarded_unpacking, merge

UNPACKED = "unpacked"
"""What is appended to the name of the exported file, for a file that says how far it came."""


def _stop(_: Path) -> None:
    print("unpacked", flush=True)
    sys.stdin.read()


def _unpack_and_stay(
    export: guarded_unpacking._UnpackArguments,
) -> guarded_unpacking.UnpackedHome | guarded_unpacking._Refusal:
    """Runs in the worker process."""

    def stay(file: Path, kind: ArchiveFormat, folder: Path, on_entry: Callable[[], None]) -> int:
        unpack(file, kind, folder)
        file.with_suffix(f".{UNPACKED}").touch()
        while file.exists():  # once it's gone, there is no further entry
            on_entry()
            time.sleep(0.001)
        program = parent_process()
        assert program is not None
        program.join()
        return 0

    guarded_unpacking.unpack = stay  # type: ignore[assignment]
    return guarded_unpacking._unpack_in_worker(export)


STAY = WorkerTask(_unpack_and_stay)

if __name__ == "__main__":
    file, where = sys.argv[1:]
    if where == "unpack":
        from tests.home import importing

        guarded_unpacking._UNPACK_TASK = importing.STAY
        sys.exit(main(["home", "import", file]))
    merge.seal.import_key = _stop
    merge.merge_home(Path(file))
