"""Listings of S3, from a server that answers as it is told. tests/engines has a real one."""

import datetime
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, quote_plus, urlsplit
from xml.sax.saxutils import escape

import pytest

stores = pytest.importorskip("hashmill.manifest.stores")

KEYS = ["a//b", "a b", "a+b", "a/./\x01", "a/é", "a&<b>", "z/"]


def listing(keys, encoded=True, following=None, contents=None):
    """A page of a listing."""
    entries = contents or "".join(
        f"<Contents><Key>{quote_plus(key) if encoded else escape(key)}</Key><Size>{number}</Size>"
        f'<LastModified>2024-02-29T12:00:00.{number:03}Z</LastModified><ETag>"e{number}"</ETag><Owner><ID>me</ID></Owner>'
        f"{'<ChecksumAlgorithm>CRC32</ChecksumAlgorithm><ChecksumAlgorithm>SHA256</ChecksumAlgorithm>' if number == 1 else ''}"
        "</Contents>"
        for number, key in enumerate(keys)
    )
    more = f"<NextContinuationToken>{following}</NextContinuationToken>" if following else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name>'
        f"{'<EncodingType>url</EncodingType>' if encoded else ''}<IsTruncated>{'true' if following else 'false'}</IsTruncated>"
        f"{more}{entries}</ListBucketResult>"
    )


@pytest.fixture
def store(monkeypatch):
    """Opens a store, which answers with these pages, each a status and a body."""
    servers = []

    def opened(*pages):
        class Handler(BaseHTTPRequestHandler):
            def do_HEAD(self):
                self.answer(200, b"")

            def do_GET(self):
                token = parse_qs(urlsplit(self.path).query).get("continuation-token", ["0"])[0]
                status, body = pages[int(token)]
                self.answer(status, body.encode())

            def answer(self, status, body):
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for name, value in {
            "AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s", "AWS_REGION": "us-east-1", "AWS_CONFIG_FILE": "/dev/null",
            "AWS_SHARED_CREDENTIALS_FILE": "/dev/null", "AWS_ENDPOINT_URL": f"http://127.0.0.1:{server.server_port}",
        }.items():  # fmt: skip
            monkeypatch.setenv(name, value)
        return stores.opened("s3://bucket", stores.Options(retries=0))

    yield opened
    for server in servers:
        server.shutdown()
        server.server_close()


def test_pages(store):
    """Every key as it is, whatever obstore would make of it, and the continuation, which botocore follows."""
    first, second = store((200, listing(KEYS, following="1")), (200, listing(["é+%41"], encoded=False))).pages()
    assert [it.key.decode() for it in first] == KEYS and [it.key.decode() for it in second] == ["é+%41"]
    noon = datetime.datetime(2024, 2, 29, 12, tzinfo=datetime.timezone.utc).timestamp() * 10**6
    assert first[1] == stores.Object(b"a b", 1, "e1", noon + 1000, True) and not first[2].checksum
    assert [list(page) for page in store((200, listing([]))).pages()] == [[]]


@pytest.mark.parametrize(("status", "body"), [
    (200, "<Other/>"),
    (200, "no XML"),
    (200, listing([], contents="<Contents><Key>a</Key></Contents>")),
    (200, listing([], contents="<Contents><Key>%ff</Key><Size>1</Size><LastModified>2024-02-29T12:00:00Z</LastModified></Contents>")),
    (200, listing([], contents="<Contents><Key>a</Key><Size>1</Size><LastModified>2024-02-29T12:00:00</LastModified></Contents>")),
    (403, "<Error><Code>AccessDenied</Code><Message>no</Message></Error>"),
])  # fmt: skip
def test_what_is_no_listing(store, status, body):
    with pytest.raises(stores.StoreError):
        list(store((status, body)).pages())
