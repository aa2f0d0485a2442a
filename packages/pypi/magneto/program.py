"""The server's program, which lies in this package, and why a system cannot run it."""

import errno
import os
import platform
import stat
from pathlib import Path

PROGRAM = Path(__file__).parent / "bin" / "magneto"
PLATFORMS = "Linux on x86_64 and aarch64"


class StartError(RuntimeError):
    """The server did not start. The message has the server's own sentence, or that of the system."""


def find_program() -> str:
    if not PROGRAM.is_file():
        raise StartError(f"this installation has no server for {platform.system()} on {platform.machine()}. There are wheels for "
                         f"{PLATFORMS}: install one with pip, or give the path of a server as binary")
    if not os.access(PROGRAM, os.X_OK):  # unpacked by a program that drops modes
        try:
            PROGRAM.chmod(PROGRAM.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        except OSError as error:
            raise StartError(f"{PROGRAM} is not executable, and this user cannot change that: {error.strerror}") from error
    return str(PROGRAM)


def why_it_cannot_run(program: str, error: OSError) -> str:
    here = f"{platform.system()} on {platform.machine()}"
    if error.errno == errno.ENOEXEC:
        return f"{program} is built for another system or processor than this one, {here}. There are servers for {PLATFORMS}"
    if error.errno == errno.ENOENT and os.path.isfile(program):
        return f"{program} needs the loader of glibc, which this system lacks. Systems with musl, such as Alpine, cannot run it"
    if error.errno == errno.EACCES:
        return f"{program} may not be run: its file is not executable, or its file system is mounted noexec"
    return f"{program} cannot be run: {error.strerror}"
