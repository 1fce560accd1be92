"""Paths of the program's data folder, its subfolders and files.

If the environment variable TABLETOP_HOME is set, everything is in that folder. By default,
settings, data, caches and logs are in the standard folders of the operating system.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

NAME = "Tabletop"
SUFFIX = ".tabletop"
"""The suffix of match files."""
KEY_FILE = "seal.key"
_key_folder: Path | None = None


def data() -> Path:
    """Return the folder of all data except settings, caches and logs."""
    return _custom_home() or platformdirs.user_data_path(NAME, appauthor=False)


def settings() -> Path:
    """Return the path of the settings file."""
    return (
        _custom_home() or platformdirs.user_config_path(NAME, appauthor=False)
    ) / "settings.json"


def matches() -> Path:
    """Return the folder of unfinished matches."""
    return data() / "matches"


def replays() -> Path:
    """Return the folder of finished matches."""
    return data() / "replays"


def known_hosts() -> Path:
    """Return the path of the file that lists known hosts and rejoinable tables."""
    return data() / "keyring.json"


def games() -> Path:
    """Return the folder of games that the user has added."""
    return data() / "games"


def received() -> Path:
    """Return the folder of games received from other computers."""
    return data() / "received"


def kept_games() -> Path:
    """Return the folder of old game versions, stored so that their matches can continue."""
    return data() / "kept-games"


def agreements() -> Path:
    """Return the path of the file that lists games whose code is allowed to run."""
    return data() / "agreed.json"


def hosted() -> Path:
    """Return the folder of tables that this computer hosts."""
    return data() / "hosted"


def cache() -> Path:
    """Return the folder of files that can be recomputed at any time."""
    home = _custom_home()
    return home / "cache" if home else platformdirs.user_cache_path(NAME, appauthor=False)


def record_index() -> Path:
    """Return the path of the index of matches and replays."""
    return cache() / "records.sqlite"


def cached_templates() -> Path:
    """Return the folder of compiled drawing templates."""
    return cache() / "templates"


def cached_boxes() -> Path:
    """Return the folder of cached pictures for the game shelf."""
    return cache() / "shelf-pictures"


def statistics() -> Path:
    """Return the path of the statistics database."""
    return data() / "statistics.sqlite"


def crashes() -> Path:
    """Return the folder of crash logs."""
    home = _custom_home()
    return home / "log" if home else platformdirs.user_log_path(NAME, appauthor=False)


def trash() -> Path:
    """Return the folder of deleted matches that can be restored."""
    return data() / "trash"


def key() -> Path:
    """Return the path of the key that encrypts this computer's records."""
    return (_key_folder or data()) / KEY_FILE


@contextmanager
def use_key_folder(folder: Path) -> Iterator[None]:
    """Use the key in `folder` during the `with` block.

    This way, a server's folder contains everything that its matches need.
    """
    global _key_folder
    before, _key_folder = _key_folder, folder
    try:
        yield
    finally:
        _key_folder = before


def folders_with_atomic_writes() -> tuple[Path, ...]:
    """Return the folders that may contain leftovers of interrupted atomic writes."""
    kept = (
        data(),
        settings().parent,
        matches(),
        replays(),
        hosted(),
        games(),
        cache(),
    )
    return (*kept, cached_templates(), cached_boxes())


def _custom_home() -> Path | None:
    home = os.environ.get("TABLETOP_HOME")
    return Path(os.path.expanduser(home)) if home else None
