"""Makes a bundle the same whenever it is built of one commit: no file keeps the time of its build,
or a folder.

    python3 reproducible.py BUNDLE

SOURCE_DATE_EPOCH is the time that all files get, in seconds since 1970.
"""

import os
import sys
from pathlib import Path
from zipfile import ZipFile, ZipInfo

OF_THE_INSTALLATION = ("INSTALLER", "REQUESTED", "direct_url.json")


def tidy_metadata(folder: Path) -> None:
    """Leave out how a package was installed, and list its metadata alone: its modules are elsewhere
    in a bundle."""
    for name in OF_THE_INSTALLATION:
        (folder / name).unlink(missing_ok=True)
    inside = sorted(path for path in folder.rglob("*") if path.is_file())
    lines = [f"{path.relative_to(folder.parent).as_posix()},,\n" for path in inside]
    (folder / "RECORD").write_text("".join(lines), encoding="utf-8", newline="\n")


def sort_archive(file: Path) -> None:
    """Write a .zip again with its entries in order, and without times."""
    with ZipFile(file) as archive:
        entries = {info.filename: archive.read(info) for info in archive.infolist()}
        kind = next((info.compress_type for info in archive.infolist()), 0)
    with ZipFile(file, "w") as archive:
        for name in sorted(entries):
            archive.writestr(ZipInfo(name), entries[name], kind)


def main(bundle: Path, time: int) -> None:
    for folder in sorted(bundle.rglob("*.dist-info")):
        tidy_metadata(folder)
    for file in sorted(bundle.rglob("base_library.zip")):
        sort_archive(file)
    for path in (bundle, *bundle.rglob("*")):
        if not path.is_symlink():
            os.utime(path, (time, time))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(os.environ["SOURCE_DATE_EPOCH"]))
