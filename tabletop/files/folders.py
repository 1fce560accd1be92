"""The program's folders: one, or two where the system separates settings from data.

The environment variable TABLETOP_HOME puts everything into a folder of its own.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

NAME = "Tabletop"
SUFFIX = ".tabletop"
"""The suffix of a match's file."""
KEY_FILE = "seal.key"
_key_folder: Path | None = None


def data() -> Path:
    """The folder of everything but the settings."""
    return _custom_home() or platformdirs.user_data_path(NAME, appauthor=False)


def settings() -> Path:
    """The file of the settings."""
    return (
        _custom_home() or platformdirs.user_config_path(NAME, appauthor=False)
    ) / "settings.json"


def matches() -> Path:
    """The folder of the journals of unfinished matches."""
    return data() / "matches"


def replays() -> Path:
    """The folder of the records of finished matches."""
    return data() / "replays"


def known_hosts() -> Path:
    """The file of the ways back to tables at other computers."""
    return data() / "keyring.json"


def games() -> Path:
    """The folder of the games that a person has put on the shelf."""
    return data() / "games"


def received() -> Path:
    """The folder of the games that other computers' tables have given."""
    return data() / "received"


def kept_games() -> Path:
    """The folder of versions of games that matches were begun with."""
    return data() / "kept-games"


def agreements() -> Path:
    """The file of whose games' programs may run."""
    return data() / "agreed.json"


def hosted() -> Path:
    """The folder of the tables that this computer hosts."""
    return data() / "hosted"


def cache() -> Path:
    """The folder of what can be made again at any time."""
    home = _custom_home()
    return home / "cache" if home else platformdirs.user_cache_path(NAME, appauthor=False)


def record_index() -> Path:
    """The file of what lists show of matches and replays."""
    return cache() / "records.sqlite"


def cached_templates() -> Path:
    """The folder of the templates of drawings, compiled."""
    return cache() / "templates"


def cached_boxes() -> Path:
    """The folder of the pictures that the shelf shows."""
    return cache() / "shelf-pictures"


def statistics() -> Path:
    """The file of what became of all matches."""
    return data() / "statistics.sqlite"


def crashes() -> Path:
    """The folder of the stacks that crashes leave."""
    home = _custom_home()
    return home / "log" if home else platformdirs.user_log_path(NAME, appauthor=False)


def trash() -> Path:
    """The folder of what was deleted and may be wanted back."""
    return data() / "trash"


def key() -> Path:
    """The file of the key that seals the records of matches kept here."""
    return (_key_folder or data()) / KEY_FILE


@contextmanager
def use_key_folder(folder: Path) -> Iterator[None]:
    """Seal with the key of a server's folder meanwhile, so that everything its matches need is
    there."""
    global _key_folder
    before, _key_folder = _key_folder, folder
    try:
        yield
    finally:
        _key_folder = before


def folders_with_atomic_writes() -> tuple[Path, ...]:
    """The folders in which files are written whole or not at all."""
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
