"""A Lambda-compatible endpoint that keeps what it is given, and misbehaves when asked to.

POST /2015-03-31/functions/<name>/invocations, as in Lambda's API reference (Invoke), and POST /failures. It listens on one
port over stop() and start(), and keeps what it got.
"""

import http.server
import json
import re
import threading
import time

from held_port import HeldPort


class FunctionStandIn:
    def __init__(self):
        self._lock = threading.Lock()
        self._server = None
        self._port = HeldPort()
        self.calls = []  # of each: (function, records, when), as they came
        self.failures = []  # requests that POST /failures accepted
        self.refused_failures = 0
        self.takes_failures = True
        self.problems = []
        self.headers = []
        self.running = {}  # by function: calls under way
        self.most_running = {}
        self.answer = lambda function, records: (200, {}, b"null")  # may wait

    @property
    def url(self):
        return f"http://127.0.0.1:{self._port.number}"

    def start(self):
        handler = type("Handler", (_Handler,), {"stand_in": self})
        self._server = _Server(("127.0.0.1", self._port.number), handler)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server.hang_up()
            self._server = None

    def invoke(self, function, headers, body):
        try:
            records = json.loads(body)["Records"]
        except (ValueError, KeyError, TypeError):
            self.problems.append(body[:200])
            return 400, {}, b"no event"
        if not records or len(body) > 6 << 20:
            self.problems.append(f"{len(records)} records in {len(body)} bytes")
        with self._lock:
            self.calls.append((function, records, time.monotonic()))
            self.headers.append(headers)
            self.running[function] = self.running.get(function, 0) + 1
            self.most_running[function] = max(self.most_running.get(function, 0), self.running[function])
        try:
            return self.answer(function, records)
        finally:
            with self._lock:
                self.running[function] -= 1

    def keep_failure(self, body):
        with self._lock:
            if self.takes_failures:
                self.failures.append(json.loads(body))
            else:
                self.refused_failures += 1
            return 200 if self.takes_failures else 503

    def records(self, function="f"):
        with self._lock:
            return [record for name, records, _ in self.calls if name == function for record in records]

    def batches(self, function="f"):
        with self._lock:
            return [records for name, records, _ in self.calls if name == function]


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, *arguments):
        self._sockets = set()
        super().__init__(*arguments)

    def process_request(self, request, client_address):
        self._sockets.add(request)
        super().process_request(request, client_address)

    def hang_up(self):
        for connection in list(self._sockets):
            try:
                connection.shutdown(2)
            except OSError:
                pass

    def handle_error(self, request, client_address):
        pass


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    stand_in = None

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        match = re.fullmatch(r"/2015-03-31/functions/([^/]+)/invocations", self.path)
        if match:
            status, fields, answer = self.stand_in.invoke(match.group(1), dict(self.headers), body)
        elif self.path == "/failures":
            status, fields, answer = self.stand_in.keep_failure(body), {}, b""
        else:
            self.stand_in.problems.append(self.path)
            status, fields, answer = 404, {}, b""
        if status == 0:  # hang up
            self.close_connection = True
            return
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass
