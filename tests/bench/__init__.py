"""How fast it is: one module a topic, each with `report() -> Iterator[Figure]`.

    python -m tests.bench                     all topics
    python -m tests.bench playouts            these topics
    python -m tests.bench --compare e4112e4   the program of a revision, or of another folder,
                                              beside this one: a table in Markdown
    pytest tests/bench/bench_sun.py           the same figures held to what was promised

Times are CPU time of this process, unless a topic says otherwise. Figures are a median with its
quartiles: a median of many rounds bears a busy machine, a mean does not.
"""

from pkgutil import walk_packages

TOOLS = ("__main__", "comparison", "figures")
"""Modules that measure nothing."""


def topics() -> dict[str, str]:
    """The modules that measure something, by the names of their topics."""
    found = (module for module in walk_packages(__path__, f"{__name__}.") if not module.ispkg)
    named = {module.name.rpartition(".")[2]: module.name for module in found}
    return {
        topic: module
        for topic, module in named.items()
        if topic not in TOOLS and not topic.startswith(("_", "bench_", "test_"))
    }
