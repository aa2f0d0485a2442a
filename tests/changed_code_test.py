#!/usr/bin/env python3
"""changed_code.py distinguishes changes of code from changes of comments and layout."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

from changed_code import code_of

SCRIPT = pathlib.Path(__file__).resolve().with_name("changed_code.py")
BEFORE = 'int a() { return 1; }  // One.\n/* Two\n   lines. */\nconst char* b = "c // d";\n'


class ChangedCodeTest(unittest.TestCase):
    def test_comments_and_lines_do_not_count(self):
        for after in ('int a() {\n  return 1;\n}\nconst char* b =\n    "c // d";\n',
                      "// It's new.\n" + BEFORE.replace("One", '"One" and /* more'),
                      BEFORE.replace("/* Two\n   lines. */", "")):
            self.assertEqual(code_of(BEFORE), code_of(after), after)

    def test_all_else_counts(self):
        for old, new in (("return 1", "return 2"), ("c // d", "c // e"), ("int a", "inta"), ("One.", "NOLINT(one)"),
                         ("const char* b", 'const char e = \'"\'; const char* b'), ('"c // d"', 'R"(c // d)"')):
            self.assertNotEqual(code_of(BEFORE), code_of(BEFORE.replace(old, new)), new)
        self.assertNotEqual(code_of('f(R"x(a)" // b)x")'), code_of('f(R"x(a)" // c)x")'))

    def test_lists_files_whose_code_differs(self):
        with tempfile.TemporaryDirectory() as folder:
            def git(*arguments):
                subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=folder, check=True,
                               stdout=subprocess.DEVNULL)

            files = {name: pathlib.Path(folder, name) for name in ("comment.cc", "code.cc", "new.cc")}
            git("init")
            for name in ("comment.cc", "code.cc"):
                files[name].write_text(BEFORE)
            git("add", ".")
            git("commit", "-m", "one")
            files["comment.cc"].write_text(BEFORE.replace("One", "Another"))
            files["code.cc"].write_text(BEFORE.replace("a()", "e()"))
            files["new.cc"].write_text(BEFORE)
            listed = subprocess.run([sys.executable, SCRIPT, "HEAD"], input="code.cc\ncomment.cc\nnew.cc\n", cwd=folder,
                                    check=True, capture_output=True, text=True).stdout
            self.assertEqual(listed, "code.cc\nnew.cc\n")


if __name__ == "__main__":
    unittest.main()
