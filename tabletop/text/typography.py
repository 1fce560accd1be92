"""Typography of figures and sentences."""


def with_minus_sign(figure: object) -> str:
    """A number as text, with a real minus."""
    return str(figure).replace("-", "−")


def capitalise(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]
