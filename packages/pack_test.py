"""pack_test.py <magneto> [<magneto_portable>]: the packer refuses wrong arguments, and writes an owner's names into the packages."""

import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

from door_case import ARCHITECTURE, BINARY, PACKAGES

NAMES = {"npm": "of-owner", "npm_platforms": "@owner", "pypi": "Of.Owner", "maven_group": "org.owner", "go_module": "git.example/Owner/db",
         "releases": "https://releases.example", "image": "owner/magneto", "licence": "MIT"}
PORTABLE = sys.argv.pop(1) if sys.argv[1:] and not sys.argv[1].startswith("-") else None


class PackTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="magneto-pack-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def pack(self, *more, binary=BINARY, architecture=ARCHITECTURE, version="1.2.3"):
        return subprocess.run([PACKAGES / "pack", binary, architecture, version, self.folder / "out", *more], capture_output=True, text=True,
                              check=False)

    def expect_refusal(self, sentence, *more, **wrong):
        done = self.pack(*more, **wrong)
        self.assertEqual((done.returncode, done.stderr), (1, f"packages/pack: {sentence}\n"))
        self.assertFalse((self.folder / "out").exists())

    def test_wrong_arguments(self):
        other = "arm64" if ARCHITECTURE == "amd64" else "amd64"
        text = self.folder / "text"
        text.write_text("no program", encoding="utf-8")
        self.expect_refusal("there is no package for riscv64: name amd64 or arm64", architecture="riscv64")
        self.expect_refusal(f"{BINARY} is no program for {other}, but for {ARCHITECTURE}", architecture=other)
        self.expect_refusal(f"{text} is no program for {ARCHITECTURE}", binary=text)
        self.expect_refusal("the version must have three numbers, such as 0.1.0, not '1.2'", version="1.2")
        names = self.folder / "names.json"
        names.write_text("{}", encoding="utf-8")
        self.expect_refusal(f"{names} must have the members of packages/names.json: {', '.join(NAMES)}", "--names", names)

    def test_without_libraries_java_is_left_out(self):
        done = self.pack()
        self.assertEqual((done.returncode, done.stderr),
                         (0, "packages/pack: Left out: java, which needs javac, and --java-libraries to compile against\n"))
        self.assertEqual(sorted(path.name for path in (self.folder / "out").iterdir()), ["action", "go", "npm", "pypi"])

    def test_names_and_licences(self):
        names = self.folder / "names.json"
        names.write_text(json.dumps(NAMES), encoding="utf-8")
        licences = self.folder / "licences"
        licences.mkdir()
        (licences / "libssl-dev").write_text("terms", encoding="utf-8")
        done = self.pack("--names", names, "--licences", licences)
        self.assertEqual(done.returncode, 0, done.stderr)
        out = self.folder / "out"
        node = {"amd64": "x64", "arm64": "arm64"}[ARCHITECTURE]
        with tarfile.open(out / "npm" / "of-owner-1.2.3.tgz") as archive:
            about = json.load(archive.extractfile("package/package.json"))
        self.assertEqual((about["name"], about["version"], about["license"]), ("of-owner", "1.2.3", "MIT"))
        self.assertEqual(about["optionalDependencies"], {"@owner/linux-x64": "1.2.3", "@owner/linux-arm64": "1.2.3"})
        with tarfile.open(out / "npm" / f"owner-linux-{node}-1.2.3.tgz") as archive:
            self.assertEqual(archive.extractfile("package/licences/libssl-dev").read(), b"terms")
        (wheel,) = (out / "pypi").iterdir()
        self.assertTrue(wheel.name.startswith("of_owner-1.2.3-py3-none-manylinux_2_"), wheel.name)
        module = out / "go" / "git.example" / "!owner" / "db" / "@v" / "v1.2.3.zip"
        with zipfile.ZipFile(io.BytesIO(module.read_bytes())) as archive:
            source = archive.read(f"git.example/Owner/db@v1.2.3/program_linux_{ARCHITECTURE}.go").decode()
        self.assertIn(f'"git.example/Owner/db/linux_{ARCHITECTURE}"', source)
        action = (out / "action" / "action.yml").read_text(encoding="utf-8")
        self.assertIn("default: https://releases.example\n", action)
        self.assertIn("default: 1.2.3\n", action)

    def test_the_systems_that_a_package_names(self):
        node, machine = {"amd64": ("x64", "x86_64"), "arm64": ("arm64", "aarch64")}[ARCHITECTURE]
        wheels = [(BINARY, rf"manylinux_2_\d\d_{machine}", ["glibc"])]
        if PORTABLE:
            wheels.append((PORTABLE, rf"manylinux_2_17_{machine}\.musllinux_1_1_{machine}", None))
        for binary, tag, libc in wheels:
            with self.subTest(binary):
                shutil.rmtree(self.folder / "out", ignore_errors=True)
                self.assertEqual(self.pack(binary=binary).returncode, 0)
                (wheel,) = (self.folder / "out" / "pypi").iterdir()
                self.assertRegex(wheel.name, rf"^magneto-1\.2\.3-py3-none-{tag}\.whl$")
                with zipfile.ZipFile(wheel) as archive:
                    tags = re.findall(r"^Tag: py3-none-(.*)$", archive.read("magneto-1.2.3.dist-info/WHEEL").decode(), re.M)
                self.assertRegex(".".join(tags), rf"^{tag}$")
                with tarfile.open(self.folder / "out" / "npm" / f"magneto-linux-{node}-1.2.3.tgz") as archive:
                    self.assertEqual(json.load(archive.extractfile("package/package.json")).get("libc"), libc)


if __name__ == "__main__":
    unittest.main(verbosity=2)
