"""java_test.py <magneto> <folder with the jars of JUnit, Testcontainers and the AWS SDK>: Java's jars, on a class path and by Maven."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from engine_stand_in import Engine  # noqa: E402
from door_case import ARCHITECTURE, BINARY, DOCS, PACKAGES, VERSION, DoorCase, StartCase, files_of  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
LIBRARIES = pathlib.Path(sys.argv.pop(1)).resolve()
REPOSITORY = "<{kind}><id>{id}</id><url>{url}</url></{kind}>"


class JavaTest(StartCase, DoorCase):
    door = "java"
    page = "java.md"
    error = "magneto.StartException: "
    pack_arguments = ("--java-libraries", str(LIBRARIES))

    @classmethod
    def install(cls):
        jars = sorted(cls.packed.rglob("*.jar"))
        cls.classes = cls.folder / "classes"
        cls.class_path = ":".join([str(cls.classes), *map(str, jars)])
        cls.environment |= {"PROBE_OWN": BINARY}
        cls.compile(HERE / "test" / "Probe.java")

    @classmethod
    def compile(cls, *sources):
        subprocess.run(["javac", "-d", cls.classes, "-cp", f"{cls.class_path}:{LIBRARIES}/*", *sources], check=True)

    def probe(self):
        return ["java", "-cp", self.class_path, "Probe"]

    def run_page(self, text=None, before=(), **environment):
        text = text or (DOCS / self.page).read_text(encoding="utf-8")
        if "orders.json" in text:
            orders = files_of((DOCS / "python.md").read_text(encoding="utf-8"))["orders.json"]
            text += f"\n`orders.json`\n\n```json\n{orders}```\n"
        return super().run_page(text, before, MAVEN_OPTS=f"-Duser.home={self.maven_home()}", **environment)

    def maven_home(self):
        """A local repository of its own. What this machine has already need not be fetched again."""
        home = self.folder / "maven"
        if not home.exists():
            (home / ".m2").mkdir(parents=True)
            self.pack(self.folder / "repository")
            self.pack_the_other_architecture(self.folder / "repository")
            urls = {"packed": f"file://{self.folder}/repository/maven", "cache": f"file://{os.path.expanduser('~')}/.m2/repository"}
            lists = ["".join(REPOSITORY.format(kind=kind, id=name, url=url) for name, url in urls.items())
                     for kind in ("repository", "pluginRepository")]
            (home / ".m2" / "settings.xml").write_text(
                f"<settings><profiles><profile><id>here</id><repositories>{lists[0]}</repositories><pluginRepositories>{lists[1]}"
                "</pluginRepositories></profile></profiles><activeProfiles><activeProfile>here</activeProfile></activeProfiles></settings>",
                encoding="utf-8")
        return home

    def pack_the_other_architecture(self, folder):
        """The page's project depends on both. The server is the same but for the machine in its header."""
        other, machine = {"amd64": ("arm64", 183), "arm64": ("amd64", 62)}[ARCHITECTURE]
        data = bytearray(pathlib.Path(BINARY).read_bytes())
        data[18:20] = machine.to_bytes(2, "little")
        program = self.folder / "other"
        program.write_bytes(data)
        subprocess.run([PACKAGES / "pack", program, other, VERSION, folder, "--only", self.door, *self.pack_arguments], check=True)

    def test_the_page(self):
        self.run_page()

    def test_the_page_fails_where_it_should(self):
        text = (DOCS / self.page).read_text(encoding="utf-8")
        for wrong, instead in (("ofHours(25)", "ofHours(1)"), ('"count", 2', '"count", 1')):
            self.assertIn(wrong, text)
            with self.assertRaisesRegex(AssertionError, "Tests run: 2, Failures: 1, Errors: 0"):
                self.run_page(text.replace(wrong, instead))

    def test_kits(self):
        section = re.search(r"^### Java\n(.*?)^##", (DOCS / "kits.md").read_text(encoding="utf-8"), re.M | re.S).group(1)
        pom = files_of((DOCS / self.page).read_text(encoding="utf-8"))["pom.xml"]
        self.run_page(f"{section}\n`pom.xml`\n\n```xml\n{pom}```\n")

    def test_every_member(self):
        self.compile(HERE / "test" / "MembersTest.java")
        output = self.run_command(["java", "-cp", f"{self.class_path}:{LIBRARIES}/*", "org.junit.platform.console.ConsoleLauncher", "execute",
                                   "--select-class", "MembersTest", "--config", "magneto.flags=--no-ui --log-level warning"])
        self.assertIn("3 tests successful", output)

    def test_the_container_of_testcontainers(self):
        """Its engine is the stand-in. Ryuk, a container that ends those of a test that was killed, is another image."""
        engine = Engine(BINARY, self.folder / "containers")
        self.addCleanup(engine.close)
        self.compile(HERE / "test" / "MembersTest.java", HERE / "test" / "ContainerTest.java")
        output = self.run_command(["java", f"-Duser.home={self.folder}", "-cp", f"{self.class_path}:{LIBRARIES}/*",
                                   "org.junit.platform.console.ConsoleLauncher", "execute", "--select-class", "ContainerTest"],
                                  DOCKER_HOST=f"tcp://127.0.0.1:{engine.port}", TESTCONTAINERS_RYUK_DISABLED="true",
                                  TESTCONTAINERS_CHECKS_DISABLE="true")
        self.assertIn("3 tests successful", output)
        self.assertEqual(engine.unknown, [])
        self.assertEqual((len(engine.created), engine.containers), (3, {}))

    def test_without_the_jar_of_a_platform(self):
        alone = ":".join(word for word in self.class_path.split(":") if "magneto-linux" not in word)
        done = subprocess.run(["java", "-cp", alone, "Probe"], env=self.environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("add magneto-linux-amd64 or magneto-linux-arm64", done.stderr)

    def test_another_system(self):
        done = subprocess.run(["java", "-Dos.name=SunOS", "-cp", self.class_path, "Probe"], env=self.environment, capture_output=True,
                              text=True, check=False)
        self.assertIn("there is no server for SunOS on ", done.stderr)

    def test_the_server_is_unpacked_once(self):
        self.test_a_probe_that_ends_stops_its_server()
        (program,) = (self.folder / "cache" / "magneto").glob("*/magneto")
        self.assertEqual(program.read_bytes(), pathlib.Path(BINARY).read_bytes())
        self.assertEqual(os.listdir(program.parent), ["magneto"])
        shutil.rmtree(program.parent)
        done = subprocess.run(self.probe(), env=self.environment | {"XDG_CACHE_HOME": "/dev/null"}, capture_output=True, text=True, check=False)
        self.assertIn("the server's program cannot be unpacked", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
