"""A server that ends with this process, in whatever way the process ends: its standard input is a pipe of ours."""

import re
import secrets
import signal
import subprocess
import sys
import threading
from os import PathLike
from typing import Any, Optional, Union

from magneto.control import Namespace
from magneto.program import StartError, find_program, why_it_cannot_run

READY = re.compile(r"^magneto \S+ listening on (\S+?),")
STOP_SECONDS = 30


class Server(Namespace):
    """A server, and its namespace `main`. `with` stops it at the end, if start() started it."""

    def __init__(self, endpoint: str, token: str, process: Optional[subprocess.Popen] = None):
        super().__init__(endpoint, token, "main")
        self._process = process

    @property
    def port(self) -> int:
        return int(self.endpoint.rpartition(":")[2])

    @property
    def pid(self) -> Optional[int]:
        return self._process.pid if self._process else None

    def stop(self) -> None:
        """Idempotent. A server of connect() goes on."""
        if self._process:
            end(self._process)

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()


def end(process: subprocess.Popen) -> None:
    process.stdin.close()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def discard(stream: Any) -> None:
    with stream:
        for _ in stream:
            pass


def write_error(text: str) -> None:
    if sys.stderr is not None and not sys.stderr.closed:  # a test runner may have replaced it
        sys.stderr.write(text)


class Errors:
    """Passes the lines of the server's stderr on to ours. Those before release() are kept, since a failing start reports them."""

    def __init__(self, stream: Any):
        self._stream = stream
        self._lock = threading.Lock()  # guards the member below
        self._kept: Optional[list] = []
        self._thread = threading.Thread(target=self._follow, daemon=True, name="magneto stderr")
        self._thread.start()

    def _follow(self) -> None:
        with self._stream:
            for line in self._stream:
                with self._lock:
                    if self._kept is None:
                        write_error(line)
                    else:
                        self._kept.append(line)

    def release(self) -> None:
        with self._lock:
            write_error("".join(self._kept or []))
            self._kept = None

    def text(self) -> str:
        """After the end of the process, if nothing was released."""
        self._thread.join()
        return "".join(self._kept or []).strip()


def why_it_ended(status: int, errors: Errors) -> str:
    ending = f"was ended by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
    return errors.text() or f"the server {ending} before it listened, and did not say why"


def start(*flags: str, port: int = 0, cwd: Union[str, PathLike, None] = None, binary: Union[str, PathLike, None] = None) -> Server:
    """Starts a server on a free port, in memory, with these flags of its own: start("--schema", "orders.json").

    Raises StartError with the server's sentence. `binary` is another server than the one of this package.
    """
    program = str(binary) if binary else find_program()
    token = secrets.token_hex(16)
    command = [program, *map(str, flags), "--port", str(port), "--control-token", token, "--end-with-stdin"]
    try:
        # In a session of its own, so that Ctrl+C at the terminal does not end it before the tests.
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd,
                                   text=True, encoding="utf-8", errors="replace", start_new_session=True)
    except OSError as error:
        raise StartError(why_it_cannot_run(program, error)) from error
    errors = Errors(process.stderr)
    try:
        for line in process.stdout:
            if ready := READY.match(line):
                errors.release()
                threading.Thread(target=discard, args=[process.stdout], daemon=True, name="magneto stdout").start()
                return Server(ready.group(1), token, process)
        raise StartError(why_it_ended(process.wait(), errors))
    except BaseException:
        end(process)
        process.stdout.close()
        raise


def connect(endpoint: str, token: str) -> Server:
    """A server that runs already, and the token of its --control-token. stop() leaves it alone."""
    return Server(endpoint.rstrip("/"), token)
