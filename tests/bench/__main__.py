"""`python -m tests.bench [--compare OLD | --page] [topic ...]`: print figures of these topics.

Without topics, all of them. `--compare` measures another checkout beside this one; `--page` prints
docs/performance.md.
"""

import os
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from importlib import import_module

from tests.bench import topics
from tests.bench.comparison import ROUNDS, NotComparable, compared
from tests.bench.figures import Figure, spread

PAGE = """# Performance

Made by `python3 -m tests.bench --page` on {date}, {processors} processors, load {load:.1f} before.
Each figure is a median, with the quartiles in brackets (of few samples the extremes). Figures of
one run belong together: on another machine compare ratios (`--compare REVISION`). The command alone
prints more: here are the figures with a promise, where a topic has any, without CPU times. A
promise is kept where the median keeps it.
"""


def lines(named: Mapping[str, str]) -> Iterator[str]:
    """The figures of these topics as they are measured, for a terminal."""
    for topic, module in named.items():
        yield topic
        for figure in import_module(module).report():
            yield f"  {figure}"


def page(named: Mapping[str, str]) -> Iterator[str]:
    """The figures of these topics in Markdown."""
    today, load = datetime.now(UTC).strftime("%d %B %Y"), os.getloadavg()[0]
    yield PAGE.format(date=today, processors=os.cpu_count(), load=load)
    for topic, module in named.items():
        report = import_module(module)
        summary = (report.__doc__ or "").partition("\n")[0]
        yield f"## {topic}\n\n{summary}\n\n| | | promised | measured | |\n|---|---|---|---:|---|"
        figures = list(report.report())
        promised = [each for each in figures if each.promise]
        timed = {each.name for each in promised}
        for figure in promised or figures:
            if figure.name.removesuffix(", CPU") in timed - {figure.name}:
                continue
            cells = (figure.promise, spread(figure.samples), verdict(figure))
            yield f"| {figure.name} | {figure.unit} | {' | '.join(cells)} |"
        yield ""


def verdict(figure: Figure) -> str:
    """Whether a promise is kept; one that is missed catches the eye."""
    return f"**{figure.verdict}**" if figure.verdict == "missed" else figure.verdict


def main(arguments: Iterable[str] | None = None) -> None:
    known = topics()
    parser = ArgumentParser(prog="python -m tests.bench", description="Print figures.")
    parser.add_argument("topics", nargs="*", metavar="topic", help=f"one of {', '.join(known)}")
    parser.add_argument("--page", action="store_true", help="print them as docs/performance.md")
    parser.add_argument(
        "--compare", metavar="OLD", help="a folder with another checkout, or a revision of git"
    )
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, help=f"rounds of a comparison (default {ROUNDS})"
    )
    chosen = parser.parse_args(None if arguments is None else list(arguments))
    if unknown := [topic for topic in chosen.topics if topic not in known]:
        parser.error(f'there is no topic "{unknown[0]}"; there are {", ".join(known)}')
    if chosen.rounds < 1:
        parser.error("a comparison needs at least one round")
    named = {topic: known[topic] for topic in chosen.topics or known}
    if chosen.compare is not None:
        output = compared(chosen.compare, named, chosen.rounds)
    else:
        output = page(named) if chosen.page else lines(named)
    try:
        for line in output:
            print(line, flush=True)
    except NotComparable as error:
        parser.exit(1, f"{error}\n")


if __name__ == "__main__":
    main()
