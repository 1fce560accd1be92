"""The rows in which players agree on a game's options."""

import pytest
from PySide6.QtWidgets import QApplication, QFormLayout, QWidget

from tabletop.catalogue import catalogue
from tabletop.storage.settings import Settings
from ui.shell.app_context import AppContext
from ui.widgets.form import ChoiceBox, OptionFields

CHAINS = catalogue.load("chains")


@pytest.fixture
def page(qapp: QApplication) -> QWidget:
    return QWidget()


def test_an_option_that_means_nothing_is_not_offered(page: QWidget) -> None:
    form = QFormLayout(page)
    fields = OptionFields(AppContext(Settings(language="en")), CHAINS, form)
    fields.refresh_appearance()
    slots, flip = page.findChildren(ChoiceBox)
    flip.choose("out")
    assert fields.values == {"slots": "stack", "flip": "out"}
    slots.choose("pile")
    assert not form.isRowVisible(flip)
    assert fields.values == catalogue.options(CHAINS, {"slots": "pile"})
    slots.choose("stack")
    assert form.isRowVisible(flip)
    assert fields.values == {"slots": "stack", "flip": "out"}
