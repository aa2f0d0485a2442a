"""A wheel: the Python package, and the server in it."""

import re

from packing.archives import Member, members_of, sha256_base64, write, zip_of
from packing.release import PACKAGES

OF_ANY_LINUX = ("manylinux_2_17", "musllinux_1_1")  # of a server that needs no library
DOCUMENT = PACKAGES.parent / "docs" / "python.md"


def metadata(release):
    licence = release.names["licence"]
    lines = ["Metadata-Version: 2.1", f"Name: {release.names['pypi']}", f"Version: {release.version}",
             "Summary: A DynamoDB-compatible database server for one machine, for tests", "Requires-Python: >=3.9",
             *([f"License: {licence}"] if licence else []), "Provides-Extra: boto3", "Requires-Dist: boto3; extra == 'boto3'",
             "Classifier: Framework :: Pytest", "Classifier: Operating System :: POSIX :: Linux",
             "Description-Content-Type: text/markdown", "", DOCUMENT.read_text(encoding="utf-8")]
    return "\n".join(lines)


def pack(release, folder):
    members = members_of(PACKAGES / "pypi" / "magneto", "magneto/", (".py", ".typed"))
    members["magneto/bin/magneto"] = Member(release.binary, is_program=True)
    name = re.sub(r"[-_.]+", "_", release.names["pypi"]).lower()
    about = f"{name}-{release.version}.dist-info/"
    systems = OF_ANY_LINUX if release.glibc is None else (f"manylinux_2_{release.glibc}",)
    tags = [f"{system}_{release.machine}" for system in systems]
    tag = ".".join(tags)
    members[about + "METADATA"] = Member(metadata(release))
    lines = ["Wheel-Version: 1.0", "Generator: magneto", "Root-Is-Purelib: false", *(f"Tag: py3-none-{one}" for one in tags), ""]
    members[about + "WHEEL"] = Member("\n".join(lines))
    members[about + "entry_points.txt"] = Member(
        "[console_scripts]\nmagneto = magneto.__main__:main\n\n[pytest11]\nmagneto = magneto.pytest_plugin\n")
    if release.licences:
        members |= members_of(release.licences, about + "licenses/")
    rows = [f"{path},sha256={sha256_base64(member.data)},{len(member.data)}\n" for path, member in sorted(members.items())]
    members[about + "RECORD"] = Member("".join([*rows, f"{about}RECORD,,\n"]))
    write(folder / "pypi" / f"{name}-{release.version}-py3-none-{tag}.whl", zip_of(members))
