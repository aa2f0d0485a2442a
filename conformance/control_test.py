"""Which clients may use the paths under /_/, and how the server starts with them. control_test.py <magneto> [test
...]
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest

from control_server import BINARY, Server, TABLE, WithServer


class WhoMayAskTest(WithServer):
    def test_the_token_is_needed(self):
        for path in ("namespaces", "status", "nothing"):
            self.refused(401, "GET", path, part="Bearer TOKEN", token=False)
            self.refused(401, "GET", path, part="wrong token", headers={"Authorization": "Bearer x" + self.server.token})
            self.refused(401, "GET", path, part="Bearer TOKEN", headers={"Authorization": self.server.token})
        self.refused(401, "POST", "namespaces", {"name": "a"}, token=False)
        self.assertEqual(self.server.control("GET", "namespaces/a")[0], 404)

    def test_hosts_and_origins_of_elsewhere_are_refused(self):
        port = self.server.port
        for host in ("db.example", f"db.example:{port}", "localhost.example"):
            self.refused(403, "GET", "status", part="Host", headers={"Host": host})
        for origin in ("https://app.example", "null", "http://localhost:1", f"https://localhost:{port}", "http://localhost"):
            for method, path in (("GET", "status"), ("POST", "namespaces"), ("OPTIONS", "status")):
                self.refused(403, method, path, part="origin", headers={"Origin": origin})
        self.assertEqual(self.server.control("GET", "status", headers={"Origin": f"http://localhost:{port}"})[0], 200)

    def test_no_page_of_elsewhere_may_read_an_answer(self):
        server = Server("--cors", "*")
        self.addCleanup(server.stop)
        for origin in ("https://app.example", f"http://localhost:{server.port}", "null"):
            for method in ("GET", "OPTIONS", "POST"):
                _, headers, _ = server.ask(method, "/_/status", headers={"Origin": origin, "Access-Control-Request-Method": "PUT"})
                self.assertFalse([name for name in headers if name.lower().startswith("access-control")])
        # Others may, of operations and health.
        for path in ("/", "/_/health"):
            self.assertEqual(server.ask("GET", path, headers={"Origin": "https://app.example"})[1]["Access-Control-Allow-Origin"], "*")

    def test_health_readiness_and_metrics_need_no_token(self):
        for path in ("/_/health", "/_/ready", "/metrics", "/"):
            self.assertEqual(self.server.ask("GET", path, token=False)[0], 200)


class StartTest(unittest.TestCase):
    def test_the_token_is_kept_in_a_file_while_the_server_runs(self):
        server = Server()
        self.assertEqual(server.token_file, f"{server.runtime}/magneto-control-{server.port}")
        self.assertEqual(os.stat(server.token_file).st_mode & 0o777, 0o600)
        with open(server.token_file, encoding="ascii") as file:
            self.assertEqual(file.read(), server.token + "\n")
        self.assertRegex(server.token, r"^[A-Za-z0-9_-]{43}$")
        lines = server.output().splitlines()
        self.assertEqual(len(lines), 2)
        self.assertIn(f"control at http://localhost:{server.port}/_/, token ", lines[1])
        path = server.token_file
        server.process.terminate()
        server.process.wait(60)
        self.assertFalse(os.path.exists(path))
        self.assertEqual(server.stop(), "")

    def test_in_a_data_directory_it_lies_there_and_a_killed_server_leaves_it(self):
        with tempfile.TemporaryDirectory() as folder:
            data = os.path.join(folder, "data")
            tokens = set()
            for _ in range(2):
                server = Server("--data-dir", data)
                self.assertEqual(server.token_file, data + "/control-token")
                self.assertEqual(server.control("GET", "status")[1]["durable"], True)
                tokens.add(server.token)
                server.kill()
            self.assertEqual(len(tokens), 2)

    def test_a_link_in_its_place_is_not_followed(self):
        with tempfile.TemporaryDirectory() as folder:
            data = os.path.join(folder, "data")
            Server("--data-dir", data).stop()
            target = os.path.join(folder, "target")
            with open(target, "w", encoding="ascii") as file:
                file.write("mine")
            os.symlink(target, data + "/control-token")
            server = Server("--data-dir", data)
            self.assertFalse(os.path.islink(data + "/control-token"))
            with open(target, encoding="ascii") as file:
                self.assertEqual(file.read(), "mine")
            server.stop()

    def test_where_it_cannot_be_written_the_start_goes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            shared = os.path.join(folder, f"magneto-{os.geteuid()}")
            os.mkdir(shared)
            os.chmod(shared, 0o777)
            server = Server(environment={"XDG_RUNTIME_DIR": "", "TMPDIR": folder})
            self.assertIsNone(server.token_file)
            self.assertEqual(server.control("GET", "status")[0], 200)
            self.assertEqual(os.listdir(shared), [])
            self.assertIn("other users can write", server.stop())
            os.rmdir(shared)
            server = Server(environment={"XDG_RUNTIME_DIR": "", "TMPDIR": folder})
            self.assertEqual(server.token_file, f"{shared}/control-{server.port}")
            self.assertEqual(os.stat(shared).st_mode & 0o777, 0o700)
            self.assertEqual(server.stop(), "")

    def test_a_token_can_be_given_and_control_taken_away(self):
        for flags, environment in ((("--control-token", "chosen"), {}), ((), {"MAGNETO_CONTROL_TOKEN": "chosen"})):
            server = Server(*flags, environment=environment)
            self.assertIsNone(server.token_file)
            self.assertNotIn("chosen", server.output())
            server.token = "chosen"
            self.assertEqual(server.control("GET", "status")[0], 200)
            self.assertEqual(os.listdir(server.runtime), [])
            server.stop()
        server = Server("--no-control")
        self.assertEqual(len(server.output().splitlines()), 1)
        self.assertEqual(server.ask("GET", "/_/status", token=False)[0], 404)
        self.assertEqual(server.ask("GET", "/_/health", token=False)[0], 200)
        self.assertEqual(server.call("ListTables", {}, namespace="a")[0], 400)
        server.stop()
        for flags in (("--control-token", ""), ("--control-token", "a b"), ("--no-control", "--control-token", "a")):
            done = subprocess.run([BINARY, *flags], capture_output=True, check=False, text=True)
            self.assertEqual(done.returncode, 2, done)
            self.assertIn("--control-token", done.stderr)

    def test_testcontainers_finds_its_first_line(self):
        server = Server("--like", "dynamodb-local")
        self.assertTrue(server.output().startswith("Initializing DynamoDB Local with the following configuration:\n"))
        self.assertEqual(server.control("GET", "status")[1]["profile"], "dynamodb-local")
        server.stop()


class VerifiedTest(unittest.TestCase):
    def test_access_keys_choose_nothing_where_they_say_who_asks(self):
        import boto3
        keys = os.path.join(os.path.dirname(os.path.abspath(__file__)), "keys.ini")
        server = Server("--auth", "verify", "--credentials", keys)
        self.addCleanup(server.stop)
        with open(keys, encoding="utf-8") as file:
            text = file.read()
        key = re.search(r"aws_access_key_id *= *(\S+)", text).group(1)
        secret = re.search(r"aws_secret_access_key *= *(\S+)", text).group(1)
        client = boto3.client("dynamodb", endpoint_url=f"http://localhost:{server.port}", region_name="us-east-1",
                              aws_access_key_id=key, aws_secret_access_key=secret)
        self.assertEqual(server.control("POST", "namespaces", {"name": key})[0], 201)
        client.create_table(**TABLE)
        self.assertEqual(server.control("GET", "namespaces/main")[1]["tables"], 1)
        self.assertEqual(server.control("GET", "namespaces/" + key)[1]["tables"], 0)
        client.meta.events.register("before-sign.dynamodb.ListTables",
                                    lambda request, **_: request.headers.add_header("X-Magneto-Namespace", key))
        self.assertEqual(client.list_tables()["TableNames"], [])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
