"""A PostgreSQL server of the installed release, in a folder of its own, that tests may kill."""

import getpass
import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time

START_SECONDS = 60
GIVEN_STORE = "TESTS_STORE_URL"  # the variable with the URL of a database to use instead (prove.py)


def programs():
    """The folder of the newest release's programs."""
    found = glob.glob("/usr/lib/postgresql/*/bin")
    if not found:
        raise RuntimeError("PostgreSQL is not installed (apt-get install postgresql)")
    return max(found, key=lambda path: int(path.split("/")[4]))


def url_of(*servers):
    """The URL of a store in whichever of the servers takes writes."""
    return f"postgres://magneto@/postgres?host={','.join(server.folder for server in servers)}"


def new_store(*settings):
    """A database for a store: a PostgreSQL that tests may kill, or the given one, without an earlier store."""
    url = os.environ.get(GIVEN_STORE)
    return GivenStore(url) if url else Postgres(*settings)


class GivenStore:
    """A database that others run. Its schema of a store is dropped before a test."""

    def __init__(self, url):
        self.url = url

    def start(self):
        self.drop()

    def drop(self):
        subprocess.run(["psql", self.url, "-q", "-c", "SET client_min_messages = warning", "-c", "DROP SCHEMA IF EXISTS magneto CASCADE"], check=True)

    def remove(self):
        """It stays."""


class Postgres:
    """Listens on a socket in its folder only. It does not run as root, but as the user that its package makes."""

    def __init__(self, *settings, primary=None):
        """With `primary`, which must run, a standby of it."""
        self._settings = settings
        self._folder = tempfile.mkdtemp(prefix="magneto-postgres-")
        self._user = "postgres" if getpass.getuser() == "root" else None
        if self._user:
            owner = pwd.getpwnam(self._user)
            os.chown(self._folder, owner.pw_uid, owner.pw_gid)
        self._process = None
        if primary:
            primary.execute("CHECKPOINT")
            self._run("pg_basebackup", "-D", self._data, "-h", primary.folder, "-U", "magneto", "--no-sync", "-R")
        else:
            self._run("initdb", "-D", self._data, "--no-sync", "--username=magneto", "--auth=trust", "--encoding=UTF8",
                      "--locale=C")

    @property
    def _data(self):
        return os.path.join(self._folder, "data")

    @property
    def process_id(self):
        return self._process.pid

    @property
    def folder(self):
        return self._folder

    @property
    def url(self):
        return url_of(self)

    def _run(self, program, *arguments):
        return subprocess.run([os.path.join(programs(), program), *arguments], user=self._user, check=True, text=True,
                              cwd=self._folder, stdout=subprocess.PIPE).stdout

    def start(self, **environment):
        """With these variables added to those of this process."""
        settings = ["listen_addresses=", "max_connections=200", "shared_buffers=32MB", *self._settings]
        flags = [part for setting in settings for part in ("-c", setting)]
        with open(os.path.join(self._folder, "log"), "ab") as log:
            self._process = subprocess.Popen(  # pylint: disable=consider-using-with
                [os.path.join(programs(), "postgres"), "-D", self._data, "-k", self._folder, *flags],
                user=self._user, cwd=self._folder, stdout=log, stderr=log, env={**os.environ, **environment})
        deadline = time.monotonic() + START_SECONDS
        while subprocess.run([os.path.join(programs(), "pg_isready"), "-q", "-h", self._folder, "-U", "magneto",
                              "-d", "postgres"], check=False).returncode != 0:
            if self._process.poll() is not None or time.monotonic() > deadline:
                with open(os.path.join(self._folder, "log"), encoding="utf-8") as log:
                    raise RuntimeError(f"PostgreSQL does not start: {log.read()}")
            time.sleep(0.02)

    def promote(self):
        """Makes a standby the primary."""
        self._run("pg_ctl", "promote", "-D", self._data, "--wait")

    def execute(self, statement):
        """The rows, a line each."""
        return self._run("psql", "-h", self._folder, "-U", "magneto", "-d", "postgres", "-At", "-c", statement)

    def terminate_connections(self, share):
        """Ends about so many of a hundred connections of servers."""
        self.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                     f"WHERE application_name = 'magneto' AND random() * 100 < {share}")

    def kill(self):
        """Ends all of its processes at once, without a checkpoint; the next start recovers."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait()

    def remove(self):
        if self._process is not None and self._process.poll() is None:
            self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)
