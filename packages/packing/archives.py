"""Archives whose bytes depend on their members alone: sorted, with one time, one owner and two modes."""

import base64
import gzip
import hashlib
import io
import tarfile
import zipfile

EPOCH = (1980, 1, 1, 0, 0, 0)  # the first time that a zip archive can hold
SECONDS = 315532800  # the same time
LEVEL = 6


class Member:
    """The bytes of one file, and whether it is a program."""

    def __init__(self, data, is_program=False):
        self.data = data.encode() if isinstance(data, str) else data
        self.mode = 0o755 if is_program else 0o644

    @classmethod
    def of(cls, path):
        return cls(path.read_bytes(), bool(path.stat().st_mode & 0o100))


def members_of(folder, prefix="", suffixes=None):
    """name -> Member of each file below the folder, without caches, tests and READMEs of the repository."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and "__pycache__" not in path.parts and (suffixes is None or name.endswith(suffixes)):
            found[prefix + name] = Member.of(path)
    return found


def tar_gz(members):
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, compresslevel=LEVEL, mtime=SECONDS) as compressed:
        with tarfile.open(mode="w", fileobj=compressed, format=tarfile.USTAR_FORMAT) as archive:
            for name, member in sorted(members.items()):
                info = tarfile.TarInfo(name)
                info.size, info.mode, info.mtime = len(member.data), member.mode, SECONDS
                archive.addfile(info, io.BytesIO(member.data))
    return buffer.getvalue()


def zip_of(members, first=()):
    """`first` names the members that precede the sorted ones."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        for name in [*first, *sorted(set(members) - set(first))]:
            info = zipfile.ZipInfo(name, EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3  # Unix, whose modes follow
            info.external_attr = (0o100000 | members[name].mode) << 16
            archive.writestr(info, members[name].data)
    return buffer.getvalue()


def gzip_of(data):
    return gzip.compress(data, LEVEL, mtime=SECONDS)


def sha256_base64(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
