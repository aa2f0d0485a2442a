"""The list of failures for the output of each kind of test, and of ctest itself."""

import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

import failures

HERE = os.path.dirname(os.path.abspath(__file__))


def tell(text):
    return failures.telling_lines(textwrap.dedent(text).strip("\n").splitlines())


class TellingLinesTest(unittest.TestCase):
    def test_google_test(self):
        self.assertEqual(tell("""
            Note: Randomizing
            /src/tests/a_test.cc:12: Failure
            Expected equality of these values:
              1
              2

            [  FAILED  ] ATest.Adds (3 ms)
            unknown file: Failure
            C++ exception with description "no" thrown in the test body.

            [  FAILED  ] Both/BTest.Throws/memory, where GetParam() = 1 (0 ms)
             1 FAILED TEST
            """), [
                "/src/tests/a_test.cc:12: Failure", "  Expected equality of these values:", "    1", "    2",
                "[  FAILED  ] ATest.Adds", "unknown file: Failure",
                '  C++ exception with description "no" thrown in the test body.',
                "[  FAILED  ] Both/BTest.Throws/memory, where GetParam() = 1"])

    def test_a_program_that_died_names_the_case(self):
        self.assertEqual(tell("[  ENDED   ] ATest.Dies, by signal 11\nlast words"),
                         ["[  ENDED   ] ATest.Dies, by signal 11"])

    def test_unittest(self):
        self.assertEqual(tell("""
            ..F
            ======================================================================
            FAIL: test_a (__main__.SomeTest.test_a)
            What it is about.
            ----------------------------------------------------------------------
            Traceback (most recent call last):
              File "/src/some_test.py", line 6, in test_a
                self.check()
              File "/src/case.py", line 60, in check
                self.assertEqual(1, 2)
            AssertionError: 1 != 2

            ----------------------------------------------------------------------
            Ran 3 tests in 0.010s

            FAILED (failures=1)
            """), ["FAIL: test_a (__main__.SomeTest.test_a)", '  File "/src/case.py", line 60, in check',
                   "  AssertionError: 1 != 2"])

    def test_node(self):
        self.assertEqual(tell("""
            # Subtest: outer
                not ok 1 - inner
                  ---
                  location: 'a.test.mjs:2:38'
                  failureType: 'testCodeFailure'
                  error: |-
                    boom
                    more
                  code: 'ERR_TEST_FAILURE'
                  ...
                1..1
            not ok 1 - outer
              ---
              failureType: 'subtestsFailed'
              error: '1 subtest failed'
              ...
            """), ["not ok 1 - inner", "  location: 'a.test.mjs:2:38'", "  error: |-", "  boom", "  more"])

    def test_other_output_by_its_last_lines(self):
        self.assertEqual(tell("\n".join(f"line {n}" for n in range(40))),
                         [f"line {n}" for n in range(40 - failures.LAST_LINES, 40)])

    def test_bounds(self):
        many = "".join(f"/a.cc:{n}: Failure\n{'x' * 1000}\n\n" for n in range(50)).splitlines()
        told = failures.telling_lines(many)
        self.assertEqual(told[-1], f"... and {50 - failures.MOST_CASES} more")
        self.assertEqual(len(told), 2 * failures.MOST_CASES + 1)
        self.assertLessEqual(max(map(len, told)), failures.LONGEST_LINE + 3)


class ListTest(unittest.TestCase):
    """ctest itself runs tests that fail in every way."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def list_failures(self, tests, *options):
        log = os.path.join(self.folder, "log")
        with open(os.path.join(self.folder, "CTestTestfile.cmake"), "w", encoding="utf-8") as file:
            file.write(tests)
        self.closing = subprocess.run(
            ["ctest", "--output-on-failure", "--output-log", log, "-j", "2", *options], cwd=self.folder,
            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False).stdout
        return self.run_on(log)

    def run_on(self, log):
        done = subprocess.run([sys.executable, os.path.join(HERE, "failures.py"), log], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout

    def test_every_result(self):
        code, text = self.list_failures("""
            add_test(passes sh -c "echo fine")
            add_test(fails sh -c "printf 'coloured\\\\033[1m\\\\n'; echo because; exit 3")
            add_test(hangs sh -c "echo begun; exec sleep 60")
            set_tests_properties(hangs PROPERTIES TIMEOUT 1)
            add_test(dies sh -c "kill -SEGV $$")
            add_test(is_skipped sh -c "exit 77")
            set_tests_properties(is_skipped PROPERTIES SKIP_RETURN_CODE 77)
            add_test(is_absent /no/such/program)
            """)
        self.assertEqual(code, 1, text)
        self.assertIn("tests FAILED", self.closing)  # ctest's own list comes as ever
        self.assertTrue(text.startswith("What failed and why (4):\n"), text)
        self.assertIn("\n  fails (Failed)\n    coloured\n    because\n", text)
        self.assertIn("\n  hangs (Timeout)\n    begun\n", text)
        self.assertIn("\n  dies (SegFault)\n    it printed nothing\n", text)
        self.assertIn("\n  is_absent (Not Run)\n", text)
        self.assertNotIn("passes", text)
        self.assertNotIn("is_skipped", text)

    def test_nothing_failed(self):
        self.assertEqual(self.list_failures("add_test(passes true)"), (0, "Nothing failed\n"))

    def test_a_run_that_did_not_end(self):
        self.list_failures("add_test(fails false)\nadd_test(passes true)")
        log = os.path.join(self.folder, "log")
        with open(log, encoding="utf-8") as file:
            text = file.read()
        with open(log, "w", encoding="utf-8") as file:
            file.write(text[:text.index("% tests passed") - 4])
        code, text = self.run_on(log)
        self.assertEqual(code, 2)
        self.assertIn("fails (Failed)", text)
        self.assertIn("did not end", text)

    def test_no_log(self):
        code, text = self.run_on(os.path.join(self.folder, "none"))
        self.assertEqual(code, 2)
        self.assertIn("no log of ctest", text)


if __name__ == "__main__":
    unittest.main()
