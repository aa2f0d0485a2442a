"""A Kinesis endpoint that keeps what it is given, and misbehaves when asked to.

PutRecords and DescribeStreamSummary, as in Kinesis's API reference (2013-12-02). It listens on one port over stop() and
start(), and keeps its streams.
"""

import base64
import http.server
import json
import random
import socket
import threading
import time

from held_port import HeldPort

MOST_RECORDS = 500
MOST_BYTES = 5 << 20
LONGEST_RECORD = 1 << 20
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.1\r\n"


class KinesisStandIn:
    def __init__(self, *streams):
        self.streams = {name: [] for name in streams}  # of each: (partition key, JSON) as taken
        self._decoded = {}
        self.problems = []  # problems that Kinesis would refuse
        self.requests = 0
        self.regions = set()  # that signatures are of
        self.partial = 0.0  # how likely a record is not taken
        self.throttled = 0.0  # how likely a request is not
        self.bad = None  # "hang", "garbage", "endless", "half", "lies"
        self.lock = threading.Lock()
        self._random = random.Random(7)
        self._port = HeldPort()
        self._server = None

    def start(self):
        """On the same port as before."""
        handler = type("Handler", (_Handler,), {"endpoint": self})
        self._server = _Server(("127.0.0.1", self._port.number), handler)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        if self._server is None:
            return
        self._server.shutdown()
        self._server.server_close()
        self._server.hang_up()
        self._server = None

    @property
    def url(self):
        return f"http://127.0.0.1:{self._port.number}"

    def records(self, stream):
        with self.lock:
            decoded = self._decoded.setdefault(stream, [])
            decoded += [json.loads(data) for _, data in self.streams[stream][len(decoded):]]
            return list(decoded)

    def clear(self, stream):
        with self.lock:
            self.streams[stream].clear()
            self._decoded.pop(stream, None)

    def keys(self, stream):
        """The partition keys of each item, by the text of its key."""
        with self.lock:
            found = {}
            for partition_key, data in self.streams[stream]:
                item = json.dumps(json.loads(data)["dynamodb"]["Keys"], sort_keys=True)
                found.setdefault(item, set()).add(partition_key)
            return found

    # ---- one request

    def answer(self, operation, request):
        name = request.get("StreamName")
        if name not in self.streams:
            return 400, {"__type": "ResourceNotFoundException", "message": f"Stream {name} not found"}
        if operation == "DescribeStreamSummary":
            return 200, {"StreamDescriptionSummary": {"StreamName": name, "StreamStatus": "ACTIVE"}}
        if operation != "PutRecords":
            return 400, {"__type": "UnknownOperationException"}
        if self._random.random() < self.throttled:
            return 400, {"__type": "ProvisionedThroughputExceededException", "message": "slow down"}
        return self._put(self.streams[name], request["Records"])

    def _put(self, stream, records):
        decoded = [(record["PartitionKey"], base64.b64decode(record["Data"], validate=True)) for record in records]
        sizes = [len(key) + len(data) for key, data in decoded]
        if not 1 <= len(records) <= MOST_RECORDS or sum(sizes) > MOST_BYTES:
            self.problems.append(f"{len(records)} records of {sum(sizes)} bytes")
        if len({key for key, _ in decoded}) != len(decoded):
            self.problems.append("an item is twice in one request")
        if max(sizes) > LONGEST_RECORD:
            if len(records) > 1:
                self.problems.append("a long record is not alone")
            return 400, {"__type": "ValidationException", "message": "a record is too long"}
        results = []
        for key, data in decoded:
            if self._random.random() < self.partial:
                results.append({"ErrorCode": "InternalFailure", "ErrorMessage": "try again"})
                continue
            stream.append((key, data))
            results.append({"SequenceNumber": str(len(stream)), "ShardId": "shardId-000000000000"})
        failed = sum("ErrorCode" in result for result in results)
        return 200, {"FailedRecordCount": failed, "Records": results}


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, *arguments):
        self._open = set()
        super().__init__(*arguments)

    def process_request(self, request, client_address):
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request):
        self._open.discard(request)
        super().shutdown_request(request)

    def hang_up(self):
        """On all who are connected."""
        for connection in list(self._open):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def handle_error(self, request, client_address):
        """Clients may hang up."""


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    endpoint = None

    def log_message(self, *arguments):
        pass

    def do_POST(self):  # pylint: disable=invalid-name
        body = self.rfile.read(int(self.headers["Content-Length"]))
        endpoint = self.endpoint
        with endpoint.lock:
            endpoint.requests += 1
            scope = self.headers["Authorization"].partition("Credential=")[2].split("/")
            if scope[3] != "kinesis" or not self.headers["Authorization"].startswith("AWS4-HMAC-SHA256"):
                endpoint.problems.append(f"signed as {scope}")
            endpoint.regions.add(scope[2])
            bad = endpoint.bad
            if bad is None:
                version, _, operation = self.headers["X-Amz-Target"].partition(".")
                if version != "Kinesis_20131202":
                    endpoint.problems.append(version)
                status, answer = endpoint.answer(operation, json.loads(body))
        if bad is not None:
            self._misbehave(bad)
            return
        text = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/x-amz-json-1.1")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def _misbehave(self, how):
        self.close_connection = True
        if how == "hang":
            while self.endpoint.bad == "hang":
                time.sleep(0.05)
        elif how == "garbage":
            self.wfile.write(b"\x00\xff not HTTP at all\r\n\r\n")
        elif how == "half":
            self.wfile.write(HEAD + b"Content-Length: 1000\r\n\r\n" + b'{"Records":[')
        elif how == "lies":
            results = [{"SequenceNumber": "1"}] * (MOST_RECORDS + 1)
            text = json.dumps({"FailedRecordCount": 0, "Records": results, "StreamDescriptionSummary": 7}).encode()
            self.wfile.write(HEAD + b"Content-Length: %d\r\n\r\n" % len(text) + text)
        elif how == "endless":
            self.wfile.write(HEAD + b"Content-Length: 10000000000\r\n\r\n")
            block = b" " * (1 << 20)
            for _ in range(10_000):
                self.wfile.write(block)
