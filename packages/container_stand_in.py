#!/usr/bin/env python3
"""Runs lines of `docker run` on a machine that has no engine of Docker.

A container is a process of this machine: docker/entrypoint, with the arguments and the environment that a line or a client
gives it. The process has this machine's files, users and network. So tests with it show what a line or a client asks an
engine for, and that the entry point serves it. They do not test the image: conformance/image_test.py runs the image where
an engine works.

- The server listens on the published port, since it has no network of its own.
- A volume is a folder under that of the stand-in. Its place in the container is replaced in arguments and variables.

As a program named `docker` it runs one line. STAND_IN_SERVER is the server's program, STAND_IN_FOLDER the folder for volumes.
"""

import argparse
import os
import pathlib
import re
import secrets
import signal
import subprocess
import sys

SOURCES = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCES / "conformance"))
from held_port import HeldPort  # noqa: E402

DOCKER = SOURCES / "docker"
IMAGE = "magneto"


class Refused(Exception):
    """An engine of Docker would refuse it too, or the stand-in cannot do it; the text says which."""


def image_settings():
    """The port that docker/Dockerfile exposes, and its variables."""
    text = (DOCKER / "Dockerfile").read_text(encoding="utf-8")
    (port,) = re.findall(r"^EXPOSE (\d+)$", text, re.M)
    return int(port), dict(re.findall(r"^ENV (\w+)=(.*)$", text, re.M))


class Container:
    """One container. `ports` is {port inside: (address, port here)}, `volumes` {place inside: folder here}."""

    def __init__(self, server, folder, arguments, *, variables=None, ports=None, volumes=None):
        self.identifier = secrets.token_hex(32)
        self._folder = pathlib.Path(folder) / self.identifier
        self._folder.mkdir(parents=True)
        self._server = server
        self._arguments = list(arguments)
        self._variables = dict(variables or {})
        self._volumes = dict(volumes or {})
        self.ports = {}
        self._held = []
        self._process = None
        self.log = self._folder / "log"
        inside = self._served_port()
        for port, (address, here) in (ports or {}).items():
            if port != inside:
                raise Refused(f"port {port} is published, and the server listens on {inside}")
            self.ports[port] = (address or "0.0.0.0", here or self._hold_port())

    def _hold_port(self):
        self._held.append(HeldPort())
        return self._held[-1].number

    def _served_port(self):
        words = " ".join(self._arguments)
        named = re.search(r"(?:^| )--?port[ =](\d+)", words)
        return int(named.group(1)) if named else image_settings()[0]

    def _replaced(self, text):
        """With the folder of a volume in the place of where it lies inside."""
        for place, folder in self._volumes.items():
            text = re.sub(rf"(?<![\w/]){re.escape(place)}(?=/|$)", str(folder), text)
        return text

    def _prepared(self):
        """The command and the variables of the process."""
        programs = self._folder / "bin"
        programs.mkdir()
        for name in ("magneto", "java"):
            (programs / name).symlink_to(self._server)
        arguments = [self._replaced(word) for word in self._arguments]
        variables = {name: self._replaced(value) for name, value in (image_settings()[1] | self._variables).items()}
        for inside, (address, here) in self.ports.items():
            variables |= {"MAGNETO_PORT": str(here), "MAGNETO_HOST": address}
            arguments = re.sub(rf"(^|\0)(--?port[\0=]){inside}(?=\0|$)", rf"\g<1>\g<2>{here}", "\0".join(arguments)).split("\0")
        kept = {name: value for name, value in os.environ.items() if name.startswith(("LC_", "TMPDIR", "ASAN_", "UBSAN_"))}
        return ([str(DOCKER / "entrypoint"), *filter(None, arguments)],
                kept | variables | {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(self._folder)})

    def start(self, **streams):
        command, variables = self._prepared()
        self._process = subprocess.Popen(command, env=variables, cwd=self._folder, stdin=subprocess.DEVNULL, **streams)

    def start_in_background(self):
        with open(self.log, "wb") as log:
            self.start(stdout=log, stderr=subprocess.STDOUT)

    def is_running(self):
        return self._process is not None and self._process.poll() is None

    def exit_code(self):
        code = self._process.poll() if self._process else None
        return 0 if code is None else 128 - code if code < 0 else code

    def wait(self):
        self._process.wait()
        return self.exit_code()

    def send(self, number):
        if self._process is not None:
            self._process.send_signal(number)

    def end(self, number=signal.SIGKILL):
        """Sends the signal, and waits for the end."""
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait()
        while self._held:
            self._held.pop().close()


def _published(text):
    """(port inside, (address, port here)) of a -p: [[address:]port:]port."""
    *address, here, inside = text.rsplit(":", 2) if text.count(":") > 1 else ["", *text.split(":")]
    if not (here.isdigit() and inside.isdigit()):
        raise Refused(f"-p {text} is no port of this machine and one of the container")
    return int(inside), (address[0], int(here))


def _mounted(text, folder):
    """(place inside, folder here) of a -v: a named volume, or a folder of this machine."""
    source, _, place = text.partition(":")
    place = place.partition(":")[0]
    if not place.startswith("/"):
        raise Refused(f"-v {text} names no place in the container")
    here = pathlib.Path(source) if source.startswith("/") else folder / "volumes" / source
    here.mkdir(parents=True, exist_ok=True)
    return place, here


def run_line(words, server, folder):
    """The exit code of `docker run ...`."""
    parser = argparse.ArgumentParser(prog="docker", allow_abbrev=False)
    run = parser.add_subparsers(dest="command", required=True).add_parser("run", allow_abbrev=False)
    run.add_argument("--rm", action="store_true")
    run.add_argument("--name")
    run.add_argument("-p", "--publish", action="append", default=[])
    run.add_argument("-v", "--volume", action="append", default=[])
    run.add_argument("-e", "--env", action="append", default=[])
    run.add_argument("image")
    run.add_argument("arguments", nargs=argparse.REMAINDER)
    line = parser.parse_args(words)
    if line.image != IMAGE:
        raise Refused(f"there is no image {line.image}, only {IMAGE}")
    container = Container(server, folder, line.arguments, variables=dict(setting.split("=", 1) for setting in line.env),
                          ports=dict(map(_published, line.publish)), volumes=dict(_mounted(text, folder) for text in line.volume))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: container.send(number))
    container.start()
    return container.wait()


def main():
    try:
        return run_line(sys.argv[1:], os.environ["STAND_IN_SERVER"], pathlib.Path(os.environ["STAND_IN_FOLDER"]))
    except Refused as refused:
        print(f"docker: {refused}", file=sys.stderr)
        return 125


if __name__ == "__main__":
    sys.exit(main())
