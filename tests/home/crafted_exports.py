"""Exported homes as a stranger writes them."""

import io
import json
import tarfile
from pathlib import Path

from tabletop.home.merge import MergeResult, merge_home


def exported(place: Path, *entries: tuple[str | tarfile.TarInfo, bytes]) -> Path:
    """Write a home of these files as the program would."""
    file = place / "home.tar.gz"
    last = json.dumps({"files": len(entries), "program": "1"}).encode()
    with tarfile.open(file, "w:gz", compresslevel=1) as tar:
        for entry, content in (*entries, ("home.json", last)):
            info = tarfile.TarInfo(entry) if isinstance(entry, str) else entry
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return file


def imported(place: Path, *entries: tuple[str | tarfile.TarInfo, bytes]) -> MergeResult:
    return merge_home(exported(place, *entries))
