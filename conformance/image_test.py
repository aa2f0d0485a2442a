"""image_test.py <server> <source folder> <folder for the image's files>: the container image, run.

docker/build_image makes the image from the server, with docker, podman or buildah. Without any of them, or if apt
cannot get the image's packages, the exit code is 77, and ctest reports that the test did not run. All requests are
made inside the container, since buildah has no network of its own: ports are free ones of this machine.
"""

import os
import socket
import subprocess
import sys
import tarfile
import tempfile
import unittest

NOT_RUN = 77
NAME = "localhost/magneto-conformance"
MAX_COMPRESSED_MB = 100
IPV6 = os.path.exists("/proc/net/if_inet6")  # on this machine
STOP_SECONDS = 5

# Before each case's own lines: `serve <arguments>` starts the image's entry point and waits until its health check
# is content; `stop` prints the exit code of SIGTERM and the whole seconds that it took.
PROLOGUE = """
exec 2>&1
serve() {
  entrypoint "$@" >/tmp/output 2>&1 &
  server=$!
  for attempt in $(seq 100); do
    healthcheck 2>/dev/null && return
    kill -0 $server 2>/dev/null || break
    sleep 0.2
  done
  cat /tmp/output
  echo NOT SERVED
}
trap 'kill $server 2>/dev/null' EXIT
stop() {
  started=$(date +%s)
  kill -TERM $server
  wait $server
  echo "stopped $? $(($(date +%s) - started))"
}
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def command(*words, timeout=300, errors=subprocess.STDOUT):
    return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
                          text=True, timeout=timeout, check=False)


class Image(unittest.TestCase):
    engine = ""
    folder = ""

    def run_inside(self, script, user=None, mount=None, environment=(), ipv6=False):
        """The output of a shell in a container of the image; `mount` is (folder here, folder there)."""
        options = [*(["--user", user] if user else ()), *(["-v", ":".join(mount)] if mount else ())]
        for setting in environment:
            options += ["--env", setting]
        script = ["bash", "-c", f"{PROLOGUE}{script}\nexit 0"]
        if self.engine != "buildah":
            if ipv6:  # Docker switches it off inside unless told otherwise
                options += ["--sysctl", "net.ipv6.conf.all.disable_ipv6=0"]
            # Messages of the engine itself go to the log of the test.
            return command(self.engine, "run", "--rm", *options, NAME, *script, errors=None).stdout
        container = command("buildah", "from", "--pull-never", NAME).stdout.strip()
        try:
            return command("buildah", "run", "--isolation", "chroot", *options, container, "--", *script).stdout
        finally:
            command("buildah", "rm", container)

    def test_its_label(self):
        """AWS's MCP server reads the version of DynamoDB Local in it (docs/agents.md)."""
        labels = ".OCIv1.Config.Labels" if self.engine == "buildah" else ".Config.Labels"
        told = command(self.engine, "inspect", "--type", "image", "--format", f'{{{{index {labels} "aws.java.sdk.version"}}}}', NAME)
        self.assertEqual(told.stdout.strip(), "3.3.0")

    def test_what_is_in_it(self):
        self.assertEqual(
            self.run_inside("id -u; pwd; for tool in sh bash curl wget grep java; do command -v $tool; done; "
                            "java --version | grep -c magneto; ls -d /usr/share/man /usr/share/locale 2>/dev/null").split(),
            ["1000", "/home/dynamodblocal", "/usr/bin/sh", "/usr/bin/bash", "/usr/bin/curl", "/usr/bin/wget",
             "/usr/bin/grep", "/usr/local/bin/java", "1"])

    def test_folders_are_writable_for_any_user_of_group_0(self):
        for user in (None, "123456:0"):
            self.assertEqual(self.run_inside("touch /data/a /home/dynamodblocal/data/a a && echo written", user=user),
                             "written\n")

    def test_the_health_check_follows_the_port(self):
        for arguments in ("--port {}", "--port={}", "--host 127.0.0.1 --port {}", *(IPV6 * ("--host ::1 --port {}",))):
            port = free_port()
            with self.subTest(arguments):
                printed = self.run_inside(f"healthcheck; echo $?; serve {arguments.format(port)}; echo served; stop; "
                                          "healthcheck; echo $?", ipv6="::1" in arguments)
                self.assertRegex(printed, "^no server answers\n1\nserved\nstopped 0 [0-9]+\nno server answers\n1\n$")

    def test_it_takes_the_place_of_dynamodb_local(self):
        port = free_port()
        for start in ("serve", f"serve -jar DynamoDBLocal.jar -sharedDb -inMemory -port {port}",
                      f"serve java -Djava.library.path=./DynamoDBLocal_lib -jar DynamoDBLocal.jar -sharedDb -port {port}",
                      f"serve -jar DynamoDBLocal.jar -sharedDb -dbPath ./data -port {port}"):
            with self.subTest(start):
                printed = self.run_inside(
                    f"{start}; curl -s -o /dev/null -w '%{{http_code}}\n' http://127.0.0.1:{port}/; stop; "
                    "grep -c '^Initializing DynamoDB Local with the following configuration:' /tmp/output; ls -A data", environment=[f"MAGNETO_PORT={port}"])
                status, stopped, banner, *data = printed.splitlines()
                self.assertEqual((status, stopped.split()[:2], banner), ("400", ["stopped", "0"], "1"), printed)
                self.assertEqual(bool(data), "-dbPath" in start, printed)

    def test_every_address_answers(self):
        port = free_port()
        addresses = ["127.0.0.1", *(IPV6 * ["[::1]"])]
        printed = self.run_inside(
            f"serve --port {port}; " + "".join(f"curl -s http://{address}:{port}/; echo; wget -q -O - http://{address}:{port}/; echo; "
                                               for address in addresses), ipv6=IPV6)
        self.assertEqual(printed.count("healthy"), 2 * len(addresses), printed)

    def test_it_stops_whatever_clients_do(self):
        port = free_port()
        printed = self.run_inside(f"serve --port {port} --data-dir /data; exec 3<>/dev/tcp/127.0.0.1/{port}; "
                                  r"printf 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{' >&3; stop")
        self.assertRegex(printed, "^stopped 0 [0-%d]\n$" % STOP_SECONDS)

    def test_data_in_a_folder_is_kept_and_not_passed_over(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            mount = (folder, "/data")
            port = free_port()
            kept = f"serve --port {port} --data-dir /data; stop; echo; entrypoint --port {port}; echo $?"
            printed = self.run_inside(kept, mount=mount)
            self.assertIn("stopped 0", printed)
            self.assertIn("magneto: /data holds tables, which this server would not serve", printed)
            self.assertTrue(printed.endswith("\n1\n"), printed)
            for arguments in ("", "-jar DynamoDBLocal.jar -inMemory", "--data-dir ''"):
                self.assertIn("/data holds tables", self.run_inside(f"entrypoint {arguments}", mount=mount))
            self.assertIn("magneto", self.run_inside("entrypoint --version", mount=mount))
            self.assertNotIn("NOT SERVED", self.run_inside(f"serve --port {port}", mount=mount,
                                                           environment=["MAGNETO_DATA_DIR=/data"]))
            self.run_inside("rm -rf /data/*", mount=mount)

    def test_a_folder_of_someone_else_is_refused_and_left_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            before = os.stat(folder)
            printed = self.run_inside("entrypoint --data-dir /data; echo $?", mount=(folder, "/data"), user="4242:0")
            self.assertRegex(printed, "^magneto: cannot write to data directory /data: Permission denied .this is "
                                      "user 4242, and the directory is user [0-9]+'s: give it to user 4242 or .*\n1\n$")
            after = os.stat(folder)
            self.assertEqual((before.st_mode, before.st_uid, before.st_gid, os.listdir(folder)),
                             (after.st_mode, after.st_uid, after.st_gid, []))

    def test_it_is_small(self):
        with tempfile.TemporaryFile() as file:
            with tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as archive:
                archive.add(self.folder + "/image")
            self.assertLess(file.tell(), MAX_COMPRESSED_MB << 20)


def main(server, sources, folder):
    engine = command(sources + "/docker/engine")
    if engine.returncode != 0:
        print("neither docker nor podman nor buildah works here: the image is not tested")
        return NOT_RUN
    Image.engine = engine.stdout.strip()
    Image.folder = folder
    architecture = command("dpkg", "--print-architecture").stdout.strip()
    built = command(sources + "/docker/build_image", architecture, server, folder, NAME, timeout=900)
    if built.returncode != 0:
        print(built.stdout)
        print("the image could not be built")
        # Without a network the image cannot be made: its packages come from Debian's mirrors.
        return 1 if os.path.isdir(folder + "/image.packages") else NOT_RUN
    passed = unittest.main(argv=sys.argv[:1], exit=False).result.wasSuccessful()
    command(Image.engine, "rmi", NAME)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
