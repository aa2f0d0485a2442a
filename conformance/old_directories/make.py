"""make.py <binary> <name> [--lagging] [--flag of the server ...]: keeps a data directory that this
binary wrote.

Run it with the newest binary of a format, once: <name>.tar.gz is the directory of a process that was
killed, <name>.json what it answered before. With --lagging it was killed while one of two global
indexes of a table had followed the writes and the other had not. old_directories_test.py opens them
for ever.
"""

import json
import mmap
import pathlib
import shutil
import sys
import tarfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from contents import CALLERS, LAGGING, Caller, fill, fill_lagging, lagging_entries, read, scan
from with_server import Server


def nobody(entry):
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    return entry


def has_position_of_second_index(folder):
    """Whether the position is in a log, which RocksDB does not compress."""
    for path in pathlib.Path(folder, "rocksdb").glob("*.log"):
        if path.stat().st_size == 0:
            continue
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as log:
            if log.find(b"position/\0\0\0\4\0\2", 0, 8 << 20) >= 0:  # of the fourth table
                return True
    return False


def kill_between_indexes(server):
    """The items that the table then has."""
    server.stop()
    server.flags.append("--gsi-delay-ms=2000")
    server.start()
    caller = Caller(server, *CALLERS[0])
    fill_lagging(caller)
    items = scan(caller, LAGGING)
    deadline = time.monotonic() + 10
    while not has_position_of_second_index(server.data_folder):
        if time.monotonic() > deadline:
            raise RuntimeError("no position was written")
    server.kill()
    return items


def check_that_one_lags(binary, folder, items):
    """Looks at a copy, where nothing more is applied."""
    if "format 5" not in pathlib.Path(folder, "MAGNETO").read_text(encoding="ascii"):
        raise RuntimeError("the directory is of another format")
    server = Server(binary, "disk", "--gsi-delay-ms=600000")
    try:
        shutil.copytree(folder, server.data_folder)
        server.start()
        entries = lagging_entries(Caller(server, *CALLERS[0]), items)
    finally:
        server.remove()
    whole = {index: found == wanted for index, (found, wanted) in entries.items()}
    if whole != {"ByParty": False, "ByWinner": True}:
        raise RuntimeError(f"not one index lags, make it again: {whole}")


def main(binary, name, flags, lags):
    server = Server(binary, "disk", *flags)
    try:
        server.start()
        callers = CALLERS if "--isolate=credentials" in flags else CALLERS[:1]
        kept = {"flags": flags, "callers": []}
        for key, region in callers:
            caller = Caller(server, key, region)
            fill(caller)
            server.stop()  # so that tables and a log are both there
            server.start()
            caller = Caller(server, key, region)
            caller.send("PutItem", TableName="Notes", Item={"Id": {"B": "BBBB"}, "Text": {"S": "late"}})
            kept["callers"].append({"key": key, "region": region, "contents": read(caller)})
        if lags:
            kept["lagging"] = kill_between_indexes(server)
            check_that_one_lags(binary, server.data_folder, kept["lagging"])
        else:
            server.kill()
        with tarfile.open(HERE / f"{name}.tar.gz", "w:gz") as archive:
            for path in sorted(pathlib.Path(server.data_folder).rglob("*")):
                if path.is_file() and not path.name.startswith("spare") and path.name not in ("LOCK", "LOG", "reserve"):
                    archive.add(path, path.relative_to(server.data_folder), filter=nobody)
        (HERE / f"{name}.json").write_text(json.dumps(kept, indent=0, sort_keys=True), encoding="utf-8")
    finally:
        server.remove()


if __name__ == "__main__":
    given = sys.argv[3:]
    main(sys.argv[1], sys.argv[2], [flag for flag in given if flag != "--lagging"], "--lagging" in given)
