"""Speed and memory: one module a topic, each with `report() -> Iterator[Figure]`.

    python -m tests.bench                     all topics
    python -m tests.bench playouts            these topics
    python -m tests.bench --compare main      another revision or folder beside this checkout,
                                              measured in turns: a table in Markdown

A figure is a median with its quartiles: the median of many rounds is stable on a busy machine, a
mean is not. Times are wall time unless a topic says otherwise.
"""

TOPICS = (
    *("start", "old_home", "replays", "first_table", "drag", "playouts", "search"),
    *("wire", "phones", "phone_pictures", "memory", "release", "imports"),
)
"""The modules that measure something the project promises."""


def topics() -> dict[str, str]:
    """The module of each topic, by name."""
    return {topic: f"{__name__}.{topic}" for topic in TOPICS}
