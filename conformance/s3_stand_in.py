"""An S3 endpoint that keeps its objects in memory, checks every signature, and misbehaves when asked to.

ListObjectsV2, GetObject with Range and If-Match, PutObject and DeleteObject by paths, as in S3's API reference.
"""

import hashlib
import hmac
import http.server
import re
import socket
import threading
import time
import urllib.parse
import xml.sax.saxutils

KEY_ID, SECRET, TOKEN = "AKIDOFTESTS", "secret/of+tests", "token-of-tests"
ENVIRONMENT = {"AWS_ACCESS_KEY_ID": KEY_ID, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_SESSION_TOKEN": TOKEN}
PAGE = 7  # keys


class S3StandIn:
    def __init__(self, *buckets):
        self.buckets = {name: {} for name in buckets}  # of each: content by key
        self.owner = "111122223333"
        self.heads = {}  # of the last PutObject of each key
        self.problems = []  # requests that S3 would not take
        self.requests = []  # "GET bucket key"
        self.fails = 0  # the number of requests to answer with 503
        self.cuts = 0  # the number of answers to cut off
        self.refuses = None  # a part of keys that cannot be written
        self.bad = None  # see misbehave()
        self.lock = threading.Lock()
        self._server = None

    def start(self):
        handler = type("Handler", (_Handler,), {"s3": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def count(self, kind):
        with self.lock:
            return sum(request.startswith(kind) for request in self.requests)


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        """Clients may hang up."""


def signature(secret, scope, time_text, canonical):
    key = b"AWS4" + secret.encode()
    for part in scope.split("/"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    text = "\n".join(["AWS4-HMAC-SHA256", time_text, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    s3 = None

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def error(self, status, code, message="of the stand-in"):
        self.answer(status, f'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>{code}</Code>'
                            f"<Message>{message} &amp; no more</Message></Error>".encode())

    def check_signature(self, body):
        match = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=(\w+)/(\d{8}/([\w-]+)/s3/aws4_request), "
                             r"SignedHeaders=([\w;-]+), Signature=(\w{64})", self.headers.get("Authorization", ""))
        if not match:
            return "no authorization"
        key, scope, _, names, given = match.groups()
        path, _, query = self.path.partition("?")
        pairs = sorted((pair + "=").split("=")[:2] for pair in query.split("&") if pair)
        names = names.split(";")
        digest = hashlib.sha256(body).hexdigest()
        lines = [self.command, path, "&".join(f"{name}={value}" for name, value in pairs),
                 *(f"{name}:{self.headers[name].strip()}" for name in names), "", ";".join(names), digest]
        if key != KEY_ID or self.headers.get("X-Amz-Security-Token") != TOKEN:
            return "another key or token"
        if self.headers.get("X-Amz-Content-Sha256") != digest:
            return "another body"
        missing = {name.lower() for name in self.headers if name.lower().startswith("x-amz-")} | {"host"} - set(names)
        if missing - set(names):
            return f"not signed: {missing - set(names)}"
        if signature(SECRET, scope, self.headers["X-Amz-Date"], "\n".join(lines)) != given:
            return "another signature"
        return None

    def handle_all(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path, _, query = self.path.partition("?")
        bucket, _, key = path.lstrip("/").partition("/")
        key = urllib.parse.unquote(key)
        with self.s3.lock:
            self.s3.requests.append(f"{self.command} {bucket} {key}")
            failing, self.s3.fails = self.s3.fails > 0, max(self.s3.fails - 1, 0)
            cutting, self.s3.cuts = self.s3.cuts > 0, max(self.s3.cuts - 1, 0)
        problem = self.check_signature(body)
        if problem:
            self.s3.problems.append(f"{self.command} {self.path}: {problem}")
            return self.error(403, "SignatureDoesNotMatch", problem)
        if cutting:
            self.close_connection = True
            return self.connection.shutdown(socket.SHUT_RDWR)
        if failing:
            return self.error(503, "SlowDown")
        if self.s3.bad:
            return self.misbehave(self.s3.bad)
        if bucket not in self.s3.buckets:
            return self.error(404, "NoSuchBucket")
        if self.headers.get("X-Amz-Expected-Bucket-Owner", self.s3.owner) != self.s3.owner:
            return self.error(403, "AccessDenied")
        return self.serve(self.s3.buckets[bucket], key, urllib.parse.parse_qs(query), body)

    do_GET = do_PUT = do_DELETE = handle_all

    def misbehave(self, kind):
        if kind == "hang":
            time.sleep(600)
        elif kind == "garbage":
            self.answer(200, b"<html>" + bytes(range(256)))
        elif kind == "endless":
            self.send_response(200)
            self.send_header("Content-Length", str(1 << 40))
            self.end_headers()
            while True:
                self.wfile.write(b"x" * 65536)
        elif kind == "lies":
            self.answer(200, b"<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>in/a</Key>"
                             b"<Size>1000</Size></Contents></ListBucketResult>" if "list-type" in self.path else b"short")
        elif kind == "huge":
            self.answer(200, b"<ListBucketResult><Contents><Key>in/a</Key><Size>100000000000000</Size></Contents>"
                             b"</ListBucketResult>")
        elif kind == "no encryption":  # MinIO without KMS
            self.error(501, "NotImplemented")
        elif kind == "bytes":  # not UTF-8, and letters that are cut in halves
            self.answer(400, b"<Error><Code>Bad</Code><Message>\xff\r\n2026 forged &#xD800;&#1;\x1b[2J"
                             + b"a" + "\u00e4".encode() * 400 + b"</Message></Error>")
        elif kind == "fields":
            self.list_one(b"in/a", b"10", b"e&#13;&#10;X-Injected: yes")
        elif kind == "key":
            self.list_one(b"in/" + b"k" * 1100, b"10")
        elif kind == "quick":  # always there, and never at its end
            first, last = map(int, (self.headers["Range"] or "bytes=0-0")[6:].split("-"))
            if "list-type" in self.path:
                self.list_one(b"in/a", str(2 << 30).encode())
            else:
                self.answer(206, b"x" * (last - first + 1))
        elif kind == "pages":
            self.answer(200, b"<ListBucketResult><IsTruncated>true</IsTruncated>"
                             b"<NextContinuationToken>x</NextContinuationToken></ListBucketResult>")
        elif kind == "denied":
            self.error(403, "AccessDenied")

    def list_one(self, key, size, etag=b"e"):
        self.answer(200, b"<ListBucketResult><Contents><Key>" + key + b"</Key><ETag>" + etag + b"</ETag><Size>" + size
                    + b"</Size></Contents></ListBucketResult>")

    def serve(self, objects, key, query, body):
        if self.command == "PUT" and self.s3.refuses and self.s3.refuses in key:
            return self.error(400, "InvalidRequest")
        if self.command == "PUT":
            self.s3.heads[key] = dict(self.headers)
            objects[key] = body
            return self.answer(200, ETag=etag(body))
        if self.command == "DELETE":
            objects.pop(key, None)
            return self.answer(204)
        if not key:
            return self.list(objects, query)
        if key not in objects:
            return self.error(404, "NoSuchKey")
        content = objects[key]
        if self.headers.get("If-Match", etag(content)) != etag(content):
            return self.error(412, "PreconditionFailed")
        match = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if not match:
            return self.answer(200, content)
        return self.answer(206, content[int(match[1]):int(match[2]) + 1])

    def list(self, objects, query):
        prefix = query.get("prefix", [""])[0]
        begin = query.get("continuation-token", [""])[0]
        keys = [key for key in sorted(objects) if key.startswith(prefix) and key > begin]
        page = keys[:PAGE]
        more = len(keys) > PAGE
        entries = "".join(f"<Contents><Key>{urllib.parse.quote_plus(key, '/')}</Key><ETag>"
                          f"{xml.sax.saxutils.escape(etag(objects[key]), {chr(34): '&quot;'})}</ETag>"
                          f"<Size>{len(objects[key])}</Size></Contents>" for key in page)
        token = xml.sax.saxutils.escape(page[-1]) if more else ""
        self.answer(200, ('<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
                          f"<IsTruncated>{str(more).lower()}</IsTruncated><EncodingType>url</EncodingType>"
                          + (f"<NextContinuationToken>{token}</NextContinuationToken>" if more else "")
                          + entries + "</ListBucketResult>").encode())


def etag(content):
    return f'"{hashlib.md5(content).hexdigest()}"'
