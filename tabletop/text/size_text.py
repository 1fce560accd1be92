"""File sizes as text."""


def size_text(size: int) -> str:
    """Return a number of bytes in KiB or MiB: "12 KiB"."""
    return f"{max(1, round(size / 1024))} KiB" if size < 1 << 20 else f"{size / (1 << 20):.1f} MiB"
