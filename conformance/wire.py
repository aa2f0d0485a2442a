"""One HTTP connection of a client that hides nothing: no retries, no validation, JSON in and out."""

import json
import socket
import ssl

PATIENCE_SECONDS = 120

_STREAM_OPERATIONS = ("DescribeStream", "GetRecords", "GetShardIterator", "ListStreams")


class Lost(Exception):
    """No answer of the operation, as where the server ends: whether it was carried out is not told."""


class Refused(Exception):
    """An answer that is an error."""

    def __init__(self, status, body):
        super().__init__(f"{status} {body}")
        self.status = status
        self.body = body
        self.type = body.get("__type", "").rpartition("#")[2]


_ANY_CERTIFICATE = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
_ANY_CERTIFICATE.check_hostname = False
_ANY_CERTIFICATE.verify_mode = ssl.CERT_NONE


def open_socket(port, patience, tls=False):
    """A connection to the server of this machine. With TLS it accepts any certificate."""
    plain = socket.create_connection(("127.0.0.1", port), timeout=patience)
    if not tls:
        return plain
    return _ANY_CERTIFICATE.wrap_socket(plain)


class Channel:
    """A keep-alive connection that takes any bytes for a body, `encoded` with gzip or not; with keys of a region or none."""

    def __init__(self, port, patience, tls=False, region=None):
        self._authorization = "" if region is None else (
            f"Authorization: AWS4-HMAC-SHA256 Credential=test/20260101/{region}/dynamodb/aws4_request, SignedHeaders=host, Signature=0\r\n")
        self._socket = open_socket(port, patience, tls)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._received = b""

    def close(self):
        self._socket.close()

    def send(self, operation, body, encoded=False):
        version = "DynamoDBStreams_20120810" if operation in _STREAM_OPERATIONS else "DynamoDB_20120810"
        head = (f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\n"
                f"X-Amz-Target: {version}.{operation}\r\nContent-Length: {len(body)}\r\n")
        head += self._authorization
        head += "Content-Encoding: gzip\r\n" if encoded else ""
        self._socket.sendall(head.encode() + b"\r\n" + body)

    def receive(self):
        """The status of the next answer, its body, and whether the connection stays open."""
        while b"\r\n\r\n" not in self._received:
            self._fill()
        head, _, self._received = self._received.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        size = int(headers["content-length"])
        while len(self._received) < size:
            self._fill()
        body, self._received = self._received[:size], self._received[size:]
        return int(lines[0].split()[1]), body, headers.get("connection", "").lower() != "close"

    def _fill(self):
        received = self._socket.recv(1 << 20)
        if not received:
            raise ConnectionResetError("the server hung up")
        self._received += received


class Connection:
    """For one thread, to a server with --auth off. `patience`: seconds; then the answer counts as lost if it is given."""

    def __init__(self, port, tls=False, region=None, patience=None):
        self._is_patient = patience is None
        try:
            self._channel = Channel(port, patience or PATIENCE_SECONDS, tls, region)
        except ConnectionError as error:
            raise Lost(str(error)) from error

    def close(self):
        self._channel.close()

    def send(self, operation, **request):
        """The answer as a dictionary. Raises Lost and Refused, and TimeoutError when nothing comes."""
        try:
            self._channel.send(operation, json.dumps(request).encode())
            status, text, _ = self._channel.receive()
        except ConnectionError as error:
            raise Lost(str(error)) from error
        except TimeoutError as error:
            if self._is_patient:
                raise
            raise Lost(str(error)) from error
        if status == 503:  # refused without an operation's answer, as by a server that stops
            raise Lost(text.decode())
        answer = json.loads(text) if text else {}
        if status != 200:
            raise Refused(status, answer)
        return answer


def all_pages(connection, operation, member="Items", **request):
    """The elements of all pages of a Query, Scan or the like."""
    found = []
    while True:
        answer = connection.send(operation, **request)
        found += answer[member]
        if "LastEvaluatedKey" not in answer:
            return found
        request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


class Streams:
    """The part of boto3's client that a StreamConsumer needs, over a connection."""

    def __init__(self, connection):
        self._connection = connection

    def describe_stream(self, **request):
        return self._connection.send("DescribeStream", **request)

    def get_shard_iterator(self, **request):
        return self._connection.send("GetShardIterator", **request)

    def get_records(self, **request):
        return self._connection.send("GetRecords", **request)
