"""npm's tarballs: the main package, and one for the platform, which has the server and is an optional dependency."""

import json

from packing.archives import Member, members_of, tar_gz, write
from packing.release import ARCHITECTURES, PACKAGES

DOCUMENT = PACKAGES.parent / "docs" / "javascript.md"
SUMMARY = "A DynamoDB-compatible database server for one machine, for tests"
SUFFIXES = (".js", ".d.ts")


def platform_name(names, node):
    return f"{names['npm_platforms']}/linux-{node}"


def _about(release, name, **more):
    licence = release.names["licence"]
    about = {"name": name, "version": release.version, "description": SUMMARY, **({"license": licence} if licence else {}), **more}
    return Member(json.dumps(about, indent=2) + "\n")


def _main_package(release):
    names = release.names
    platforms = [platform_name(names, node) for node, _, _ in ARCHITECTURES.values()]
    setup = {"types": "./setup.d.ts"}
    members = members_of(PACKAGES / "npm", "package/", SUFFIXES)
    members["package/bin.js"].mode = 0o755
    members["package/README.md"] = Member.of(DOCUMENT)
    members["package/package.json"] = _about(
        release, names["npm"], type="module", engines={"node": ">=18"}, bin={"magneto": "bin.js"}, types="./index.d.ts",
        exports={".": {"types": "./index.d.ts", "default": "./index.js"}, "./vitest": {**setup, "default": "./vitest.js"},
                 "./jest": {**setup, "default": "./jest.js"}, "./package.json": "./package.json"},
        optionalDependencies={name: release.version for name in platforms})
    return members


def _platform_package(release):
    members = {"package/bin/magneto": Member(release.binary, is_program=True),
               "package/README.md": Member(f"# {platform_name(release.names, release.node)}\n\nThe server of {release.names['npm']}.\n"),
               "package/package.json": _about(release, platform_name(release.names, release.node), os=["linux"], cpu=[release.node],
                                              **({} if release.glibc is None else {"libc": ["glibc"]}))}
    if release.licences:
        members |= members_of(release.licences, "package/licences/")
    return members


def file_name(name, version):
    """As npm pack names it."""
    return f"{name.removeprefix('@').replace('/', '-')}-{version}.tgz"


def pack(release, folder):
    write(folder / "npm" / file_name(release.names["npm"], release.version), tar_gz(_main_package(release)))
    platform = platform_name(release.names, release.node)
    write(folder / "npm" / file_name(platform, release.version), tar_gz(_platform_package(release)))
