"""The paths in file URLs, which desktops and browsers pass when files are opened or dropped."""

import sys
from urllib.parse import unquote, urlsplit


def path_from_url(url: str) -> str | None:
    """Return the path in `url`, if it is a URL of a local file.

    A URL may contain the name of this computer, as in `file://localhost/home/ann/a.tabletop`. On
    Windows, the name of another computer leads to its shared folder.
    """
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower()
    except ValueError:
        return None
    if parts.scheme != "file" or not parts.path.startswith("/"):
        return None
    path = unquote(parts.path, errors="surrogateescape")
    if host not in ("", "localhost") and not _is_this_computer(host):
        return f"//{host}{path}" if sys.platform == "win32" else None
    return path[1:] if sys.platform == "win32" and path[2:3] == ":" else path  # /C:/Users


def _is_this_computer(host: str) -> bool:
    from socket import gethostname  # slow import

    return host == gethostname().lower()
