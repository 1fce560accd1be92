"""Where the pictures of the program lie; known without Qt."""

from pathlib import Path


def assets_root() -> Path:
    """The folder of pictures: inside `ui` once installed, beside it in a checkout."""
    home = Path(__file__).resolve().parents[1]
    installed = home / "assets"
    return installed if installed.is_dir() else home.parent / "assets"
