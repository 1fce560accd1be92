"""A reader who follows a card from where it is let go of passes few modules."""

from tests.bench.comparison import HOME, measured


def test_a_released_card_passes_few_modules() -> None:
    promised = [figure for figure in measured(HOME, "tests.bench.release") if figure.promise]
    assert len(promised) == 3
    assert [str(figure) for figure in promised if figure.verdict != "kept"] == []
