"""Plays one case against one server, and reports the differences to the expected answers. README.md has the form."""

import http.client
import json
import os
import re
import shutil
import subprocess
import tempfile

import boto3
import botocore.config
import botocore.exceptions

import servers

_PATIENCE_SECONDS = 120
_STREAM_OPERATIONS = ("DescribeStream", "GetRecords", "GetShardIterator", "ListStreams")


def authorization(access_key, region):
    """A header as people write it by hand: a credential, and invented values."""
    return (f"AWS4-HMAC-SHA256 Credential={access_key}/20200101/{region}/dynamodb/aws4_request, "
            "SignedHeaders=host, Signature=dummy")


def fill(value, running):
    """{port} in texts."""
    if isinstance(value, str):
        return value.replace("{port}", str(running.port)) if running else value
    if isinstance(value, list):
        return [fill(each, running) for each in value]
    if isinstance(value, dict):
        return {name: fill(each, running) for name, each in value.items()}
    return value


def differences(expected, found, path=""):
    """Objects may have more members than expected; {"matches": "..."} is a regular expression."""
    if isinstance(expected, dict) and set(expected) == {"matches"}:
        if not re.search(expected["matches"], str(found), re.S):
            yield f"{path or 'it'} is {found!r}, which does not match {expected['matches']!r}"
    elif isinstance(expected, dict):
        if not isinstance(found, dict):
            yield f"{path or 'it'} is {found!r}"
            return
        for name, value in expected.items():
            place = f"{path}.{name}" if path else name
            if value is None and name not in found:
                continue
            if name not in found:
                yield f"{place} is missing in {found!r}"
            else:
                yield from differences(value, found[name], place)
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for number, (one, other) in enumerate(zip(expected, found)):
            yield from differences(one, other, f"{path}[{number}]")
    elif expected != found:
        yield f"{path or 'it'} is {found!r}, not {expected!r}"


def send(running, request):
    """{"status", "body", "headers"} of one HTTP request, with no header that is not said."""
    connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=_PATIENCE_SECONDS)
    headers = dict(request.get("headers", {}))
    if "operation" in request:
        family = "DynamoDBStreams" if request["operation"] in _STREAM_OPERATIONS else "DynamoDB"
        headers = {"X-Amz-Target": f"{family}_20120810.{request['operation']}",
                   "Content-Type": "application/x-amz-json-1.0"} | headers
        caller = request.get("caller", ["dummy", "us-east-1"])
        headers = {"Authorization": authorization(*caller)} | headers
    body = request.get("body")
    if isinstance(body, dict):
        body = json.dumps(body)
    connection.request(request.get("method", "POST"), request.get("path", "/"), body,
                       {name: value for name, value in headers.items() if value is not None})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    found = {"status": answer.status, "headers": {name.lower(): value for name, value in answer.getheaders()}}
    try:
        found["body"] = json.loads(text) if text else {}
        found["type"] = found["body"].get("__type", "").rpartition("#")[2]
    except ValueError:
        found["body"] = text
    return found


def _command(running, command):
    """The output of a shell, with the port in $PORT."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "PORT": str(running.port)}
        done = subprocess.run(["bash", "-c", command], env=environment, cwd=folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=_PATIENCE_SECONDS, check=False)
    return {"exit": done.returncode, "stdout": done.stdout, "stderr": done.stderr}


def _client(running, settings):
    settings = {"service_name": "dynamodb", "region_name": "us-east-1", "aws_access_key_id": "dummy",
                "aws_secret_access_key": "dummy", "endpoint_url": "http://localhost:{port}"} | settings
    config = botocore.config.Config(**settings.pop("config", {"retries": {"total_max_attempts": 1}}))
    return boto3.client(config=config, **fill(settings, running))


def _sdk(running, call):
    client = _client(running, call.get("client", {}))
    try:
        if "waiter" in call:
            client.get_waiter(call["waiter"]).wait(**call.get("with", {}), WaiterConfig={"Delay": 1, "MaxAttempts": 5})
            return {"answer": {}}
        return {"answer": getattr(client, call["call"])(**call.get("with", {}))}
    except botocore.exceptions.ClientError as error:
        return {"error": error.response["Error"]["Code"]}


def _stream(running, table):
    """How many shards the stream of a table has, and how many records its first one, which is all that many
    tests read."""
    def call(operation, **body):
        return send(running, {"operation": operation, "body": body})["body"]

    arn = call("ListStreams", TableName=table)["Streams"][0]["StreamArn"]
    shards = call("DescribeStream", StreamArn=arn)["StreamDescription"]["Shards"]
    iterator = call("GetShardIterator", StreamArn=arn, ShardId=shards[0]["ShardId"], ShardIteratorType="TRIM_HORIZON")
    return {"shards": len(shards), "records": len(call("GetRecords", **iterator)["Records"])}


def _start(product, options):
    with tempfile.TemporaryDirectory() as folder:
        done = product.run_to_end(options, folder)
        return {"exit": done.returncode, "stdout": done.stdout, "stderr": done.stderr}


_KINDS = {"request": send, "command": _command, "sdk": _sdk, "stream": _stream}


def missing_tools(case):
    return [tool for tool in case.get("needs", []) if shutil.which(tool) is None]


def play(case, product, running, is_ours):
    """The differences, as sentences. A step is a case without a name."""
    problems = []
    for step in case.get("steps", [case]):
        expected = step["ours"]["expect"] if is_ours and "ours" in step else step["expect"]
        if "start" in step:
            found = _start(product, step["start"])
        elif "output" in step:
            found = {"lines": running.output().splitlines()[:step["output"]]}
        else:
            kind = next(kind for kind in _KINDS if kind in step)
            found = _KINDS[kind](running, fill(step[kind], running))
        problems += differences(fill(expected, running), found)
    return problems


def play_file(content, product, is_ours, note):
    """(name of the case, problems) for each case of a file."""
    cases = []
    for case in content["cases"]:
        if missing_tools(case):
            note(f"'{case['name']}' is left out, since there is no {', '.join(missing_tools(case))}")
        else:
            cases.append(case)
    if "server" not in content:
        return [(case["name"], play(case, product, None, is_ours)) for case in cases]
    with servers.Running(product, content["server"]) as running:
        return [(case["name"], play(case, product, running, is_ours)) for case in cases]
