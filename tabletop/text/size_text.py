"""Numbers of bytes for people."""


def size_text(size: int) -> str:
    """A number of bytes for people."""
    return f"{max(1, round(size / 1024))} KiB" if size < 1 << 20 else f"{size / (1 << 20):.1f} MiB"
