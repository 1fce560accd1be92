"""A command that is started as systemd starts a service whose socket it holds.

python -m tests.server.activated DESCRIPTOR serve --data FOLDER ...
"""

import os
import sys

if __name__ == "__main__":
    descriptor, *command = sys.argv[1:]
    os.dup2(int(descriptor), 3)
    os.environ |= {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid()), "LISTEN_FDNAMES": "x.socket"}
    os.execv(sys.executable, [sys.executable, "-m", "tabletop", *command])
