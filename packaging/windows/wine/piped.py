"""Runs a program of Windows with pipes as its outputs, and ends when the program ends.

    python3 piped.py COMMAND...

A plain file as its output is an "Invalid handle" to Python under Wine. The services that Wine
starts beside a program keep its pipes open, so they are not read to their end.
"""

import os
import selectors
import signal
import subprocess
import sys

QUIET = 0.2
"""Seconds without output after which a program that ended has said everything."""


def main(command: list[str]) -> int:
    program = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number_sent, _: program.send_signal(number_sent))
    pipes = selectors.DefaultSelector()
    for pipe, target in ((program.stdout, 1), (program.stderr, 2)):
        assert pipe is not None
        pipes.register(pipe, selectors.EVENT_READ, target)
    while pipes.get_map():
        ready = pipes.select(QUIET)
        if not ready and program.poll() is not None:
            break
        for key, _ in ready:
            if content := os.read(key.fd, 1 << 16):
                os.write(key.data, content)
            else:
                pipes.unregister(key.fileobj)
    return program.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
