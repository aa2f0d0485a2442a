"""Answers clients of Docker's API, such as Testcontainers, on a machine that has no engine of Docker: container_stand_in.py
says what its containers are, and what tests with them show.
"""

import http.server
import json
import pathlib
import re
import signal
import struct
import threading
import urllib.parse

from container_stand_in import IMAGE, Container, Refused, image_settings

API_VERSION = "1.44"


class Engine:
    """Docker's API over HTTP, as far as Testcontainers uses it. `unknown` has the requests that have no answer here."""

    def __init__(self, server, folder):
        self.server, self.folder = server, pathlib.Path(folder)
        self.containers = {}
        self.created = []  # bodies of creations
        self.unknown = []
        self._http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._http.engine = self
        self.port = self._http.server_address[1]
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    def close(self):
        self._http.shutdown()
        self._http.server_close()
        for container in self.containers.values():
            container.end()

    def create(self, asked):
        self.created.append(asked)
        ports = {int(port.partition("/")[0]): ("127.0.0.1", int(bound[0].get("HostPort") or 0))
                 for port, bound in (asked.get("HostConfig", {}).get("PortBindings") or {}).items()}
        variables = dict(setting.split("=", 1) for setting in asked.get("Env") or [])
        container = Container(self.server, self.folder, asked.get("Cmd") or [], variables=variables, ports=ports)
        self.containers[container.identifier] = container
        return container


def _image(tag):
    port, variables = image_settings()
    return {"Id": "sha256:" + "0" * 64, "RepoTags": [tag], "Created": "2026-01-01T00:00:00Z", "Os": "linux", "Architecture": "amd64",
            "Config": {"Env": [f"{name}={value}" for name, value in variables.items()], "ExposedPorts": {f"{port}/tcp": {}}}}


def _description(container, name):
    bindings = {f"{inside}/tcp": [{"HostIp": address, "HostPort": str(here)}] for inside, (address, here) in container.ports.items()}
    finished = "0001-01-01T00:00:00Z" if container.is_running() else "2026-01-01T00:00:01Z"
    return {"Id": container.identifier, "Name": f"/{name}", "Created": "2026-01-01T00:00:00Z", "Image": "sha256:" + "0" * 64,
            "State": {"Status": "running" if container.is_running() else "exited", "Running": container.is_running(), "Paused": False,
                      "Restarting": False, "Dead": False, "OOMKilled": False, "ExitCode": container.exit_code(),
                      "StartedAt": "2026-01-01T00:00:00Z", "FinishedAt": finished, "Error": ""},
            "Config": {"Image": IMAGE, "ExposedPorts": {port: {} for port in bindings}}, "HostConfig": {"PortBindings": bindings},
            "NetworkSettings": {"Ports": bindings, "Networks": {}}, "Mounts": []}


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format, *args):  # pylint: disable=redefined-builtin  # the base class names it so
        """Says nothing: the test's output is its own."""

    def _answer(self, status, value=None, kind="application/json"):
        body = b"" if value is None else value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Api-Version", API_VERSION)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _dispatch(self):
        engine = self.server.engine
        address = urllib.parse.urlsplit(self.path)
        path = re.sub(r"^/v\d+\.\d+", "", address.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        for method, pattern, answer in _ROUTES:
            found = re.fullmatch(pattern, path)
            if method == self.command and found:
                try:
                    return self._answer(*answer(engine, urllib.parse.parse_qs(address.query), body, *map(urllib.parse.unquote, found.groups())))
                except Refused as refused:
                    return self._answer(400, {"message": str(refused)})
                except KeyError:
                    return self._answer(404, {"message": f"No such container or image: {path}"})
        engine.unknown.append(f"{self.command} {path}")
        return self._answer(501, {"message": f"the stand-in does not know {self.command} {path}"})

    do_GET = do_POST = do_DELETE = do_HEAD = _dispatch


def _inspect_image(_engine, _query, _body, name):
    if name not in (IMAGE, f"{IMAGE}:latest"):
        raise KeyError(name)
    return 200, _image(f"{IMAGE}:latest")


def _list(engine, _query, _body):
    return 200, [{"Id": identifier, "Names": [f"/{identifier[:12]}"], "Image": IMAGE, "State": "running" if container.is_running() else "exited"}
                 for identifier, container in engine.containers.items()]


def _create(engine, _query, body):
    return 201, {"Id": engine.create(json.loads(body)).identifier, "Warnings": []}


def _start(engine, _query, _body, name):
    engine.containers[name].start_in_background()
    return (204,)


def _inspect(engine, _query, _body, name):
    return 200, _description(engine.containers[name], name[:12])


def _logs(engine, query, _body, name):
    """Of the log so far, as one frame of standard output."""
    container = engine.containers[name]
    if query.get("follow", ["false"])[0] not in ("0", "false"):
        container.wait()
    log = container.log.read_bytes()
    return 200, struct.pack(">BxxxI", 1, len(log)) + log, "application/vnd.docker.raw-stream"


def _end(engine, query, _body, name):
    number = query.get("signal", ["SIGKILL"])[0]
    engine.containers[name].end(getattr(signal, number))
    return (204,)


def _remove(engine, _query, _body, name):
    engine.containers.pop(name).end()
    return (204,)


_VERSION = {"Version": "27.0.0", "ApiVersion": API_VERSION, "MinAPIVersion": "1.24", "Os": "linux", "Arch": "amd64"}
_INFO = {"ServerVersion": "27.0.0", "OperatingSystem": "stand-in", "OSType": "linux", "MemTotal": 1 << 33, "NCPU": 2, "Driver": "none"}
_ROUTES = (
    ("GET", "/_ping", lambda *_: (200, b"OK", "text/plain")),
    ("HEAD", "/_ping", lambda *_: (200, None, "text/plain")),
    ("GET", "/version", lambda *_: (200, _VERSION)),
    ("GET", "/info", lambda *_: (200, _INFO)),
    ("GET", "/images/json", lambda *_: (200, [_image(f"{IMAGE}:latest") | {"Created": 0}])),
    ("GET", "/images/(.+)/json", _inspect_image),
    ("GET", "/containers/json", _list),
    ("POST", "/containers/create", _create),
    ("POST", "/containers/([^/]+)/start", _start),
    ("GET", "/containers/([^/]+)/json", _inspect),
    ("GET", "/containers/([^/]+)/logs", _logs),
    ("POST", "/containers/([^/]+)/kill", _end),
    ("DELETE", "/containers/([^/]+)", _remove),
    ("POST", "/(?:networks|volumes|images)/prune", lambda *_: (200, {})),
)
