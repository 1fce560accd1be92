"""A listening socket that the service manager made, and keeps while the server is restarted.

systemd calls this socket activation. Connections that come while no server runs wait in the
socket's queue, so that nobody is refused.
"""

import errno
import os
import socket

FIRST = 3
"""The first descriptor that is handed over, as sd_listen_fds(3) says."""
NOT_ONE = "the service manager hands over {count} sockets, and the server listens at one"
NO_LISTENER = "what the service manager hands over is no TCP socket that listens"


def inherited_socket() -> socket.socket | None:
    """The socket that was handed over to this process, which no other one learns of; None where
    there is none.

    Raises:
        OSError: there are several, or it is none to listen at.
    """
    count = os.environ.pop("LISTEN_FDS", "")
    process = os.environ.pop("LISTEN_PID", "")
    os.environ.pop("LISTEN_FDNAMES", None)
    if process != str(os.getpid()) or not count.isdigit() or count == "0":
        return None
    if count != "1":
        raise OSError(errno.EINVAL, NOT_ONE.format(count=count))
    os.set_inheritable(FIRST, False)
    handed = socket.socket(fileno=FIRST)
    inet = handed.family in (socket.AF_INET, socket.AF_INET6)
    if not inet or not handed.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        raise OSError(errno.EINVAL, NO_LISTENER)
    return handed
