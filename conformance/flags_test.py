"""flags_test.py <binary> <README.md>: the README's table of flags is what --help prints."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

HELP = re.compile(r"^  (--[a-z0-9-]+)(?: [A-Z]+(?:=(\S+))?)? \(Env:(\w+)\)", re.MULTILINE)
ROW = re.compile(r"^\| `(--[a-z0-9-]+)[^`]*` \| ([^|]*) \|", re.MULTILINE)


class FlagsTest(unittest.TestCase):
    def setUp(self):
        printed = subprocess.run([BINARY, "--help"], capture_output=True, check=True, text=True).stdout
        self.printed = {name: (default, variable) for name, default, variable in HELP.findall(printed)}
        self.written = dict(ROW.findall(README.read_text(encoding="utf-8")))

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
    README = pathlib.Path(sys.argv.pop(1))
    unittest.main(verbosity=2)
