"""Every member of the Python package, once, against a server of its own."""

import contextlib
import datetime

import boto3
import magneto

TABLE = {"TableName": "Tab", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
         "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}


@contextlib.contextmanager
def expecting(kind, part):
    try:
        yield
    except kind as error:
        assert part in str(error), error
    else:
        raise AssertionError(f"no {kind.__name__}")


def client_of(space):
    return boto3.client("dynamodb", **space.client_options)


def walk_clock(space):
    space.clock.freeze()
    space.clock.set(datetime.datetime(2031, 2, 3, 13, tzinfo=datetime.timezone(datetime.timedelta(hours=1))))
    assert space.clock.now() == datetime.datetime(2031, 2, 3, 12, tzinfo=datetime.timezone.utc)
    space.clock.advance(datetime.timedelta(minutes=90))
    assert space.clock.now().isoformat() == "2031-02-03T13:30:00+00:00"
    space.clock.unfreeze()
    assert not space.control("GET", "clock")["frozen"]
    space.clock.reset()
    assert abs(space.clock.now() - datetime.datetime.now(datetime.timezone.utc)) < datetime.timedelta(hours=1)
    with expecting(magneto.ControlError, "advance"):
        space.clock.advance("long")


def walk_faults(space, client):
    rule = space.faults.add({"error": "InternalServerError"}, operations=["ListTables"])
    assert [found["id"] for found in space.faults.list()] == [rule]
    with expecting(client.exceptions.InternalServerError, "InternalServerError"):
        client.list_tables()
    space.faults.remove(rule)
    assert space.faults.list() == []
    space.faults.add({"error": "InternalServerError"})
    space.faults.clear()
    assert client.list_tables()["TableNames"] == ["Tab"]


def walk_journal(space, client):
    space.journal.start(bodies=True)
    client.put_item(TableName="Tab", Item={"pk": {"S": "a"}})
    client.scan(TableName="Tab")
    assert [record["operation"] for record in space.journal.records()] == ["PutItem", "Scan"]
    (record,) = space.journal.records(operation="Scan", table="Tab")
    space.journal.check({"no_scan": True}, after=record["number"])
    with expecting(magneto.JournalError, "Scan"):
        space.journal.check({"no_errors": True}, {"no_scan": True})
    space.journal.stop()
    client.scan(TableName="Tab")
    assert len(space.journal.records()) == 2
    space.journal.clear()
    assert space.journal.records() == []


def walk_forks(server):
    client_of(server).put_item(TableName="Tab", Item={"pk": {"S": "kept"}})
    with server.fork("named", port=True, expires_after=datetime.timedelta(minutes=1)) as fork:
        assert fork.name == fork.access_key_id == "named"
        assert fork.endpoint != server.endpoint
        anyone = boto3.client("dynamodb", **fork.client_options | {"aws_access_key_id": "anyone"})
        assert fork.truncate("Tab") == client_of(server).scan(TableName="Tab")["Count"]
        assert anyone.scan(TableName="Tab")["Count"] == 0
        with fork.fork() as second:
            assert second.endpoint == server.endpoint
            assert client_of(second).scan(TableName="Tab")["Count"] == 0
        fork.reset()
        fork.settle("10s")
        assert anyone.scan(TableName="Tab")["Count"] == 2
    with expecting(magneto.ControlError, "named"):
        fork.clock.now()
    assert server.truncate() == 2


with magneto.start() as started:
    assert started.port == int(started.endpoint.rpartition(":")[2])
    client_of(started).create_table(**TABLE)
    running = magneto.connect(started.endpoint + "/", started.token)
    for namespace in (started, running):
        walk_clock(namespace)
        walk_faults(namespace, client_of(namespace))
        walk_journal(namespace, client_of(namespace))
        walk_forks(namespace)
    running.stop()
    assert started.control("GET")["tables"] == 1
    try:
        magneto.connect(started.endpoint, "wrong").control("GET")
    except magneto.ControlError as refusal:
        assert refusal.status == 401, refusal
    else:
        raise AssertionError("a wrong token was taken")
    started.stop()
    started.stop()
