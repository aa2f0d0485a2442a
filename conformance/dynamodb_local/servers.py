"""DynamoDB Local and Magneto in its place, started by the same command line."""

import glob
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from held_port import HeldPort

START_SECONDS = 180  # a Java process on a busy machine takes its time
STOP_SECONDS = 120

_PEER = os.path.join(os.path.dirname(__file__), "..", "..", "bench", "peers", "dynamodb-local")
# Options that users put before DynamoDB Local's own; the first word is for the image and the shell.
_JAVA_OPTIONS = ["-Djava.library.path=./DynamoDBLocal_lib", "-Xmx256m", "-jar", "DynamoDBLocal.jar"]


def missing_for_local(folder):
    """Why DynamoDB Local cannot be run; None when it can."""
    if shutil.which("java") is None:
        return "there is no java to run it with"
    if not glob.glob(os.path.join(folder, "DynamoDBLocal-*.jar")):
        return f"{os.path.normpath(folder)} has no DynamoDBLocal-*.jar (./dev bench fetches it)"
    return None


def default_local_folder():
    return os.environ.get("MAGNETO_DYNAMODB_LOCAL", _PEER)


class Product:
    """How one of the two is called."""

    def __init__(self, name, command):
        self.name = name
        self.command = command  # without DynamoDB Local's own options

    def run_to_end(self, options, folder):
        return subprocess.run([*self.command, *options], cwd=folder, env=_environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=START_SECONDS, check=False)


def magneto(binary):
    return Product("Magneto", [os.path.abspath(binary), *_JAVA_OPTIONS])


def magneto_as_java(binary, folder):
    """Through a link called java, as in an image whose entry point is java."""
    link = os.path.join(folder, "java")
    if not os.path.islink(link):
        os.symlink(os.path.abspath(binary), link)
    return Product("Magneto", [link, *_JAVA_OPTIONS])


def dynamodb_local(folder):
    folder = os.path.abspath(folder)
    return Product("DynamoDB Local", ["java", f"-Djava.library.path={folder}", "-cp", f"{folder}/*",
                                      "software.amazon.dynamodb.services.local.main.ServerRunner"])


def _environment():
    return {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "MAGNETO_"))}


class Running:
    """One process, in a folder of its own unless one is given; a context manager."""

    def __init__(self, product, options, folder=None):
        self.product = product
        self.options = options
        self._own = tempfile.mkdtemp(prefix="dynamodb-local-")
        self.folder = folder or self._own
        self._held = HeldPort()
        self.port = self._held.number
        self._output = os.path.join(self._own, "stdout")
        self._process = None

    def __enter__(self):
        with open(self._output, "wb") as output:
            self._process = subprocess.Popen([*self.product.command, *self.options, "-port", str(self.port)],
                                             cwd=self.folder, env=_environment(), stdin=subprocess.DEVNULL,
                                             stdout=output, stderr=subprocess.DEVNULL)
        try:
            self._wait_until_ready()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _wait_until_ready(self):
        deadline = time.monotonic() + START_SECONDS
        while True:
            if self._process.poll() is not None:
                raise RuntimeError(f"{self.product.name} {' '.join(self.options)} ended at once "
                                   f"with {self._process.returncode}: {self.output()}")
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
                return
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def output(self):
        with open(self._output, encoding="utf-8") as file:
            return file.read()

    def kill(self):
        self._process.kill()
        self._process.wait()

    def __exit__(self, *_):
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()
        self._held.close()
        shutil.rmtree(self._own, ignore_errors=True)
