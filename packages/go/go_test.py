"""go_test.py <magneto>: Go's modules, from a proxy that is a folder. The page's tests also need the AWS SDK."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from door_case import BINARY, DOCS, DoorCase, StartCase  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
PROBE = """package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"

	"example.com/magneto"
)

func main() {
	options := magneto.Options{Binary: os.Getenv("PROBE_BINARY")}
	for at := 1; at < len(os.Args); at++ {
		if os.Args[at] == "--port" {
			at++
			options.Port, _ = strconv.Atoi(os.Args[at])
		} else {
			options.Flags = append(options.Flags, os.Args[at])
		}
	}
	server, err := magneto.Run(options)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%T: %v\\n", err, err)
		os.Exit(3)
	}
	fmt.Println(server.Endpoint)
	bufio.NewReader(os.Stdin).ReadString('\\n')
	server.Stop()
	server.Stop()
}
"""


def go_setting(name):
    return subprocess.run(["go", "env", name], check=True, capture_output=True, text=True).stdout.strip()


class GoTest(StartCase, DoorCase):
    door = "go"
    page = "go.md"
    error = "*magneto.StartError: "

    @classmethod
    def install(cls):
        # Modules of others come from this machine's cache, where they are; the cache of this test ends with it.
        cls.offline = f"file://{cls.packed}/go,file://{go_setting('GOMODCACHE')}/cache/download"
        cls.environment |= {"GOPROXY": cls.offline, "GOMODCACHE": str(cls.folder / "modules"), "GOCACHE": go_setting("GOCACHE"),
                            "GOFLAGS": "-mod=mod -modcacherw", "GONOSUMDB": "*", "GOTOOLCHAIN": "local", "GOPATH": str(cls.folder / "go")}
        cls.project = cls.module("probe", {"main.go": PROBE})
        subprocess.run(["go", "build", "-o", cls.folder / "probe.exe", "."], cwd=cls.project, env=cls.environment, check=True)

    @classmethod
    def module(cls, name, files):
        project = cls.folder / name
        project.mkdir()
        for file, text in files.items():
            (project / file).write_text(text, encoding="utf-8")
        for command in (["go", "mod", "init", name], ["go", "get", "example.com/magneto@v0.1.0"]):
            subprocess.run(command, cwd=project, env=cls.environment, check=True, capture_output=True)
        return project

    def probe(self):
        return [str(self.folder / "probe.exe")]

    def run_page(self, text=None, before=(), **environment):
        return super().run_page(text, before, GOPROXY=f"{self.offline},{go_setting('GOPROXY')}", **environment)

    def test_the_page(self):
        self.assertRegex(self.run_page(), r"ok\s+orders")

    def test_the_page_fails_where_it_should(self):
        text = (DOCS / self.page).read_text(encoding="utf-8")
        for wrong, instead in (("25 * time.Hour", "1 * time.Hour"), ('"count": 2', '"count": 1')):
            self.assertIn(wrong, text)
            with self.assertRaisesRegex(AssertionError, "--- FAIL"):
                self.run_page(text.replace(wrong, instead))

    def test_kits(self):
        section = re.search(r"^### Go\n(.*?)^##", (DOCS / "kits.md").read_text(encoding="utf-8"), re.M | re.S).group(1)
        self.assertRegex(self.run_page(section), r"ok\s+tables")

    def test_every_member(self):
        project = self.module("members", {})
        shutil.copy(HERE / "members_test.go", project)
        self.run_command(["go", "vet", "./..."], cwd=project)
        self.assertRegex(self.run_command(["go", "test", "./..."], cwd=project), r"ok\s+members")

    def test_the_server_is_unpacked_once(self):
        (program,) = (self.folder / "cache" / "magneto").glob("*/magneto")
        self.assertEqual(program.read_bytes(), pathlib.Path(BINARY).read_bytes())
        self.assertEqual(os.listdir(program.parent), ["magneto"])
        program.write_bytes(b"cut")  # by a full disk, say
        self.test_a_probe_that_ends_stops_its_server()
        self.assertEqual(program.read_bytes(), pathlib.Path(BINARY).read_bytes())

    def test_a_cache_that_cannot_be_written(self):
        for variables, sentence in (({"XDG_CACHE_HOME": "/dev/null"}, "cannot be unpacked"), ({"XDG_CACHE_HOME": "", "HOME": ""}, "set XDG_CACHE_HOME")):
            done = subprocess.run(self.probe(), env=self.environment | variables, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 3)
            self.assertIn(sentence, done.stderr)

    def test_another_platform(self):
        """The module builds everywhere, and says there that it has no server."""
        for system, processor in (("darwin", "arm64"), ("windows", "amd64"), ("linux", "riscv64")):
            self.run_command(["go", "build", "-o", os.devnull, "."], cwd=self.project, GOOS=system, GOARCH=processor, CGO_ENABLED="0")
        done = subprocess.run(["go", "vet", "."], cwd=self.project, env=self.environment, check=False)
        self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
