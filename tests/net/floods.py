"""Floods of frames that no program sees: each is cheap to send, and is answered or collected."""

PINGS = bytes((0x89, 0x84)) + bytes(4) + b"ping"
PONGS = bytes((0x8A, 0x80)) + bytes(4)
PIECE = bytes((0x00, 0x80)) + bytes(4)
BEGINNING = bytes((0x01, 0x80)) + bytes(4)
FRAMES = 3_000
"""Frames of a flood: more than any limit allows, and little enough for one read."""

FLOODS = {
    "pings": PINGS * FRAMES,
    "pongs": PONGS * FRAMES,
    "empty pieces": BEGINNING + PIECE * FRAMES,
    "pings between pieces": BEGINNING + (PINGS + PIECE) * FRAMES,
}
