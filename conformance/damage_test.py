"""damage_test.py <binary>: a damaged file is reported by its name and never served as data."""

import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "crash"))

from tables import LEDGER, LEDGER_REQUEST, key_of
from wire import Connection, Refused, all_pages
from with_server import Server

ITEMS = 1500
SHORT_LOG = 100  # bytes


class DamageTest(unittest.TestCase):
    """One directory, written and ended cleanly; each test damages it and puts it back."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server(BINARY, "disk", "--auth", "off", "--memory-budget-mb", "8")
        cls.addClassCleanup(cls.server.remove)
        cls.data = pathlib.Path(cls.server.data_folder)
        cls.items = {}
        cls.write(range(ITEMS))
        # A long log is written into tables when the server ends; a short one stays.
        while not any(path.stat().st_size > SHORT_LOG for path in cls.data.glob("rocksdb/*.log")):
            cls.write(range(len(cls.items), len(cls.items) + 25))
        cls.kept = cls.data.with_name("kept")
        shutil.copytree(cls.data, cls.kept)

    @classmethod
    def write(cls, numbers):
        cls.server.start()
        connection = Connection(cls.server.port)
        if not cls.items:
            connection.send("CreateTable", **LEDGER_REQUEST)
        for first in numbers[::25]:
            items = [{"Pk": {"S": f"p{number % 50}"}, "Sk": {"N": str(number)}, "G": {"S": f"g{number % 5}"},
                      "Grade": {"N": str(number)}, "Body": {"S": f"{number} " * 500}}
                     for number in range(first, first + 25)]
            connection.send("BatchWriteItem", RequestItems={LEDGER: [{"PutRequest": {"Item": item}} for item in items]})
            cls.items |= {key_of(LEDGER, item): item for item in items}
        connection.close()
        if cls.server.stop() != 0:
            raise RuntimeError("the server did not stop cleanly")

    def setUp(self):
        shutil.rmtree(self.data)
        shutil.copytree(self.kept, self.data)

    def files(self, pattern):
        found = sorted(self.data.glob(pattern))
        self.assertTrue(found, pattern)
        return found

    def expect_refusal(self, path):
        """The program ends with 1 and one sentence that names the file."""
        ended = subprocess.run(self.server.command, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(ended.returncode, 1, f"{path.name}: {ended.stderr}")
        self.assertEqual(ended.stderr.count("\n"), 1, ended.stderr)
        self.assertTrue(ended.stderr.startswith("magneto: "), ended.stderr)
        self.assertIn(path.name, ended.stderr)

    def test_the_directory_is_sound(self):
        self.server.start()
        self.assertEqual(self.read(), self.items)
        self.assertEqual(self.server.stop(), 0)

    def test_files_cut_short(self):
        for pattern in ("MAGNETO", "rocksdb/CURRENT", "rocksdb/MANIFEST-*", "rocksdb/*.sst"):
            self.setUp()
            path = self.files(pattern)[-1]
            with self.subTest(path.name):
                with open(path, "r+b") as file:
                    file.truncate(path.stat().st_size // 2)
                self.expect_refusal(path)

    def test_files_that_are_missing(self):
        for pattern in ("rocksdb/CURRENT", "rocksdb/MANIFEST-*", "rocksdb/*.sst", "rocksdb/*.log"):
            self.setUp()
            path = self.files(pattern)[-1]
            with self.subTest(path.name):
                path.unlink()
                self.expect_refusal(path)

    def test_a_log_without_its_end(self):
        path = max(self.files("rocksdb/*.log"), key=lambda path: path.stat().st_size)
        size = path.stat().st_size
        self.assertGreater(size, SHORT_LOG, "the log is empty")
        with open(path, "r+b") as file:
            file.truncate(size - 10)
        self.expect_refusal(path)

    def test_bytes_that_changed(self):
        """In tables: refused at the start, or by the reads that meet the damage; all other answers are right."""
        for path in self.files("rocksdb/*.sst"):
            for part in (0.1, 0.5, 0.9):
                self.setUp()
                with self.subTest(f"{path.name} at {part}"):
                    self.flip(path, int(path.stat().st_size * part))
                    self.expect_refusal_or_right_answers(path)

    @staticmethod
    def flip(path, position):
        with open(path, "r+b") as file:
            file.seek(position)
            damaged = bytes(byte ^ 0x5A for byte in file.read(16))
            file.seek(position)
            file.write(damaged)

    def expect_refusal_or_right_answers(self, path):
        log = self.data.with_name("log")
        with open(log, "w+", encoding="utf-8") as self.server.errors:
            self.addCleanup(setattr, self.server, "errors", None)
            try:
                self.server.start()
            except RuntimeError:
                self.assertIn(path.name, log.read_text())
                return
            try:
                self.assertEqual(self.read(), self.items)
            except Refused as error:
                self.assertEqual((error.status, error.type), (500, "InternalServerError"))
                self.assertIn(path.name, log.read_text())
            finally:
                self.server.kill()

    def read(self):
        connection = Connection(self.server.port)
        self.addCleanup(connection.close)
        found = {}
        for index in ({}, {"IndexName": "ByGrade"}, {"IndexName": "ByGroup"}):
            items = all_pages(connection, "Scan", TableName=LEDGER, **index)
            found = {key_of(LEDGER, item): item for item in items}
            if found != self.items:
                return found
        return found


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=2)
