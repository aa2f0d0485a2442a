"""make.py <binary> <name> [--flag of the server ...]: keeps a data directory that this binary wrote.

Run it with the newest binary of a format, once: <name>.tar.gz is the directory of a process that was
killed, <name>.json what it answered before. old_directories_test.py opens them for ever.
"""

import json
import pathlib
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from contents import CALLERS, Caller, fill, read
from with_server import Server


def nobody(entry):
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    return entry


def main(binary, name, flags):
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
        server.kill()
        with tarfile.open(HERE / f"{name}.tar.gz", "w:gz") as archive:
            for path in sorted(pathlib.Path(server.data_folder).rglob("*")):
                if path.is_file() and not path.name.startswith("spare") and path.name not in ("LOCK", "LOG", "reserve"):
                    archive.add(path, path.relative_to(server.data_folder), filter=nobody)
        (HERE / f"{name}.json").write_text(json.dumps(kept, indent=0, sort_keys=True), encoding="utf-8")
    finally:
        server.remove()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
