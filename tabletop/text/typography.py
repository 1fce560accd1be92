"""Typography of numbers and sentences."""


def with_minus_sign(figure: object) -> str:
    """Return a number as text. A minus sign becomes the typographic character."""
    return str(figure).replace("-", "−")


def capitalise(text: str) -> str:
    """Return `text` with its first letter in upper case."""
    return text[:1].upper() + text[1:]
