"""A TLS port that redirects browsers which speak plain HTTP to it.

Somebody who types a short address leaves "https://" out, and many browsers then try plain HTTP:
they would be cut off without a word. Only the redirect is ever sent in plain.
"""

import re
import ssl

PLAIN_HTTP_FIRST_BYTES = (b"G", b"H")
"""The first bytes of a plain request that only reads; a TLS line begins with the byte 22
(RFC 8446, 5.1)."""
MAX_REQUEST_BYTES = 8 * 1024
"""Bytes of a request until its way is looked for no longer."""
REQUEST_LINE = re.compile(rb"(?:GET|HEAD) (/[!-~]*) HTTP/1\.[01]\r\n")
HOST_HEADER = re.compile(rb"\r\n[Hh][Oo][Ss][Tt]:[ \t]*([A-Za-z0-9.:\[\]-]{1,255})[ \t]*\r\n")
NOT_REDIRECTABLE = b"This page is encrypted: its address begins with https://\n"


class RedirectingContext(ssl.SSLContext):
    """The TLS configuration of a page."""

    def wrap_bio(
        self,
        incoming: ssl.MemoryBIO,
        outgoing: ssl.MemoryBIO,
        server_side: bool = False,
        server_hostname: str | bytes | None = None,
        session: ssl.SSLSession | None = None,
    ) -> ssl.SSLObject:
        wrapped = super().wrap_bio(incoming, outgoing, server_side, server_hostname, session)
        assert isinstance(wrapped, _RedirectingTls)
        wrapped.incoming, wrapped.outgoing = incoming, outgoing
        wrapped.plain, wrapped.speaks_tls = b"", False
        return wrapped


class _RedirectingTls(ssl.SSLObject):
    incoming: ssl.MemoryBIO
    outgoing: ssl.MemoryBIO
    plain: bytes
    """The bytes of a plain request."""
    speaks_tls: bool

    def do_handshake(self) -> None:
        """As the base class; who speaks plain HTTP is answered, and waited for to go.

        Raises:
            SSLError: as the base class; who waited for too long is cut off by its loop.
        """
        if not self.speaks_tls and self.incoming.pending:
            came = self.incoming.read()
            self.speaks_tls = not self.plain and came[:1] not in PLAIN_HTTP_FIRST_BYTES
            if self.speaks_tls:
                self.incoming.write(came)
            else:
                answered = _is_whole(self.plain)
                self.plain = (self.plain + came)[:MAX_REQUEST_BYTES]
                if _is_whole(self.plain) and not answered:
                    self.outgoing.write(redirect_response(self.plain))
        if self.plain:
            raise ssl.SSLWantReadError
        super().do_handshake()


RedirectingContext.sslobject_class = _RedirectingTls


def _is_whole(request: bytes) -> bool:
    return b"\r\n\r\n" in request or len(request) >= MAX_REQUEST_BYTES


def redirect_response(request: bytes) -> bytes:
    """The answer to a plain request: where the page is, or that it is not here."""
    line, host = REQUEST_LINE.match(request), HOST_HEADER.search(request)
    if line is None or host is None:
        head, body = b"HTTP/1.1 400 Bad Request\r\n", NOT_REDIRECTABLE
    else:
        location = b"https://" + host[1] + line[1]
        head, body = b"HTTP/1.1 307 Temporary Redirect\r\nLocation: " + location + b"\r\n", b""
    return head + (
        b"Content-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\n"
        b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    )
