"""Codes and links: what is written is read again, and nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.net.invitation import (
    PORT,
    SIGNS,
    BadInvitation,
    InviteLink,
    format_link,
    hinted,
    new_code,
    read_code,
    read_invitation,
    read_link,
)

octets = st.integers(1, 254)


@given(octets, octets, st.integers(0, 62))
def test_a_code_hints_at_its_host_on_the_same_network(host: int, guest: int, slot: int) -> None:
    code = new_code(f"192.168.7.{host}", PORT + slot)
    assert read_code(code) == code
    assert hinted(code, f"192.168.7.{guest}") == (f"192.168.7.{host}", PORT + slot)


def test_a_code_of_a_far_port_hints_at_nothing() -> None:
    assert hinted(new_code("10.0.0.1", PORT + 1000), "10.0.0.2") is None


def test_codes_of_one_host_differ_in_most_signs() -> None:
    codes = {new_code("10.0.0.1", PORT) for _ in range(300)}
    assert len(codes) > 290
    for place in range(6):
        assert len({code[place] for code in codes}) > len(SIGNS) // 2


@pytest.mark.parametrize("typed", ["k7m pq2", " K7MPQ2 ", "k7m-pq2"])
def test_a_code_is_read_as_people_type_it(typed: str) -> None:
    assert read_code(typed) == "K7MPQ2"


@pytest.mark.parametrize("typed", ["", "K7MPQ", "K7MPQ22", "K7MPQ0", "K7MPQ1", "あいうえおか"])
def test_what_is_no_code_is_refused(typed: str) -> None:
    with pytest.raises(BadInvitation):
        read_code(typed)


@pytest.mark.parametrize(
    "link",
    [
        InviteLink("192.168.1.5", 18920, "ab12", "K7MPQ2", "ff" * 32, 2, "se/cr&et="),
        InviteLink("fd00::2", 1, "", "K7MPQ2"),
        InviteLink("table.example"),
    ],
)
def test_a_link_is_read_as_it_was_written(link: InviteLink) -> None:
    assert read_link(format_link(link)) == link


@pytest.mark.parametrize(
    ("typed", "host", "port"),
    [
        ("192.168.1.5", "192.168.1.5", PORT),
        ("192.168.1.5:99", "192.168.1.5", 99),
        ("fd00::2", "fd00::2", PORT),
        ("[fd00::2]:99", "fd00::2", 99),
        ("table.example", "table.example", PORT),
    ],
)
def test_an_address_will_do(typed: str, host: str, port: int) -> None:
    link = read_link(typed)
    assert (link.host, link.port) == (host, port)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "tabletop://",
        "a b",
        "host:port",
        "host:99999",
        "tabletop://u@h/",
        "h/?code=O",
        "h/?seat=x",
    ],
)
def test_what_is_no_invitation_is_refused(typed: str) -> None:
    with pytest.raises(BadInvitation) as refused:
        read_link(typed)
    assert typed[:80].strip() in str(refused.value)


def test_a_code_alone_is_an_invitation_without_a_host() -> None:
    assert read_invitation("k7m pq2") == InviteLink("", code="K7MPQ2")
    assert read_invitation("192.168.1.5").host == "192.168.1.5"


@given(st.text())
def test_anything_that_is_pasted_is_read_or_refused(typed: str) -> None:
    try:
        link = read_link(typed)
    except BadInvitation:
        return
    assert read_link(format_link(link)) == link
