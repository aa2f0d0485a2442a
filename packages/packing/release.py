"""The server that is packed, and the names that each language gives to its architecture."""

import json
import pathlib
import re
import struct

PACKAGES = pathlib.Path(__file__).resolve().parent.parent
# Debian's name -> those of Node.js, of wheels and the kernel, and of Go, which Java's packages share
ARCHITECTURES = {"amd64": ("x64", "x86_64", "amd64"), "arm64": ("arm64", "aarch64", "arm64")}
PT_INTERP = 3
MACHINES = {62: "amd64", 183: "arm64"}  # e_machine of an ELF file


class CannotPack(Exception):
    """A wrong argument; the text says what to do."""


def _read_names(path):
    wanted = json.loads((PACKAGES / "names.json").read_text(encoding="utf-8"))
    try:
        names = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CannotPack(f"the names cannot be read: {error}") from None
    if not isinstance(names, dict) or set(names) != set(wanted):
        raise CannotPack(f"{path} must have the members of packages/names.json: {', '.join(wanted)}")
    return names


class Release:
    """What a packer needs to know."""

    def __init__(self, binary, architecture, version, names, licences=None, java_libraries=None):
        if architecture not in ARCHITECTURES:
            raise CannotPack(f"there is no package for {architecture}: name amd64 or arm64")
        if not re.fullmatch(r"\d+\.\d+\.\d+", version):
            raise CannotPack(f"the version must have three numbers, such as 0.1.0, not {version!r}")
        try:
            self.binary = pathlib.Path(binary).read_bytes()
        except OSError as error:
            raise CannotPack(f"the server cannot be read: {error}") from None
        self.architecture = architecture
        self.node, self.machine, self.go = ARCHITECTURES[architecture]
        self.version = version
        self.licences = pathlib.Path(licences) if licences else None
        self.java_libraries = pathlib.Path(java_libraries) if java_libraries else None
        self.names = _read_names(pathlib.Path(names))
        self._check_binary(binary)

    def _check_binary(self, binary):
        found = MACHINES.get(int.from_bytes(self.binary[18:20], "little")) if self.binary[:4] == b"\x7fELF" else None
        if found != self.architecture:
            raise CannotPack(f"{binary} is no program for {self.architecture}" + (f", but for {found}" if found else ""))

    @property
    def glibc(self):
        """The oldest glibc 2 that has every symbol which the server uses: 36 for 2.36. None: the server needs no library."""
        if not self._names_loader():
            return None
        return max(int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)\0", self.binary))

    def _names_loader(self):
        """Whether a program header of the ELF file is PT_INTERP."""
        offset, = struct.unpack_from("<Q", self.binary, 32)
        size, count = struct.unpack_from("<HH", self.binary, 54)
        return any(struct.unpack_from("<I", self.binary, offset + index * size)[0] == PT_INTERP for index in range(count))
