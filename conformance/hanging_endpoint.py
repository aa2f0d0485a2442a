"""An endpoint that answers each request in part, and then not at all."""

import socketserver
import threading

LONGEST_WAIT_SECONDS = 120


class HangingEndpoint:
    """Sends `beginning` after the head of each answer, and keeps the connection open."""

    def __init__(self, beginning):
        self.beginning = beginning
        self.sent = 0
        self._lock = threading.Lock()
        self._ended = threading.Event()
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                size = 0
                while (line := self.rfile.readline().strip()):
                    if line.lower().startswith(b"content-length:"):
                        size = int(line.split(b":")[1])
                self.rfile.read(size)
                try:
                    self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 6000000\r\n\r\n")
                    self.wfile.write(outer.beginning)
                except OSError:
                    return
                with outer._lock:
                    outer.sent += 1
                outer._ended.wait(LONGEST_WAIT_SECONDS)

        class Listener(socketserver.ThreadingTCPServer):
            daemon_threads = True
            request_queue_size = 128

        self._server = Listener(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()
