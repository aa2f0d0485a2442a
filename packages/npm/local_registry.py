"""A registry of npm on this machine: it serves the packed tarballs, and the packages of a folder of modules."""

import base64
import hashlib
import http.server
import io
import json
import tarfile
import threading
from urllib.parse import unquote


def about_of(path):
    with tarfile.open(path) as archive:
        return json.load(archive.extractfile("package/package.json"))


def packed(folder):
    """The folder of a module as a tarball, without its own modules."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", compresslevel=1) as archive:
        archive.add(folder, "package", filter=lambda info: None if "/node_modules" in info.name else info)
    return buffer.getvalue()


class LocalRegistry(http.server.ThreadingHTTPServer):
    def __init__(self, tarballs, modules):
        super().__init__(("127.0.0.1", 0), Answers)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.files = {}  # name -> a tarball, or the folder that is to be packed
        self.documents = {}
        for path in tarballs:
            digest = base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()
            self.add(about_of(path), path, integrity=f"sha512-{digest}")
        for path in sorted(modules.glob("**/package.json")):
            if path.parent.parent.name == "node_modules" or path.parent.parent.parent.name == "node_modules":
                about = json.loads(path.read_text(encoding="utf-8"))
                if "name" in about and "version" in about:
                    self.add(about, path.parent)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def add(self, about, path, **more):
        name, version = about["name"], about["version"]
        file = f"{name.replace('/', '-')}-{version}.tgz"
        self.files[file] = path
        about["dist"] = {"tarball": f"{self.url}/files/{file}", **more}
        document = self.documents.setdefault(name, {"name": name, "dist-tags": {"latest": version}, "versions": {}})
        document["versions"][version] = about


class Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # an answer is sent as a whole

    def do_GET(self):  # pylint: disable=invalid-name  # the base class names it
        path = unquote(self.path.partition("?")[0]).lstrip("/")
        if path.startswith("files/"):
            file = self.server.files[path.removeprefix("files/")]
            self.answer(200, packed(file) if file.is_dir() else file.read_bytes())
        elif path in self.server.documents:
            self.answer(200, json.dumps(self.server.documents[path]).encode())
        else:
            self.answer(404, b"{}")

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
