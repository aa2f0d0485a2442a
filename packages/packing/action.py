"""The action of GitHub: a folder, which is the root of the action's repository."""

import re

from packing.archives import members_of, write
from packing.release import PACKAGES

IN_SOURCES = b"https://example.com/magneto/releases/download"  # the address of releases in the repository


def pack(release, folder):
    members = members_of(PACKAGES / "action", suffixes=("action.yml", ".mjs"))
    about = members["action.yml"]
    about.data = about.data.replace(IN_SOURCES, release.names["releases"].encode())
    about.data = re.sub(rb"default: \d+\.\d+\.\d+\n", b"default: " + release.version.encode() + b"\n", about.data)
    for name, member in members.items():
        write(folder / "action" / name, member.data)
