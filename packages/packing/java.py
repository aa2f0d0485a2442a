"""Java's jars, laid out as a Maven repository: the starter, and one for the platform, which has the server as a resource."""

import hashlib
import pathlib
import shutil
import subprocess
import sys
import tempfile

from packing.archives import Member, members_of, write, zip_of
from packing.release import ARCHITECTURES, PACKAGES, CannotPack

MANIFEST = "META-INF/MANIFEST.MF"
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>{group}</groupId>
  <artifactId>{artifact}</artifactId>
  <version>{version}</version>
  <name>{artifact}</name>
  <description>A DynamoDB-compatible database server for one machine, for tests</description>
{licences}{dependencies}</project>
"""
DEPENDENCY = "    <dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version>{}</dependency>\n"
OLDEST_JAVA = "11"


def _compiled(release):
    sources = sorted((PACKAGES / "java" / "src").rglob("*.java"))
    with tempfile.TemporaryDirectory(prefix="magneto-java-") as folder:
        libraries = ":".join(map(str, sorted(release.java_libraries.glob("*.jar"))))
        done = subprocess.run(["javac", "--release", OLDEST_JAVA, "-Xlint:all,-processing,-classfile,-options", "-Werror", "-proc:none",
                               "-cp", libraries, "-d", folder, *sources], capture_output=True, text=True, check=False)
        if done.returncode:
            raise CannotPack(f"javac refuses the sources of the Java package:\n{done.stdout}{done.stderr}")
        return members_of(pathlib.Path(folder))


def _pom(release, artifact, dependencies=""):
    licence = release.names["licence"]
    return POM.format(group=release.names["maven_group"], artifact=artifact, version=release.version,
                      licences=f"  <licenses><license><name>{licence}</name></license></licenses>\n" if licence else "",
                      dependencies=f"  <dependencies>\n{dependencies}  </dependencies>\n" if dependencies else "")


def _write_artifact(release, folder, artifact, members, pom):
    members[MANIFEST] = Member(f"Manifest-Version: 1.0\r\nAutomatic-Module-Name: {artifact.replace('-', '.')}\r\n\r\n")
    at = folder / "maven" / release.names["maven_group"].replace(".", "/") / artifact / release.version
    for suffix, data in ((".jar", zip_of(members, first=[MANIFEST])), (".pom", pom.encode())):
        write(at / f"{artifact}-{release.version}{suffix}", data)
        write(at / f"{artifact}-{release.version}{suffix}.sha1", hashlib.sha1(data).hexdigest())


def pack(release, folder):
    if release.java_libraries is None or shutil.which("javac") is None:
        print("packages/pack: Left out: java, which needs javac, and --java-libraries to compile against", file=sys.stderr)
        return
    platforms = [f"magneto-linux-{architecture}" for architecture in ARCHITECTURES]
    group = release.names["maven_group"]
    needed = "".join(DEPENDENCY.format(group, platform, release.version, "<scope>runtime</scope>") for platform in platforms)
    _write_artifact(release, folder, "magneto", _compiled(release), _pom(release, "magneto", needed))
    platform = f"magneto-linux-{release.architecture}"
    at = f"META-INF/magneto/linux-{release.architecture}/"
    members = {at + "magneto": Member(release.binary, is_program=True),
               at + "digest": Member(f"{hashlib.sha256(release.binary).hexdigest()[:16]} {len(release.binary)}\n")}
    if release.licences:
        members |= members_of(release.licences, "META-INF/licences/")
    _write_artifact(release, folder, platform, members, _pom(release, platform))
