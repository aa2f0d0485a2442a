"""Go's modules, laid out as a module proxy serves them: the starter, and one for each platform, which embeds the server."""

import hashlib
import json
import re

from packing.archives import Member, gzip_of, members_of, write, zip_of
from packing.release import ARCHITECTURES, PACKAGES

IN_SOURCES = "example.com/magneto"  # the module's name in the repository
OLDEST_GO = "1.19"


def _platform_module(release, architecture):
    return f"{release.names['go_module']}/linux_{architecture}"


def _go_mod(module, requirements=()):
    required = "".join(f"\t{name} {version}\n" for name, version in requirements)
    return f"module {module}\n\ngo {OLDEST_GO}\n" + (f"\nrequire (\n{required})\n" if required else "")


def _starter(release):
    members = members_of(PACKAGES / "go", suffixes=(".go",))
    for name, member in list(members.items()):
        if name.endswith("_test.go"):
            del members[name]
        else:
            member.data = member.data.replace(IN_SOURCES.encode(), release.names["go_module"].encode())
    return members


def _platform(release):
    compressed = gzip_of(release.binary)
    source = ("// Package platform has the server for one platform.\npackage platform\n\nimport _ \"embed\"\n\n"
              f"// Digest is the beginning of the SHA-256 of the server.\n"
              f"const Digest = \"{hashlib.sha256(release.binary).hexdigest()[:16]}\"\n\n"
              f"// Size is the number of its bytes.\nconst Size int64 = {len(release.binary)}\n\n"
              "// Compressed is the server, by gzip.\n//\n//go:embed magneto.gz\nvar Compressed []byte\n")
    members = {"platform.go": Member(source), "magneto.gz": Member(compressed)}
    if release.licences:
        members |= members_of(release.licences, "licences/")
    return members


def _escaped(path):
    """A proxy writes A as !a."""
    return re.sub("[A-Z]", lambda letter: "!" + letter.group().lower(), path)


def _write_module(release, folder, module, go_mod, members):
    version = f"v{release.version}"
    at = folder / "go" / _escaped(module) / "@v"
    write(at / f"{version}.mod", go_mod)
    write(at / f"{version}.info", json.dumps({"Version": version, "Time": "1980-01-01T00:00:00Z"}))
    if members is not None:
        members = {f"{module}@{version}/{name}": member for name, member in members.items()}
        members[f"{module}@{version}/go.mod"] = Member(go_mod)
        write(at / f"{version}.zip", zip_of(members))
        write(at / "list", f"{version}\n")


def pack(release, folder):
    version = f"v{release.version}"
    platforms = [_platform_module(release, architecture) for architecture in ARCHITECTURES]
    starter = release.names["go_module"]
    _write_module(release, folder, starter, _go_mod(starter, [(module, version) for module in platforms]), _starter(release))
    # Go reads the requirements of both, and fetches the one that it builds.
    for architecture, module in zip(ARCHITECTURES, platforms):
        members = _platform(release) if architecture == release.architecture else None
        _write_module(release, folder, module, _go_mod(module), members)
