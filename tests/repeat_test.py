"""tests/repeat finds the run of many that fails, and keeps copies apart."""

import os
import subprocess
import sys
import tempfile
import time
import unittest

REPEAT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "repeat")


class RepeatTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def repeat(self, tests, *arguments):
        with open(os.path.join(self.folder, "CTestTestfile.cmake"), "w", encoding="utf-8") as file:
            file.write(tests)
        done = subprocess.run([sys.executable, REPEAT, "--build", self.folder, *arguments], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout

    def counted(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read().split()

    def test_each_copy_has_its_own_temporary_folder(self):
        code, text = self.repeat(f'add_test(one sh -c "touch $TMPDIR/new && echo $TMPDIR >> {self.folder}/seen")',
                                 "--times", "3", "--copies", "2", "one")
        self.assertEqual(code, 0, text)
        seen = self.counted("seen")
        self.assertEqual(len(set(seen)), 6)
        self.assertFalse(any(map(os.path.exists, seen)))

    def test_copies_run_at_once(self):
        # Each leaves a mark and waits for the other's.
        code, text = self.repeat(f"""add_test(meets sh -c "touch {self.folder}/mark.$$;\
 until [ $(ls {self.folder} | grep -c mark) -ge 2 ]; do sleep 0.01; done")""",
                                 "--times", "1", "--copies", "2", "meets")
        self.assertEqual(code, 0, text)

    def test_the_run_that_fails_is_told_and_kept(self):
        test = f'add_test(third sh -c "echo run >> {self.folder}/runs; echo telling; test $(wc -l < {self.folder}/runs) != 3")'
        code, text = self.repeat(test, "--times", "9", "--copies", "1", "third")
        self.assertEqual(code, 1, text)
        self.assertIn("third (exit code 1 after", text)
        self.assertIn("    telling", text)
        self.assertEqual(len(self.counted("runs")), 3)  # it stopped there
        with open(os.path.join(self.folder, "repeat", "third.0.2.txt"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "telling\n")
        code, text = self.repeat(test, "--times", "9", "--copies", "1", "--keep-going", "third")
        self.assertEqual((code, len(self.counted("runs"))), (0, 12), text)

    def test_properties_of_the_test_are_kept(self):
        code, text = self.repeat("""
            add_test(kept sh -c "test $VALUE = given")
            set_tests_properties(kept PROPERTIES ENVIRONMENT VALUE=given)
            add_test(kept_too sh -c "exit 77")
            set_tests_properties(kept_too PROPERTIES SKIP_RETURN_CODE 77)
            add_test(other false)
            """, "--times", "1", "--copies", "1", "^kept")
        self.assertEqual(code, 0, text)
        self.assertRegex(text, r"kept_too +1 +0 .* could not run here")

    def test_a_test_without_end_is_ended_with_its_children(self):
        code, text = self.repeat(f"""
            add_test(hangs sh -c "sleep 600 & echo $! > {self.folder}/child; wait")
            set_tests_properties(hangs PROPERTIES TIMEOUT 1)
            """, "--times", "1", "--copies", "1", "hangs")
        self.assertEqual(code, 1, text)
        self.assertIn("hangs (Timeout after", text)
        deadline = time.monotonic() + 60
        while self.runs(self.counted("child")[0]):
            self.assertLess(time.monotonic(), deadline, "its child goes on")
            time.sleep(0.01)

    def test_what_runs_ends_with_it(self):
        with open(os.path.join(self.folder, "CTestTestfile.cmake"), "w", encoding="utf-8") as file:
            file.write(f'add_test(hangs sh -c "echo $$ > {self.folder}/child.new; mv {self.folder}/child.new {self.folder}/child; exec sleep 600")')
        repeating = subprocess.Popen([sys.executable, REPEAT, "--build", self.folder, "--copies", "1", "hangs"],
                                     stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not os.path.exists(os.path.join(self.folder, "child")):
            self.assertLess(time.monotonic(), deadline, "the test does not begin")
            time.sleep(0.01)
        repeating.terminate()
        self.assertEqual(repeating.wait(60), 130)
        while self.runs(self.counted("child")[0]):
            self.assertLess(time.monotonic(), deadline, "the test goes on")
            time.sleep(0.01)

    @staticmethod
    def runs(process):
        try:
            with open(f"/proc/{process}/stat", encoding="utf-8") as file:
                return file.read().rpartition(")")[2].split()[0] != "Z"
        except FileNotFoundError:
            return False

    def test_wrong_calls(self):
        self.assertEqual(self.repeat("add_test(one true)", "other")[0], 2)
        for arguments in (["--times", "0", "one"], ["--copies", "x", "one"], ["--what", "one"], []):
            self.assertEqual(self.repeat("add_test(one true)", *arguments)[0], 2, arguments)


if __name__ == "__main__":
    unittest.main()
