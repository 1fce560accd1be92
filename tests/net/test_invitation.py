"""Codes, links and addresses bring a guest to a table, also on a cable that nobody gives addresses
on."""

import asyncio
import socket
from pathlib import Path
from typing import cast
from urllib.parse import quote

import ifaddr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from zeroconf import Zeroconf
from zeroconf.asyncio import AsyncServiceInfo

from tabletop.lan import discovery, interfaces
from tabletop.lan.discovery import Finder
from tabletop.lan.interfaces import addresses, expand_link_local
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.host import announcements, table_registry
from tabletop.net.host.host import Host
from tabletop.protocol.invitation import (
    CODE_ALPHABET,
    DEFAULT_PORT,
    MAX_TEXT_CHARACTERS,
    Address,
    BadInvitation,
    InviteLink,
    extract_code,
    format_link,
    generate_code,
    has_invitation,
    hinted_address,
    normalise_code,
    parse_address_or_invitation,
    parse_code,
    parse_invitation,
    parse_link,
    parse_server,
)
from tests.net.loopback import QUICK, ROOMY, Friend, opened, plan

octets = st.integers(1, 254)


@given(octets, octets, st.integers(0, 62))
def test_a_code_hints_at_its_host_on_the_same_network(host: int, guest: int, slot: int) -> None:
    code = generate_code(f"192.168.7.{host}", DEFAULT_PORT + slot)
    assert parse_code(code) == code
    assert hinted_address(code, f"192.168.7.{guest}") == (f"192.168.7.{host}", DEFAULT_PORT + slot)


def test_a_code_of_a_far_port_hints_at_nothing() -> None:
    assert hinted_address(generate_code("10.0.0.1", DEFAULT_PORT + 1000), "10.0.0.2") is None


def test_codes_of_one_host_differ_in_most_signs() -> None:
    codes = {generate_code("10.0.0.1", DEFAULT_PORT) for _ in range(300)}
    assert len(codes) > 290
    for place in range(6):
        assert len({code[place] for code in codes}) > len(CODE_ALPHABET) // 2


TYPED = [
    "k7m pq2", " K7MPQ2 ", "k7m-pq2", "Ｋ７ＭＰＱ２", "ｋ７ｍ　ｐｑ２", "Ｋ７Ｍ－ＰＱ２",
    "k7mpq2.", "K7MPQ2。", "<K7MPQ2>", "*K7MPQ2*", "`K7MPQ2`", "_K7MPQ2_", "K7MPQ2!", "#K7MPQ2",
    "K7MーPQ2", "K7M–PQ2", "「K7MPQ2」", "（Ｋ７ＭＰＱ２）", "\"K7MPQ2\"", "\u200bK7MPQ2\ufeff",
]  # fmt: skip


@pytest.mark.parametrize("typed", TYPED)
def test_a_code_is_read_as_people_type_it(typed: str) -> None:
    assert parse_code(typed) == "K7MPQ2"


@pytest.mark.parametrize(
    "shared",
    [
        "K7MPQ2?mode=gi_t",
        "K7MPQ2&fbclid=x",
        "%23K7MPQ2",
        "http://10.0.0.2:18980/#K7MPQ2?mode=gi_t",
        "http://10.0.0.2:18980/%23k7mpq2",
        "Come! https://cards.example.org/cards/#K7MPQ2&utm_source=x at eight",
    ],
)
def test_a_code_is_found_in_a_link_that_another_app_has_changed(shared: str) -> None:
    assert extract_code(shared) == "K7MPQ2"
    assert parse_invitation(shared).code == "K7MPQ2"


@pytest.mark.parametrize("typed", ["", "K7MPQ", "K7MPQ22", "K7MPQ0", "K7MPQ1", "あいうえおか"])
def test_invalid_codes_are_refused(typed: str) -> None:
    with pytest.raises(BadInvitation):
        parse_code(typed)


@pytest.mark.parametrize("sign", "0O1I")
def test_a_misread_sign_of_a_code_is_named(sign: str) -> None:
    with pytest.raises(BadInvitation) as refused:
        parse_code(f"k7mpq{sign.lower()}")
    assert f"“{sign}”" in str(refused.value)
    with pytest.raises(BadInvitation, match="never has"):
        parse_invitation(f"K7MPQ{sign}")
    assert parse_invitation("pi0001").host == "pi0001"


@pytest.mark.parametrize(
    "link",
    [
        InviteLink("192.168.1.5", 18920, "ab12", "K7MPQ2", "ff" * 32, 2, "se/cr&et="),
        InviteLink("fd00::2", 1, "", "K7MPQ2"),
        InviteLink("fe80::2%eth0", 1, "", "K7MPQ2"),
        InviteLink("table.example"),
    ],
)
def test_a_link_is_read_as_it_was_written(link: InviteLink) -> None:
    assert parse_link(format_link(link)) == link


@pytest.mark.parametrize(
    ("typed", "host", "port"),
    [
        ("192.168.1.5", "192.168.1.5", DEFAULT_PORT),
        ("192.168.1.5:99", "192.168.1.5", 99),
        ("fd00::2", "fd00::2", DEFAULT_PORT),
        ("[fd00::2]:99", "fd00::2", 99),
        ("fe80::2%eth0", "fe80::2%eth0", DEFAULT_PORT),
        ("[fe80::2%4]:99", "fe80::2%4", 99),
        ("[fe80::2%25eth0]:99", "fe80::2%eth0", 99),
        ("table.example", "table.example", DEFAULT_PORT),
        ("１９２．１６８．１．５：９９", "192.168.1.5", 99),
        ("［ｆｄ００：：２］：９９", "fd00::2", 99),
    ],
)
def test_an_address_will_do(typed: str, host: str, port: int) -> None:
    link = parse_link(typed)
    assert (link.host, link.port) == (host, port)


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("192.168.1.5", "192.168.1.5:99"),
        ("anns-pc.local", "anns-pc.local:99"),
        ("2001:db8::7", "[2001:db8::7]:99"),
        ("fe80::1%eth0", "[fe80::1%eth0]:99"),
    ],
)
def test_the_name_of_an_address_can_be_typed_again(host: str, name: str) -> None:
    assert Address((host,), 99).name == name
    assert (parse_link(name).host, parse_link(name).port) == (host, 99)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "tabletop://",
        "a b",
        "host:port",
        "tabletop://u@h/",
        "h/?code=O",
        "h/?seat=x",
        "https://table.example",
        "tabletop://:18920/?code=K7MPQ2",
        "192.168.1",
        "192.168.1.256",
        "3232235781",
        "192,168,1,5",
        "anns pc",
        "a..b",
        "a" * 64,
        "user@host",
    ],
)
def test_invalid_invitations_are_refused(typed: str) -> None:
    with pytest.raises(BadInvitation) as refused:
        parse_link(typed)
    assert typed[:80].strip() in str(refused.value)


@pytest.mark.parametrize("typed", ["host:0", "host:65536", "[::1]:0", "tabletop://h:99999/t"])
def test_a_port_that_cannot_be_is_named(typed: str) -> None:
    with pytest.raises(BadInvitation, match="from 1 to 65535"):
        parse_invitation(typed)


@pytest.mark.parametrize(
    "place", ["192.168.1.5:99", "[fd00::2]:99", "cards.example.org:99", "例え.jp:99"]
)
@pytest.mark.parametrize(
    "around", ["{}.", "{}。", "{}、", "{}>", "<{}>", "({})", "「{}」", "*{}*", "{}!"]
)
def test_an_address_is_read_with_signs_around_it(place: str, around: str) -> None:
    assert parse_invitation(around.format(place)) == parse_link(place)
    assert parse_link(around.format(place)).port == 99


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("１９２。１６８。１。５", "192.168.1.5:18920"),
        ("192.168.1.5 ： 99", "192.168.1.5:99"),
        ("192.168.1.5 18921", "192.168.1.5:18921"),
        ("192.168.1.5、ポート１８９２１", "192.168.1.5:18921"),
        ("[fd00::2] port 18921", "[fd00::2]:18921"),
        ("2001:db8::1:18920", "[2001:db8::1]:18920"),
        ("fe80::1%en0:9999", "[fe80::1%en0]:9999"),
        ("https://cards.example.org/", "cards.example.org:18920"),
        ("Our server: cards.example.org", "cards.example.org:18920"),
    ],
)
def test_an_address_is_read_as_people_type_it(typed: str, name: str) -> None:
    link = parse_invitation(typed)
    assert Address((link.host,), link.port).name == name


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("HTTPS://Cards.Example.Org", "cards.example.org:18920"),
        ("https://cards.example.org:99/tables", "cards.example.org:99"),
        ("http://gameserver/", "gameserver:18920"),
        ("「https://[fd00::2]:99/」", "[fd00::2]:99"),
        ("tabletop://[fd00::2]:99/table?code=K7MPQ2", "[fd00::2]:99"),
        ("k7mpq2", "k7mpq2:18920"),
    ],
)
def test_a_server_is_read_wherever_it_is_typed(typed: str, name: str) -> None:
    assert parse_server(typed).name == name


@pytest.mark.parametrize("typed", ["", "K7M PQ2", "https://cards.example.org/#K7MPQ2"])
def test_a_code_alone_names_no_server(typed: str) -> None:
    with pytest.raises(BadInvitation) as refused:
        parse_server(typed)
    assert str(refused.value) == f'"{typed}" isn\'t an address or an invitation.'


def test_a_link_may_name_a_computer_in_any_language() -> None:
    link = InviteLink("例え.jp", 99, "ab", "K7MPQ2", "ab" * 32)
    assert parse_invitation(f"卓はここ{format_link(link)}です。") == link


def test_a_code_alone_is_an_invitation_without_a_host() -> None:
    assert parse_invitation("k7m pq2") == InviteLink("", code="K7MPQ2")
    assert parse_invitation("192.168.1.5").host == "192.168.1.5"


LINK = f"tabletop://192.168.1.5:18920/ab12?code=K7MPQ2&fp={'ab' * 32}"
AROUND = [
    "{}", "Join me: {} (tonight)", "({}).", "[{}]", "<{}>", "[join]({})", "*{}*", "{}.",
    "Is it {}?", "卓に来てね「{}」です", "卓に来てね（{}）。", "{}、待ってます",
    "Come!\n{}\nBring snacks.", "\u2068{}\u2069",
]  # fmt: skip


@pytest.mark.parametrize("sentence", AROUND)
def test_a_link_is_found_in_a_message(sentence: str) -> None:
    for link in (LINK, LINK.replace("&", "&amp;"), LINK.replace("tabletop", "Tabletop")):
        assert parse_invitation(sentence.format(link)) == parse_link(LINK)


def wrapped(link: str, times: int) -> str:
    """A link as another page carries it in its own address."""
    for _ in range(times):
        link = quote(link, safe="")
    return link


WRAPPERS = [
    "{}", "卓に来てね {}", "「{}」", "<{}>", "mailto:?body={}",
    "https://eur01.safelinks.protection.outlook.com/?url={}&data=05%7C01",
    "https://www.google.com/url?q={}&amp;sa=D", "https://l.facebook.com/l.php?u={}&h=AT0x",
    "Join: https://mail.example/redirect?to={} (tonight)", "whatsapp://send?text={}",
]  # fmt: skip


@pytest.mark.parametrize("times", [0, 1, 2])
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_an_encoded_or_wrapped_link_is_read_whole(wrapper: str, times: int) -> None:
    link = replace(parse_link(LINK), more=("fe80::2%eth0",))
    text = wrapper.format(wrapped(format_link(link), times))
    assert parse_invitation(text) == link
    assert has_invitation(text)
    lower = wrapper.format(wrapped(LINK, times).replace("%3A", "%3a").replace("%2F", "%2f"))
    assert parse_invitation(lower) == parse_link(LINK)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("https://192.168.1.5:18921/#K7MPQ2", True),
        ("卓に来てね 192.168.1.5:18920 K7M PQ2", True),
        ("tabletop://192.168.1", True),
        ("https://example.org/a?b=c#top", False),
        ("Good evening, everybody!", False),
        ("", False),
    ],
)
def test_a_text_with_an_invitation_is_told_from_others(text: str, is_one: bool) -> None:
    assert has_invitation(text) is is_one


def test_a_link_that_was_encoded_in_part_is_read_whole() -> None:
    place, query = LINK.split("?")
    assert parse_invitation(f"{place}%3F{quote(query)}") == parse_link(LINK)
    for safe in ("/", "/:", ":", "="):
        assert parse_invitation(quote(LINK, safe=safe)) == parse_link(LINK)


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_wrapped_link_for_phones_gives_its_code(wrapper: str) -> None:
    text = wrapper.format(wrapped("https://192.168.1.5:18921/#K7MPQ2", 1))
    assert parse_invitation(text) == InviteLink("", code="K7MPQ2")


def test_a_link_with_a_claim_and_a_network_is_found_in_a_message() -> None:
    claim = InviteLink("fe80::2%eth0", 1, "ab", "K7MPQ2", "ab" * 32, 2, "se/cr&et=-_")
    assert parse_invitation(f"席はここ（{format_link(claim)}）") == claim


@pytest.mark.parametrize("at", range(20, len(LINK), 9))
def test_a_link_that_a_mail_has_wrapped_is_put_together(at: int) -> None:
    assert parse_invitation(f"{LINK[:at]}\n  {LINK[at:]}\n") == parse_link(LINK)


@pytest.mark.parametrize("cut", range(1, 64, 9))
def test_a_link_that_was_cut_is_refused(cut: int) -> None:
    with pytest.raises(BadInvitation, match="isn't whole"):
        parse_invitation(f"Join me: {LINK[:-cut]} (tonight)")


@pytest.mark.parametrize(
    "typed",
    [
        "コードはK7MPQ2です",
        "コードはk7mpq2です",
        "code: k7mpq2",
        "The code is K7M PQ2, see you",
        "PLEASE JOIN K7MPQ2",
        "code：Ｋ７ＭＰＱ２",
        "http://192.168.1.5:28980/#K7MPQ2",
        "Open http://192.168.1.5:28980/#K7MPQ2 on your phone",
    ],
)
def test_a_code_is_found_in_a_message(typed: str) -> None:
    assert parse_invitation(typed) == InviteLink("", code="K7MPQ2")
    assert extract_code(typed) == "K7MPQ2"


def test_an_address_is_found_in_a_message() -> None:
    assert parse_invitation("住所は192.168.1.5:99です") == InviteLink("192.168.1.5", 99)
    found = parse_invitation("come to [fd00::2]:99 with K7MPQ2!")
    assert found == InviteLink("fd00::2", 99, code="K7MPQ2")
    assert parse_invitation("cards.example.org, K7MPQ2").host == "cards.example.org"
    assert parse_invitation("See you at ann@example.org: K7MPQ2").host == ""


@pytest.mark.parametrize("typed", ["K7MPQ2 or K7MPQ3", "10.0.0.1 or 10.0.0.2", "come on over"])
def test_a_message_with_none_or_several_is_refused(typed: str) -> None:
    with pytest.raises(BadInvitation):
        parse_invitation(typed)


def test_a_code_alone_can_be_passed_on_as_a_link() -> None:
    link = InviteLink("", code="K7MPQ2")
    assert parse_invitation(format_link(link)) == link


@given(st.text())
def test_any_message_is_read_or_refused(typed: str) -> None:
    try:
        link = parse_invitation(typed)
    except BadInvitation:
        return
    assert parse_invitation(format_link(link)) == link


@given(st.text())
def test_anything_that_is_pasted_is_read_or_refused(typed: str) -> None:
    try:
        link = parse_link(typed)
    except BadInvitation:
        return
    assert parse_link(format_link(link)) == link


PILE = "a" + "\u0315\u0300" * 30_000


@pytest.mark.parametrize(
    "text",
    [
        "http://[1",
        "https://[x]:y/#K7MPQ2",
        "x tabletop%" + "25" * 4_900 + "3ax",
        "tabletop://x:" + "9" * 5_000,
        "tabletop://x/?seat=" + "9" * 5_000,
        "!" * 200_000 + "a",
        "\ufdfa" * 200_000,
        PILE,
        "K7MPQ2" + PILE,
    ],
)
def test_a_text_made_to_cost_time_is_refused(text: str) -> None:
    assert has_invitation(text) in (True, False)
    for read in (parse_invitation, parse_address_or_invitation, parse_server, extract_code):
        with pytest.raises(BadInvitation):
            read(text)
    assert len(normalise_code(text)) <= MAX_TEXT_CHARACTERS


def test_an_invitation_is_found_at_the_beginning_of_a_long_text() -> None:
    link = format_link(InviteLink("192.0.2.1", 18920, "otter", "K7MPQ2"))
    assert parse_invitation(link + " and more" * 50_000).code == "K7MPQ2"


def test_a_zone_in_a_link_is_percent_encoded() -> None:
    assert format_link(InviteLink("fe80::2%eth0", 1)) == "tabletop://[fe80::2%25eth0]:1/"


def adapter(name: str, number: int, *ips: str) -> ifaddr.Adapter:
    found = [
        ifaddr.IP((ip, 0, number) if ":" in ip else ip, 64 if ":" in ip else 24, name) for ip in ips
    ]
    return ifaddr.Adapter(name, name, found, number)


@pytest.fixture
def computer(monkeypatch: pytest.MonkeyPatch) -> None:
    """One with two networks, of which one is a bare cable."""
    found = [
        adapter("lo", 1, "127.0.0.1", "::1"),
        adapter("eth1", 3, "169.254.7.8", "fe80::3"),
        adapter("eth0", 2, "192.168.1.20", "fd00::2", "fe80::2"),
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: found)
    monkeypatch.setattr(interfaces, "_default_address", lambda: "192.168.1.20")


@pytest.mark.usefixtures("computer")
def test_addresses_of_one_cable_are_named_last() -> None:
    assert addresses() == ("192.168.1.20", "fd00::2", "169.254.7.8", "fe80::3", "fe80::2")


@pytest.mark.usefixtures("computer")
@pytest.mark.parametrize(
    ("host", "gone_to"),
    [
        ("192.168.1.5", ("192.168.1.5",)),
        ("169.254.1.5", ("169.254.1.5",)),
        ("fd00::5", ("fd00::5",)),
        ("table.example", ("table.example",)),
        ("fe80::5", ("fe80::5%3", "fe80::5%2")),
        ("fe80::5%eth0", ("fe80::5%2", "fe80::5%3")),
        ("fe80::5%2", ("fe80::5%2", "fe80::5%3")),
        ("fe80::5%elsewhere", ("fe80::5%3", "fe80::5%2")),
    ],
)
def test_a_link_local_address_is_tried_on_each_network(host: str, gone_to: tuple[str, ...]) -> None:
    assert expand_link_local(host) == gone_to


async def test_discovery_follows_to_another_network(monkeypatch: pytest.MonkeyPatch) -> None:
    here = ["192.168.1.20"]
    monkeypatch.setattr(discovery, "addresses", lambda: tuple(here))
    monkeypatch.setattr(discovery, "NETWORK_CHECK_INTERVAL_S", 0.01)
    begun: list[str] = []

    class Listening(Finder):
        def _start_browser(self) -> None:
            begun.append(here[0])
            if len(begun) == 2:
                raise OSError("no network yet")
            heard.set()

        async def _stop_listening(self) -> None: ...

    heard = asyncio.Event()

    finder = Listening(lambda found: None)
    await finder.start()
    heard.clear()
    here[0] = "169.254.7.8"
    async with asyncio.timeout(60):
        await heard.wait()
    await finder.close()
    assert begun == ["192.168.1.20", "169.254.7.8", "169.254.7.8"]


async def test_a_noticed_table_is_asked_until_it_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Wi-Fi, which carried that it is there and lost the rest."""
    table = {"table": "T", "name": "Ann", "game": "sun", "seats": "2", "free": "1"}
    words = table | {"protocol": "1-1", "fp": "f"}

    class Told(AsyncServiceInfo):
        lost = 2

        async def async_request(self, *_: object, **__: object) -> bool:
            Told.lost -= 1
            return Told.lost < 0

    def told(of: str, name: str) -> Told:
        return Told(of, name, port=9, properties=words, parsed_addresses=["192.168.1.7"])

    monkeypatch.setattr(discovery, "AsyncServiceInfo", told)

    found: list[str] = []
    finder = Finder(lambda tables: found.extend(each.listed.name for each in tables))
    await finder._query(cast(Zeroconf, None), f"T.{discovery.SERVICE}")
    assert found == ["Ann"]


async def test_the_invitation_follows_to_another_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = ["192.168.1.20"]

    class Silent:
        def __init__(self, *args: object) -> None: ...
        async def announce(self, tables: object) -> None: ...
        async def close(self) -> None: ...

    monkeypatch.setattr(announcements, "Announcer", Silent)
    monkeypatch.setattr(announcements, "CHECK_INTERVAL_S", 0.01)
    for module in (announcements, table_registry):
        monkeypatch.setattr(module, "addresses", lambda: tuple(here))

    host = Host(tmp_path, limits=ROOMY, timing=QUICK, is_announced=True)
    await host.start("127.0.0.1", 0)
    ann = Friend(host.port)
    ann.guest.open_table(plan("sun", 2), "")
    await ann.until(lambda: ann.guest.invitation)
    assert ann.guest.invitation.addresses == ("192.168.1.20",)
    here[0] = "169.254.7.8"
    await ann.until(lambda: ann.guest.invitation.addresses == ("169.254.7.8",))
    await ann.close()
    await host.close()


def link_local() -> str:
    """An address of this computer that holds on one network alone, if it has one."""
    return next((each for each in addresses() if each.startswith("fe80:")), "")


@pytest.mark.skipif(not socket.has_ipv6 or not link_local(), reason="has no such address")
async def test_a_link_local_address_without_zone_is_joined(tmp_path: Path) -> None:
    host = Host(tmp_path, limits=ROOMY, timing=QUICK)
    await host.start(None, 0)
    ann = await opened(host)
    bea = Friend(host.port, ticket=Ticket(code=ann.code), host=link_local())
    await bea.inside()
    await ann.close()
    await bea.close()
    await host.close()
