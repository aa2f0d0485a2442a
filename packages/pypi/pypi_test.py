"""pypi_test.py <magneto>: the wheel, installed into an environment of its own by pip, without the network."""

import base64
import csv
import hashlib
import io
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from door_case import BINARY, DOCS, DoorCase, StartCase  # noqa: E402

PROBE = """
import os, sys
import magneto
flags = sys.argv[1:]
port = int(flags.pop(flags.index("--port") + 1)) if "--port" in flags else 0
try:
    with magneto.start(*[flag for flag in flags if flag != "--port"], port=port, binary=os.environ.get("PROBE_BINARY")) as server:
        print(server.endpoint, flush=True)
        sys.stdin.readline()
except magneto.StartError as error:
    print("StartError:", error, file=sys.stderr)
    sys.exit(3)
"""


class PypiTest(StartCase, DoorCase):
    door = "pypi"
    page = "python.md"
    error = "StartError: "

    @classmethod
    def install(cls):
        (cls.wheel,) = (cls.packed / "pypi").iterdir()
        venv = cls.folder / "venv"
        subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", venv], check=True)
        cls.environment |= {"PATH": f"{venv}/bin:{cls.environment['PATH']}", "PIP_NO_INDEX": "1", "PIP_NO_CACHE_DIR": "1",
                            "PIP_FIND_LINKS": str(cls.wheel.parent), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        cls.python = str(venv / "bin" / "python")
        subprocess.run([cls.python, "-m", "pip", "install", "-q", "magneto"], check=True, env=cls.environment)

    def probe(self):
        return [self.python, "-c", PROBE]

    def test_the_page(self):
        output = self.run_page()
        self.assertIn("magneto 0.1.0", output)
        self.assertRegex(output, r"\b2 passed")
        self.assertRegex(output, r"0 in the fork, http://localhost:\d+ has the order still")

    def test_the_page_fails_where_it_should(self):
        text = (DOCS / self.page).read_text(encoding="utf-8")
        for wrong, instead in (('"25h"', '"1h"'), ('"count": 2', '"count": 1')):
            self.assertIn(wrong, text)
            with self.assertRaisesRegex(AssertionError, "1 failed, 1 passed"):
                self.run_page(text.replace(wrong, instead))

    def test_kits(self):
        section = re.search(r"^### Python\n(.*?)^##", (DOCS / "kits.md").read_text(encoding="utf-8"), re.M | re.S).group(1)
        self.assertRegex(self.run_page(section), r"\b1 passed")

    def test_fixtures_use_a_running_server(self):
        server = subprocess.Popen([BINARY, "--port", "0", "--control-token", "kit", "--end-with-stdin"], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.communicate)
        endpoint = re.search(r"http[^,]+", server.stdout.readline()).group()
        test = self.folder / "test_running.py"
        test.write_text(f"def test_it(magneto_server, magneto_fork):\n    assert magneto_server.endpoint == '{endpoint}'\n"
                        "    assert magneto_server.pid is None\n    assert magneto_fork.control('GET')['tables'] == 0\n", encoding="utf-8")
        command = [self.python, "-m", "pytest", test]
        self.assertIn("1 passed", self.run_command(command, MAGNETO_ENDPOINT=endpoint, MAGNETO_CONTROL_TOKEN="kit"))
        with self.assertRaisesRegex(AssertionError, "but not MAGNETO_CONTROL_TOKEN"):
            self.run_command(command, MAGNETO_ENDPOINT=endpoint)

    def test_every_member(self):
        walk = shutil.copy(pathlib.Path(__file__).parent / "members_walk.py", self.folder)  # away from the sources
        self.run_command([self.python, "-W", "error", walk], AWS_MAX_ATTEMPTS="1")

    def test_the_command_is_the_server(self):
        for command in (["magneto"], [self.python, "-m", "magneto"]):
            refused = subprocess.run([*command, "--prt", "1"], env=self.environment, capture_output=True, text=True, check=False)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("did you mean --port?", refused.stderr)
            server = subprocess.Popen([*command, "--port", "0"], env=self.environment, stdout=subprocess.PIPE, text=True)
            self.assertIn("listening on", server.stdout.readline())
            server.terminate()
            server.communicate()
            self.assertEqual(server.returncode, 0)

    def test_an_installation_without_a_server(self):
        program = next((self.folder / "venv").glob("lib/*/site-packages/magneto/bin/magneto"))
        away = program.with_name("away")
        program.rename(away)
        try:
            self.expect_refusal("this installation has no server for Linux")
        finally:
            away.rename(program)

    def test_its_record(self):
        with zipfile.ZipFile(self.wheel) as archive:
            (record,) = [name for name in archive.namelist() if name.endswith(".dist-info/RECORD")]
            rows = list(csv.reader(io.StringIO(archive.read(record).decode())))
            self.assertEqual(sorted(name for name, *_ in rows), sorted(archive.namelist()))
            for name, digest, size in rows:
                if name != record:
                    data = archive.read(name)
                    found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                    self.assertEqual((digest, int(size)), (f"sha256={found}", len(data)))
            self.assertEqual(archive.getinfo("magneto/bin/magneto").external_attr >> 16, 0o100755)


if __name__ == "__main__":
    unittest.main(verbosity=2)
