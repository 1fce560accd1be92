"""The home of a program in a process of its own."""

import shutil
import sys
from pathlib import Path

from tabletop.files import folders


def with_templates(home: Path) -> Path:
    """This home, where templates need not be compiled that were compiled here."""
    kept = folders.cache() / "templates"
    kept.mkdir(parents=True, exist_ok=True)
    (home / "cache").mkdir(parents=True)
    if sys.platform == "win32":  # not everybody may make links there
        shutil.copytree(kept, home / "cache" / "templates")
    else:
        (home / "cache" / "templates").symlink_to(kept, target_is_directory=True)
    return home
