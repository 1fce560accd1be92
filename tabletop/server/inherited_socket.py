"""Socket activation: a listening socket from the service manager, which stays open across restarts.

Connections that arrive while no server runs wait in the socket's queue, so nobody is refused.
"""

import errno
import os
import socket

FIRST_DESCRIPTOR = 3
"""The first inherited file descriptor (sd_listen_fds(3))."""
SEVERAL_SOCKETS = "the service manager hands over {count} sockets, and the server listens at one"
NOT_LISTENING = "what the service manager hands over is no TCP socket that listens"


def inherited_socket() -> socket.socket | None:
    """Return the socket that systemd passed to this process; None if it passed none.

    Remove the environment variables, so that child processes don't use the socket.

    Raises:
        OSError: there are several sockets, or the socket isn't a listening TCP socket.
    """
    count = os.environ.pop("LISTEN_FDS", "")
    process = os.environ.pop("LISTEN_PID", "")
    os.environ.pop("LISTEN_FDNAMES", None)
    if process != str(os.getpid()) or not count.isdigit() or count == "0":
        return None
    if count != "1":
        raise OSError(errno.EINVAL, SEVERAL_SOCKETS.format(count=count))
    os.set_inheritable(FIRST_DESCRIPTOR, False)
    handed = socket.socket(fileno=FIRST_DESCRIPTOR)
    inet = handed.family in (socket.AF_INET, socket.AF_INET6)
    if not inet or not handed.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        raise OSError(errno.EINVAL, NOT_LISTENING)
    return handed
