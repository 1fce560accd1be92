"""`python -m tests.bench [--compare OLD] [topic ...]`: print the figures of these topics, or of
all; with `--compare` beside those of another checkout."""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from importlib import import_module

from tests.bench import topics
from tests.bench.comparison import ROUNDS, NotComparable, compared


def show(named: Mapping[str, str]) -> None:
    """The figures of these topics, as they are measured."""
    for topic, module in named.items():
        print(topic, flush=True)
        for figure in import_module(module).report():
            print(f"  {figure}", flush=True)


def main(arguments: Iterable[str] | None = None) -> None:
    known = topics()
    parser = ArgumentParser(prog="python -m tests.bench", description="Print figures.")
    parser.add_argument("topics", nargs="*", metavar="topic", help=f"one of {', '.join(known)}")
    parser.add_argument(
        "--compare", metavar="OLD", help="a folder with another checkout, or a revision of git"
    )
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, help=f"of a comparison; else {ROUNDS}"
    )
    asked = parser.parse_args(None if arguments is None else list(arguments))
    if unknown := [topic for topic in asked.topics if topic not in known]:
        parser.error(f'there is no topic "{unknown[0]}"; there are {", ".join(known)}')
    if asked.rounds < 1:
        parser.error("a comparison needs a round")
    named = {topic: known[topic] for topic in asked.topics or known}
    if asked.compare is None:
        show(named)
        return
    try:
        for line in compared(asked.compare, named, asked.rounds):
            print(line, flush=True)
    except NotComparable as error:
        parser.exit(1, f"{error}\n")


if __name__ == "__main__":
    main()
