"""Redirects plain HTTP requests on a TLS port to HTTPS.

Users who type a short address leave "https://" out, and many browsers then try plain HTTP. Without
the redirect their connection would just close. Only the redirect is ever sent unencrypted.
"""

import re
import ssl

PLAIN_HTTP_FIRST_BYTES = (b"G", b"H")
"""The first bytes of GET and HEAD requests. A TLS connection starts with
byte 22 (RFC 8446, 5.1).
"""
MAX_REQUEST_BYTES = 8 * 1024
"""The maximum size of a plain HTTP request that is searched for its path."""
REQUEST_LINE = re.compile(rb"(?:GET|HEAD) (/[!-~]*) HTTP/1\.[01]\r\n")
HOST_HEADER = re.compile(rb"\r\n[Hh][Oo][Ss][Tt]:[ \t]*([A-Za-z0-9.:\[\]-]{1,255})[ \t]*\r\n")
NOT_REDIRECTABLE = b"This page is encrypted: its address begins with https://\n"


class RedirectingContext(ssl.SSLContext):
    """A server's TLS context that also answers plain HTTP requests."""

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
    """The plain HTTP request received so far."""
    speaks_tls: bool

    def do_handshake(self) -> None:
        """Handshake as the base class does, or answer a plain HTTP request and wait until the
        client disconnects.

        Raises:
            SSLError: as in the base class. The event loop closes connections that wait too long.
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
    """Return the response to a plain HTTP request: a redirect to HTTPS, or an error if the request
    has no usable path or host.
    """
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
