"""Clocks of servers that differ and jump, by libfaketime (apt-get install faketime). Steady clocks stay as they are."""

import glob
import os
import shutil
import tempfile

LIBRARIES = "/usr/lib/*/faketime/libfaketimeMT.so.1"


def library():
    found = glob.glob(LIBRARIES)
    if not found:
        raise RuntimeError("libfaketime is not installed (apt-get install faketime)")
    return found[0]


class Clocks:
    """One for each server: seconds before (-) or after the clock of this machine."""

    def __init__(self, *offsets):
        self._folder = tempfile.mkdtemp(prefix="magneto-clocks-")
        for number, offset in enumerate(offsets):
            self.set(number, offset)

    def _file(self, number):
        return os.path.join(self._folder, str(number))

    def set(self, number, offset):
        """Counts at once, also for a server that runs."""
        with open(self._file(number) + ".new", "w", encoding="ascii") as file:
            file.write(f"{offset:+}s\n")
        os.rename(self._file(number) + ".new", self._file(number))

    def environment(self, number):
        return {"LD_PRELOAD": library(), "FAKETIME_TIMESTAMP_FILE": self._file(number), "FAKETIME_NO_CACHE": "1",
                "FAKETIME_DONT_FAKE_MONOTONIC": "1"}

    def remove(self):
        shutil.rmtree(self._folder, ignore_errors=True)
