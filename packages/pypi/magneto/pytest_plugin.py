"""Fixtures for pytest: a server for the run, a fork of it for each test, and a client that sees the fork.

With MAGNETO_ENDPOINT and MAGNETO_CONTROL_TOKEN set, they use a running server.
"""

import os

import pytest

import magneto


def pytest_addoption(parser):
    parser.addini("magneto_flags", "flags of the server, such as --schema orders.json", type="args", default=[])


@pytest.fixture(scope="session")
def magneto_server(pytestconfig):
    """The server. Its namespace main has the tables of magneto_flags."""
    if "MAGNETO_ENDPOINT" in os.environ:
        if "MAGNETO_CONTROL_TOKEN" not in os.environ:
            pytest.fail("MAGNETO_ENDPOINT is set, but not MAGNETO_CONTROL_TOKEN: set it to the server's --control-token")
        yield magneto.connect(os.environ["MAGNETO_ENDPOINT"], os.environ["MAGNETO_CONTROL_TOKEN"])
        return
    with magneto.start(*pytestconfig.getini("magneto_flags"), cwd=pytestconfig.rootpath) as server:
        yield server


@pytest.fixture
def magneto_fork(magneto_server):
    """A copy of main for one test."""
    with magneto_server.fork() as fork:
        yield fork


@pytest.fixture
def magneto_client(magneto_fork):
    """A boto3 client of DynamoDB that sees magneto_fork."""
    try:
        import boto3  # pylint: disable=import-outside-toplevel  # only for those tests that use it
    except ImportError:
        pytest.fail("the fixture magneto_client needs boto3: pip install boto3")
    client = boto3.client("dynamodb", **magneto_fork.client_options)
    yield client
    client.close()
