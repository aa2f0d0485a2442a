"""copy_local_test.py <binary> [folder with DynamoDB Local]: magneto copy from DynamoDB Local to Magneto and back.

Tables and items are the same after both copies. Changes at DynamoDB Local during a following copy arrive too.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time

import import_test
import servers

_PATIENCE_SECONDS = 240
_OPTIONS = ["-inMemory", "-sharedDb"]  # else each access key has tables of its own
_TABLES = ("Everything", "Indexed", "Numbers-1.x_y")


def copy(binary, source, target, *flags):
    command = [binary, "copy", "--from", f"http://127.0.0.1:{source.port}", "--to", f"http://127.0.0.1:{target.port}",
               "--segments", "2", *flags]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE_SECONDS, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    return done.stderr


def structure(dynamodb, table):
    described = dynamodb.describe_table(TableName=table)["Table"]
    kept = {name: described.get(name) for name in ("KeySchema", "AttributeDefinitions")}
    kept["AttributeDefinitions"].sort(key=lambda definition: definition["AttributeName"])
    for kind in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes"):
        kept[kind] = sorted(({name: index[name] for name in ("IndexName", "KeySchema", "Projection")}
                             for index in described.get(kind, [])), key=lambda index: index["IndexName"])
    kept["stream"] = described.get("StreamSpecification", {}).get("StreamViewType")
    kept["time to live"] = dynamodb.describe_time_to_live(TableName=table)["TimeToLiveDescription"]
    return kept


def items(dynamodb, table):
    pages = dynamodb.get_paginator("scan").paginate(TableName=table, ConsistentRead=True)
    return sorted(repr(sorted((name, _ordered(value)) for name, value in item.items()))
                  for page in pages for item in page["Items"])


def _ordered(value):
    ((kind, content),) = value.items()
    if kind in ("SS", "NS", "BS"):
        return kind, sorted(content)
    if kind == "L":
        return kind, [_ordered(element) for element in content]
    if kind == "M":
        return kind, sorted((name, _ordered(element)) for name, element in content.items())
    return kind, content


def check_there_and_back(binary, local):
    with servers.Running(local, _OPTIONS) as first, servers.Running(servers.magneto(binary), _OPTIONS) as ours, \
            servers.Running(local, _OPTIONS) as second:
        import_test.create_tables(import_test.client(first))
        import_test.put_items(import_test.client(first))
        copy(binary, first, ours, "--verify")
        copy(binary, ours, second, "--verify")
        before, between, after = (import_test.client(running) for running in (first, ours, second))
        for table in _TABLES:
            for there in (between, after):
                import_test.expect(f"structure of {table}", structure(there, table), structure(before, table))
                import_test.expect(f"items of {table}", items(there, table), items(before, table))


def check_following(binary, local):
    with servers.Running(local, _OPTIONS) as source, servers.Running(servers.magneto(binary), _OPTIONS) as target, \
            tempfile.TemporaryDirectory() as folder:
        dynamodb = import_test.client(source)
        dynamodb.create_table(TableName="Followed", BillingMode="PAY_PER_REQUEST", KeySchema=import_test.keys("pk"),
                              AttributeDefinitions=import_test.definitions(pk="N"))
        ended = threading.Event()

        def write():
            number = 0
            while not ended.is_set():
                number += 1
                dynamodb.put_item(TableName="Followed", Item={"pk": {"N": str(number % 50)}, "n": {"N": str(number)}})
                if number % 7 == 0:
                    dynamodb.delete_item(TableName="Followed", Key={"pk": {"N": str(number % 31)}})

        writer = threading.Thread(target=write)
        writer.start()
        try:
            flags = ["--follow", "--enable-stream", "--until-caught-up", "--state", os.path.join(folder, "state")]
            with subprocess.Popen([binary, "copy", "--from", f"http://127.0.0.1:{source.port}", "--to",
                                   f"http://127.0.0.1:{target.port}", *flags[:2], *flags[3:]]) as following:
                time.sleep(6)
                following.kill()
        finally:
            ended.set()
            writer.join()
        copy(binary, source, target, *flags, "--verify")
        import_test.expect("followed items", items(import_test.client(target), "Followed"), items(dynamodb, "Followed"))


def main(binary, local_folder):
    missing = servers.missing_for_local(local_folder)
    if missing:
        print(f"==> Note: magneto copy is not tried with DynamoDB Local, since {missing}")
        return
    binary = os.path.abspath(binary)
    local = servers.dynamodb_local(local_folder)
    check_there_and_back(binary, local)
    check_following(binary, local)
    print("there, back and followed")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else servers.default_local_folder())
