"""The programs that chosen tests run are found in the files which CMake writes for ctest."""

import pathlib
import tempfile
import unittest

import needed_programs


class NeededProgramsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "inner").mkdir()
        (self.folder / "lines").mkdir()
        self.write("", f'add_test([=[api]=] "{self.folder}/tests/api_tests" "--brief")\n'
                   'set_tests_properties([=[api]=] PROPERTIES LABELS "unit")\n'
                   'subdirs("inner")\nsubdirs("without_tests")\nsubdirs("inner/../lines")\n')
        self.write("inner", f'add_test([=[crash]=] "/usr/bin/python3" "crash.py" "{self.folder}/magneto" "--port" "1")\n'
                   f'add_test([=[gate_a]=] "/usr/bin/python3" "run.py" "{self.folder}/notes")\n')
        self.write("lines", f'add_test([=[script]=] "sh" "-c" "a=$(b) || exit 1\n        (c)\n  {self.folder}/d" "{self.folder}/other")\n'
                   'set_tests_properties([=[script]=] PROPERTIES LABELS "unit")\n')
        self.targets = {"tests/api_tests", "magneto", "other"}

    def write(self, name, text):
        (self.folder / name / "CTestTestfile.cmake").write_text(text, encoding="utf-8")

    def needed(self, *names):
        return needed_programs.needed_programs(self.folder, names, self.targets)

    def test_programs_and_arguments_are_found(self):
        self.assertEqual(self.needed("api"), ["tests/api_tests"])
        self.assertEqual(self.needed("crash"), ["magneto"])
        self.assertEqual(self.needed("crash", "api", "crash"), ["magneto", "tests/api_tests"])

    def test_a_command_may_have_several_lines(self):
        self.assertEqual(self.needed("script"), ["other"])

    def test_other_build_folders_do_not_count(self):
        (self.folder / "lint").mkdir()
        self.write("lint", f'add_test([=[api]=] "{self.folder}/lint/tests/api_tests" "--brief")\n')
        self.assertEqual(self.needed("api"), ["tests/api_tests"])

    def test_scripts_need_no_program(self):
        self.assertEqual(self.needed("gate_a"), [])
        self.assertEqual(self.needed(), [])

    def test_tests_are_told_from_other_lines(self):
        head, end = "Test project /home/me/magneto/build\n", "\nTotal Tests: {}\n"
        self.assertEqual(needed_programs.list_names(head + "  Test   #3: api\n  Test #131: conformance_image" + end.format(2)),
                         ["api", "conformance_image"])
        self.assertEqual(needed_programs.list_names(head + end.format(0)), [])

    def test_a_test_that_cmake_did_not_write_is_an_error(self):
        with self.assertRaises(KeyError):
            self.needed("unknown")


if __name__ == "__main__":
    unittest.main()
