"""npm_test.py <magneto> <node modules with the AWS SDK> [with Jest, Vitest and TypeScript too]

The tarballs of npm, installed from a registry on this machine. The third argument tests those runners instead.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from door_case import BINARY, DOCS, DoorCase, StartCase, servers_with  # noqa: E402
from local_registry import LocalRegistry  # noqa: E402

MODULES = pathlib.Path(sys.argv.pop(1)).resolve()
HAS_RUNNERS = sys.argv[1:2] == ["runners"] and bool(sys.argv.pop(1))
PROBE = """
import { once } from 'node:events';
import { start, StartError } from 'magneto';

const flags = process.argv.slice(2);
const at = flags.indexOf('--port');
const port = at < 0 ? 0 : flags.splice(at, 2)[1];
try {
  const server = await start({ flags, port, ...(process.env.PROBE_BINARY && { binary: process.env.PROBE_BINARY }) });
  console.log(server.endpoint);
  await once(process.stdin.setEncoding('utf8'), 'data');
  await server.stop();
  await server.stop();
  process.stdin.destroy();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(String(error));
  process.exitCode = 3;
}
"""


class NpmCase(DoorCase):
    door = "npm"
    page = "javascript.md"

    @classmethod
    def install(cls):
        cls.tarballs = sorted((cls.packed / "npm").iterdir())
        registry = LocalRegistry(cls.tarballs, MODULES)
        cls.addClassCleanup(registry.server_close)
        cls.addClassCleanup(registry.shutdown)
        cls.environment |= {"npm_config_registry": registry.url, "npm_config_cache": str(cls.folder / "npm"), "npm_config_audit": "false",
                            "npm_config_fund": "false", "npm_config_update_notifier": "false", "npm_config_fetch_retries": "0"}
        cls.project = cls.folder / "project"
        cls.project.mkdir()
        (cls.project / "package.json").write_text('{"type": "module"}', encoding="utf-8")
        subprocess.run(["npm", "install", "--silent", "magneto", "@aws-sdk/client-dynamodb"], cwd=cls.project, env=cls.environment, check=True)
        (cls.project / "probe.js").write_text(PROBE, encoding="utf-8")

    def probe(self):
        return ["node", str(self.project / "probe.js")]


class NpmTest(StartCase, NpmCase):
    error = "StartError: "

    def test_the_page(self):
        output = self.run_page()
        self.assertIn("magneto 0.1.0", output)
        self.assertRegex(output, r"# pass 2\b|ℹ pass 2\b")

    def test_the_page_fails_where_it_should(self):
        text = (DOCS / self.page).read_text(encoding="utf-8")
        for wrong, instead in (("'25h'", "'1h'"), ("count: 2", "count: 1")):
            self.assertIn(wrong, text)
            with self.assertRaisesRegex(AssertionError, r"fail 1\b"):
                self.run_page(text.replace(wrong, instead))

    def test_kits(self):
        section = re.search(r"^### JavaScript\n(.*?)^##", (DOCS / "kits.md").read_text(encoding="utf-8"), re.M | re.S).group(1)
        self.assertRegex(self.run_page(section), r"pass 1\b")

    def test_every_member(self):
        walk = shutil.copy(HERE / "members_walk.mjs", self.project)
        self.run_command(["node", "--throw-deprecation", walk])

    def test_the_platform_alone_is_installed(self):
        (installed,) = (self.project / "node_modules" / "@magneto").iterdir()
        self.assertIn(installed.name, ("linux-x64", "linux-arm64"))
        self.assertEqual((installed / "bin" / "magneto").read_bytes(), pathlib.Path(BINARY).read_bytes())

    def test_a_missing_platform_package(self):
        platforms = self.project / "node_modules" / "@magneto"
        away = platforms.rename(self.project / "away")
        try:
            self.expect_refusal("is missing, which has the server. npm leaves it out with --omit=optional")
            refused = subprocess.run(["npx", "magneto"], cwd=self.project, env=self.environment, capture_output=True, text=True, check=False)
            self.assertEqual(refused.returncode, 1)
            self.assertIn("--omit=optional", refused.stderr)
        finally:
            away.rename(platforms)

    def test_another_platform(self):
        walk = self.project / "other.js"
        walk.write_text("Object.defineProperty(process, 'platform', { value: 'sunos' });\nconst { start } = await import('magneto');\n"
                        "await start().catch((error) => console.log(String(error)));\n", encoding="utf-8")
        self.assertIn("StartError: there is no server for sunos on ", self.run_command(["node", walk]))

    def test_npx_passes_everything_through(self):
        command = ["node", str(self.project / "node_modules" / "magneto" / "bin.js")]
        refused = subprocess.run([*command, "--prt", "1"], env=self.environment, capture_output=True, text=True, check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("did you mean --port?", refused.stderr)
        helped = subprocess.run([*command, "help", "import"], env=self.environment, capture_output=True, text=True, check=True)
        self.assertIn("Usage: magneto import", helped.stdout)
        for ending, status in ((signal.SIGINT, 0), (signal.SIGTERM, 0), (signal.SIGKILL, -signal.SIGKILL)):
            marker = str(self.folder / f"npx-{ending}")
            server = subprocess.Popen([*command, "--port", "0", "--port-file", marker], env=self.environment, text=True,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
            self.assertIn("listening on", server.stdout.readline())
            server.send_signal(ending)
            server.communicate()
            self.assertEqual(server.returncode, status)
            self.expect_end_of(marker)

    def expect_end_of(self, marker):
        """Of a server that bin.js started, whose flag is a variable."""
        self.assertEqual(servers_with(marker), [])
        while os.path.exists(marker):  # its end removes the file; ctest ends a test that waits for ever
            pass

    def test_every_module_has_types(self):
        about = json.loads((self.project / "node_modules" / "magneto" / "package.json").read_text(encoding="utf-8"))
        for name, target in about["exports"].items():
            if name != "./package.json":
                for path in target.values():
                    self.assertTrue((self.project / "node_modules" / "magneto" / path).exists(), path)


class RunnersTest(NpmCase):
    """The presets, and the types."""

    def with_modules(self, name):
        """A project whose modules are those of the argument and the package."""
        project = self.folder / name
        (project / "node_modules").mkdir(parents=True)
        for module in [*MODULES.iterdir(), *(self.project / "node_modules" / name for name in ("magneto", "@magneto"))]:
            (project / "node_modules" / module.name).symlink_to(module)
        return project

    def write(self, runner, config):
        project = self.with_modules(runner)
        (project / "package.json").write_text(json.dumps({"type": "module", "magneto": {"flags": ["--schema", "orders.json"]},
                                                          **config}), encoding="utf-8")
        text = (DOCS / self.page).read_text(encoding="utf-8")
        for name, block in re.findall(r"^`([\w.]+)`\n\n```\w+\n(.*?)^```$", text, re.M | re.S):
            if name == "orders.json":
                (project / name).write_text(block, encoding="utf-8")
        for number in (1, 2):
            (project / f"orders{number}.test.js").write_text(
                "import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';\nimport { connect } from 'magneto';\n"
                "test('a fork has the table', async () => {\n  const fork = await connect().fork();\n"
                "  const { TableNames } = await new DynamoDBClient(fork.clientConfig).send(new ListTablesCommand());\n"
                "  expect(TableNames).toEqual(['Orders']);\n  await fork.delete();\n});\n", encoding="utf-8")
        return project

    def test_vitest(self):
        project = self.write("vitest", {})
        (project / "vitest.config.js").write_text("export default { test: { globalSetup: 'magneto/vitest', globals: true } };\n",
                                                  encoding="utf-8")
        output = self.run_command([f"{MODULES}/.bin/vitest", "run"], cwd=project)
        self.assertRegex(output, r"Tests .*2 passed")

    def test_jest(self):
        project = self.write("jest", {"jest": {"globalSetup": "magneto/jest", "transform": {}}})
        output = self.run_command([f"{MODULES}/.bin/jest"], cwd=project, NODE_OPTIONS="--experimental-vm-modules")
        self.assertRegex(output, r"Tests: +2 passed")

    def test_a_running_server(self):
        server = subprocess.Popen([BINARY, "--port", "0", "--control-token", "kit", "--end-with-stdin"], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.communicate)
        endpoint = re.search(r"http[^,]+", server.stdout.readline()).group()
        project = self.write("running", {"jest": {"globalSetup": "magneto/jest", "transform": {}}})
        with self.assertRaisesRegex(AssertionError, r"- *\"Orders\""):  # that server has no tables
            self.run_command([f"{MODULES}/.bin/jest"], cwd=project, NODE_OPTIONS="--experimental-vm-modules", MAGNETO_ENDPOINT=endpoint,
                             MAGNETO_CONTROL_TOKEN="kit")

    def test_types(self):
        """The walk over all members, as TypeScript."""
        project = self.with_modules("types")
        shutil.copy(HERE / "members_walk.mjs", project / "walk.mts")
        (project / "presets.mts").write_text("import jest from 'magneto/jest';\nimport vitest from 'magneto/vitest';\n"
                                             "await jest();\nawait vitest();\n", encoding="utf-8")
        flags = ["--noEmit", "--strict", "--noImplicitAny", "false", "--module", "nodenext", "--target", "es2022", "--skipLibCheck"]
        compiler = f"{MODULES}/.bin/tsc"
        self.run_command([compiler, *flags, "walk.mts", "presets.mts"], cwd=project)
        (project / "wrong.mts").write_text("import { start } from 'magneto';\nconst port: string = (await start()).port;\n", encoding="utf-8")
        with self.assertRaisesRegex(AssertionError, "not assignable"):
            self.run_command([compiler, *flags, "wrong.mts"], cwd=project)


if __name__ == "__main__":
    unittest.main(verbosity=2, defaultTest="RunnersTest" if HAS_RUNNERS else "NpmTest" if len(sys.argv) == 1 else None)
