"""A front of servers: each HTTP request goes to the next one, whichever connection it comes by."""

import asyncio
import itertools
import threading


class RoundRobin:
    """Listens on a port of its own, in a thread. Passes on requests and answers that give their Content-Length."""

    def __init__(self, ports):
        self._ports = itertools.cycle(ports)
        self.counts = dict.fromkeys(ports, 0)  # of requests
        self._loop = asyncio.new_event_loop()
        self._started = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()
        self._started.wait()

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self._port}"

    def _run(self):
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._listen())
        self._loop.run_forever()

    async def _listen(self):
        listener = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=1000)
        self._port = listener.sockets[0].getsockname()[1]
        self._started.set()

    async def _serve(self, reader, writer):
        """One client: its requests come one after the other."""
        servers = {}
        try:
            while True:
                request = await _read_message(reader)
                port = next(self._ports)
                self.counts[port] += 1
                answer = await _ask(servers, port, request)
                writer.write(answer)
                await writer.drain()
                if b"\r\nconnection: close" in answer.partition(b"\r\n\r\n")[0].lower():
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        finally:
            for _, server in servers.values():
                server.close()
            writer.close()


async def _ask(servers, port, request):
    if port not in servers:
        servers[port] = await asyncio.open_connection("127.0.0.1", port)
    reader, writer = servers[port]
    writer.write(request)
    await writer.drain()
    answer = await _read_message(reader)
    if b"\r\nconnection: close" in answer.partition(b"\r\n\r\n")[0].lower():
        servers.pop(port)[1].close()
    return answer


async def _read_message(reader):
    head = await reader.readuntil(b"\r\n\r\n")
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return head + await reader.readexactly(int(value))
    return head
