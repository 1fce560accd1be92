"""The names of the symbols that distinguish seats (`tabletop.match.match.SYMBOLS`)."""

from tabletop.text.phrases import phrase

SYMBOL_NAMES: dict[str, str] = {
    "sun": phrase("Sun"),
    "moon": phrase("Moon"),
    "leaf": phrase("Leaf"),
    "flower": phrase("Flower"),
    "wave": phrase("Wave"),
    "bell": phrase("Bell"),
    "crane": phrase("Crane"),
    "gem": phrase("Gem"),
    "fan": phrase("Fan"),
    "key": phrase("Key"),
    "star": phrase("Star"),
    "cloud": phrase("Cloud"),
}
"""The names of the seats' symbols."""
