"""flags_test.py <binary> <flags.md>: the page has the flags that --help prints; misspelt flags and variables are refused."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

from with_server import Server

HELP = re.compile(r"^  (?:-[a-z],)?(--[a-z0-9-]+)(?: [A-Z]+(?:=(\S+))?)? \(Env:(\w+)\)", re.MULTILINE)
COMMAND = re.compile(r"^  magneto ([a-z]+) +[A-Z]", re.MULTILINE)
ROW = re.compile(r"^\| `(--[a-z0-9-]+)[^`]*` \| ([^|]*) \|", re.MULTILINE)


def run(*arguments, environment=None):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MAGNETO_")}
    return subprocess.run([BINARY, *arguments], capture_output=True, check=False, text=True, timeout=60, env=kept | (environment or {}))


class FlagsTest(unittest.TestCase):
    def setUp(self):
        printed = subprocess.run([BINARY, "--help"], capture_output=True, check=True, text=True).stdout
        self.printed = {name: (default, variable) for name, default, variable in HELP.findall(printed)}
        self.written = dict(ROW.findall(PAGE.read_text(encoding="utf-8")))

    def test_they_name_the_same_flags(self):
        self.assertGreater(len(self.printed), 10)
        self.assertEqual(sorted(self.printed), sorted(self.written))

    def test_defaults_are_the_same(self):
        for name, (default, _) in self.printed.items():
            if default:
                self.assertTrue(self.written[name].startswith(default), f"{name}: {self.written[name]}, not {default}")

    def test_variables_are_named_after_flags(self):
        for name, (_, variable) in self.printed.items():
            self.assertEqual(variable, "MAGNETO_" + name[2:].replace("-", "_").upper())

    def test_commands_have_help_with_examples(self):
        commands = COMMAND.findall(run("--help").stdout)
        self.assertEqual(commands, ["copy", "export", "healthcheck", "help", "import", "mcp", "replay", "version"])
        for command in set(commands) - {"help", "version"}:
            help_text = run(command, "--help").stdout
            self.assertIn(f"Usage: magneto {command} ", help_text)
            self.assertIn(f"Examples:\n  magneto {command}", help_text)
            self.assertEqual(run("help", command).stdout, help_text)
            self.assertEqual(run(command, "-h").stdout, help_text)

    def test_unknown_names_are_refused_first(self):
        for arguments, problem in (
                (["export", "--tabel", "X"], "unknown argument --tabel; did you mean --table?"),
                (["import", "--tabel", "X", "--max-errors", "many"], "unknown argument --tabel; did you mean --table?"),
                (["copy", "--form", "http://localhost:1"], "unknown argument --form; did you mean --from?"),
                (["replay", "--jornal=x"], "unknown argument --jornal; did you mean --journal?"),
                (["healthcheck", "--redy"], "unknown argument --redy; did you mean --ready?"),
                (["copy", "stray"], "unknown argument stray"),
                (["help", "import", "--foo"], "unknown argument --foo"),
                (["help", "help", "import"], "unknown argument import"),
                (["help", "--foo"], "unknown argument --foo"),
                (["help", "imprt"], "unknown command imprt; did you mean import?"),
                (["--port", "0", "import"], "import is a command, and must come first: magneto import"),
                (["cpoy", "--from", "x"], "unknown command cpoy; did you mean copy?"),
                (["admin"], "unknown command admin; the commands are copy, export, healthcheck, help, import, mcp, replay, version, "
                            "and without a command magneto starts a server")):
            refused = run(*arguments)
            command = f"magneto {arguments[0]}" if arguments[0] in ("export", "import", "copy", "replay", "healthcheck") else "magneto"
            self.assertEqual((refused.returncode, refused.stderr),
                             (2, f"magneto: {problem} ({command} --help lists the flags)\n"), arguments)

    def test_values_of_commands_are_refused_in_one_form(self):
        required = ["--table", "T", "--to", "http://localhost:1"]
        for arguments, problem in (
                (["import"], "--table is required"),
                (["import", *required], "at least one FILE is required"),
                (["import", *required, "--workers", "0", "f"], "--workers must be a whole number from 1 to 256, not '0'"),
                (["import", *required, "--format", "json", "f"], "--format json can mean two formats: json-typed is DynamoDB's"),
                (["import", *required, "--format", "yaml", "f"], "--format must be one of aws, csv, json-plain, json-typed, not 'yaml'"),
                (["copy", "--segments", "x"], "--segments must be a whole number from 1 to 256, not 'x'"),
                (["copy", "--read-limit", "x"], "--read-limit must be a number from 0 to 1000000000, not 'x'"),
                (["copy", "--verify=perhaps"], "--verify is either true or false"),
                (["healthcheck", "--url", "nowhere"], "--url must be a URL such as http://localhost:8000, not 'nowhere'")):
            refused = run(*arguments)
            self.assertEqual(refused.returncode, 2, arguments)
            self.assertTrue(refused.stderr.startswith(f"magneto: {problem}"), refused.stderr)

    def test_unknown_variables_are_refused(self):
        for variable, nearest in (("MAGNETO_DATADIR", "did you mean MAGNETO_DATA_DIR?"), ("MAGNETO_FSNC", "did you mean MAGNETO_FSYNC?"),
                                  ("MAGNETO_WHATEVER", "unset it")):
            refused = run("--port", "0", environment={variable: "/x"})
            self.assertEqual(refused.returncode, 2)
            self.assertIn(f"unknown environment variable {variable}; {nearest}", refused.stderr)
            self.assertEqual(run("--version", environment={variable: "/x"}).returncode, 0)
            asked = run("healthcheck", environment={variable: "/x"})
            self.assertEqual(asked.returncode, 2)
            self.assertIn(f"unknown environment variable {variable}; {nearest}", asked.stderr)
            # With an address it reads no variables.
            self.assertEqual(run("healthcheck", "--url", "http://localhost:1", environment={variable: "/x"}).returncode, 1)

    def test_health_is_asked_for(self):
        server = Server(BINARY, "memory")
        try:
            server.start()
            self.assertEqual(run("healthcheck", "--url", server.endpoint).returncode, 0)
            port = {"MAGNETO_PORT": str(server.port)}
            asked = run("healthcheck", "--ready", environment=port)
            self.assertEqual((asked.returncode, asked.stdout, asked.stderr), (0, "", ""))
            server.stop()
            refused = run("healthcheck", environment=port)
            self.assertEqual(refused.returncode, 1)
            self.assertTrue(refused.stderr.startswith("magneto: cannot connect to "), refused.stderr)
        finally:
            server.remove()

    def test_compose_and_unit_keep_data_alike(self):
        root = PAGE.parent.parent
        self.assertIn('command: ["--data-dir", "/data", "--fsync"]', (root / "docker/compose.yaml").read_text(encoding="utf-8"))
        self.assertIn("MAGNETO_FSYNC=true", (root / "docs/magneto.service").read_text(encoding="utf-8"))

    def test_empty_values_are_refused(self):
        """A variable of a shell that is not set would make the server keep its tables in memory, or let anybody in."""
        for flag in ("--data-dir", "--credentials", "--iam", "--event-sources", "--s3-dir", "--port-file", "--access-log",
                     "--tls-cert", "--tls-key", "--schema", "--ui-dir"):
            variable = self.printed[flag][1]
            for arguments, environment in (([flag, ""], {}), ([flag + "=", "--auth=off"], {}), ([], {variable: ""})):
                ended = subprocess.run([BINARY, "--port", "0", *arguments], capture_output=True, check=False, text=True,
                                       timeout=60, env=os.environ | environment)
                self.assertEqual(ended.returncode, 2, (arguments, environment))
                self.assertIn(f"{flag} ({variable}) is empty", ended.stderr)


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    PAGE = pathlib.Path(sys.argv.pop(1))
    unittest.main(verbosity=2)
