"""The control interface under /_/: each method is one request."""

import http.client
import json
from contextlib import closing
from datetime import datetime, timedelta, timezone
from typing import Any, Optional, Union
from urllib.parse import quote, urlsplit

TIMEOUT_SECONDS = 660  # settle waits for ten minutes at most
Duration = Union[str, timedelta]


class ControlError(RuntimeError):
    """The server refused a control request. The message is its sentence."""

    def __init__(self, status: int, sentence: str):
        super().__init__(sentence)
        self.status = status


class JournalError(AssertionError):
    """An assertion on the journal failed. The message has a sentence for each failure."""


def duration_text(duration: Duration) -> str:
    if isinstance(duration, timedelta):
        return f"{duration // timedelta(milliseconds=1)}ms"
    return duration


def ask(endpoint: str, token: str, method: str, path: str, body: Any = None) -> Any:
    at = urlsplit(endpoint)
    kind = http.client.HTTPSConnection if at.scheme == "https" else http.client.HTTPConnection
    with closing(kind(at.hostname, at.port, timeout=TIMEOUT_SECONDS)) as connection:
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        connection.request(method, f"/_/{path}", None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read().decode()
    if answer.status >= 300:
        try:
            sentence = json.loads(text)["error"]
        except (ValueError, LookupError, TypeError):
            sentence = text
        raise ControlError(answer.status, sentence)
    return json.loads(text) if text else None


class Clock:
    """The clock of one namespace. Durations are "25h", "90s", or a timedelta."""

    def __init__(self, namespace: "Namespace"):
        self._control = namespace.control

    def now(self) -> datetime:
        return datetime.fromisoformat(self._control("GET", "clock")["now"].replace("Z", "+00:00"))

    def advance(self, by: Duration) -> None:
        self._control("PUT", "clock", {"advance": duration_text(by)})

    def set(self, time: datetime) -> None:
        text = time.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self._control("PUT", "clock", {"now": text})

    def freeze(self) -> None:
        self._control("PUT", "clock", {"frozen": True})

    def unfreeze(self) -> None:
        self._control("PUT", "clock", {"frozen": False})

    def reset(self) -> None:
        """Back to real time."""
        self._control("DELETE", "clock")


class Faults:
    """The rules by which requests of one namespace fail: docs/faults.md has their members."""

    def __init__(self, namespace: "Namespace"):
        self._control = namespace.control

    def add(self, fault: dict, **rule: Any) -> str:
        """add({"error": "ThrottlingException"}, operations=["PutItem"], count=1). Returns the rule's id."""
        return self._control("POST", "faults", {**rule, "fault": fault})["id"]

    def list(self) -> list:
        return self._control("GET", "faults")["rules"]

    def remove(self, rule: str) -> None:
        self._control("DELETE", f"faults/{quote(rule)}")

    def clear(self) -> None:
        self._control("DELETE", "faults")


class Journal:
    """The last requests of one namespace: docs/journal.md has the members of records and assertions."""

    def __init__(self, namespace: "Namespace"):
        self._control = namespace.control

    def start(self, **settings: Any) -> None:
        self._control("PUT", "journal", {"on": True, **settings})

    def stop(self) -> None:
        self._control("PUT", "journal", {"on": False})

    def records(self, **filters: Any) -> list:
        """records(operation="PutItem", table="Orders", after=7)"""
        query = "&".join(f"{name}={quote(str(value))}" for name, value in filters.items())
        return self._control("GET", f"journal?{query}" if query else "journal")["records"]

    def check(self, *assertions: dict, after: int = 0) -> None:
        """check({"no_scan": True}, {"max_calls": {"operation": "PutItem", "count": 2}}) raises JournalError if one fails."""
        answer = self._control("POST", "journal/assert", {"after": after, "assertions": list(assertions)})
        if not answer["passed"]:
            raise JournalError("\n".join(failure["sentence"] for failure in answer["failures"]))

    def clear(self) -> None:
        self._control("DELETE", "journal")


class Namespace:
    """Tables of their own, with their clock, faults and journal: `main`, or a fork. Clients find it by its access key."""

    region = "us-east-1"
    secret_access_key = "any"

    def __init__(self, endpoint: str, token: str, name: str, home: Optional[str] = None):
        self.endpoint = endpoint  # for clients
        self.token = token
        self.name = self.access_key_id = name
        self._home = home or endpoint  # of the control interface
        self.clock = Clock(self)
        self.faults = Faults(self)
        self.journal = Journal(self)

    @property
    def client_options(self) -> dict:
        """boto3.client("dynamodb", **namespace.client_options), or boto3.resource."""
        return {"endpoint_url": self.endpoint, "region_name": self.region, "aws_access_key_id": self.access_key_id,
                "aws_secret_access_key": self.secret_access_key}

    def control(self, method: str, path: str = "", body: Any = None) -> Any:
        """A request to /_/namespaces/<name>/<path>, for everything without a method here."""
        where = f"namespaces/{quote(self.name)}" + (f"/{path}" if path else "")
        return ask(self._home, self.token, method, where, body)

    def fork(self, name: Optional[str] = None, *, port: Union[bool, int] = False, expires_after: Duration = "10m") -> "Fork":
        """A copy of this namespace. With `port` it has an endpoint of its own, else clients find it by its access key."""
        wanted = {"from": {"namespace": self.name}, "expires_after": duration_text(expires_after),
                  **({"name": name} if name else {}), **({"port": port} if port else {})}
        made = ask(self._home, self.token, "POST", "namespaces", wanted)
        return Fork(made.get("endpoint") or self._home, self.token, made["name"], self._home)

    def settle(self, timeout: Duration = "30s") -> None:
        """Waits for indexes, expiry and other background work."""
        self.control("POST", "settle", {"timeout": duration_text(timeout)})

    def reset(self) -> None:
        self.control("POST", "reset")

    def truncate(self, *tables: str) -> int:
        """Deletes the items of these tables, or of all. Returns their number."""
        return self.control("POST", "truncate", {"tables": list(tables)} if tables else {})["items"]


class Fork(Namespace):
    """A copy of a namespace, usually for one test. `with` deletes it at the end."""

    def delete(self) -> None:
        self.control("DELETE")

    def __enter__(self) -> "Fork":
        return self

    def __exit__(self, *_: Any) -> None:
        self.delete()
