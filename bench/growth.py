"""What an item costs in memory and on disk, and what Get and Query cost as data grows."""

import json
import pathlib
import socket
import time

from servers import MAGNETO, Server

LOADED_EACH_SECOND = 250_000  # items, at least, that the disk engine copies into memory
REQUESTS = 100_000  # different ones, so that what is read does not stay in the processor's cache
BUDGET_MIB = 8_192


def describe_table(port):
    """Items and their bytes, as DynamoDB counts them."""
    head = (
        "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.DescribeTable\r\n"
        "Content-Type: application/x-amz-json-1.0\r\nConnection: close\r\nContent-Length: 21\r\n"
        "Authorization: AWS4-HMAC-SHA256 Credential=a/20260101/eu-west-2/dynamodb/aws4_request, "
        "SignedHeaders=host, Signature=0\r\nX-Amz-Date: 20260101T000000Z\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), timeout=30) as link:
        link.sendall(head.encode() + b'{"TableName":"bench"}')
        answer = b""
        while part := link.recv(65_536):
            answer += part
    table = json.loads(answer.split(b"\r\n\r\n", 1)[1])["Table"]
    return table["ItemCount"], table["TableSizeBytes"]


def bytes_on_disk(directory):
    files = (path for path in pathlib.Path(directory).rglob("*") if path.is_file())
    return sum(path.stat().st_blocks * 512 for path in files)


def measure_one(arguments, server, items):
    server.start()
    try:
        time.sleep(0.2)
        idle = server.memory_mib()
        print(f"==> {server.name}: loading {items:,} items", flush=True)
        server.load("--load", "--without-index", "--items", str(items))
        row = {"server": server.name, "items": items}
        for work in ("GetItem", "Query"):
            print(f"==> {server.name}: {work} at {items:,} items", flush=True)
            row[work] = server.load(
                "--work", work, "--items", str(items), "--connections", "16", "--requests", str(REQUESTS),
                "--seconds", str(arguments.seconds), "--warm-up", str(3 + items // LOADED_EACH_SECOND),
            )  # fmt: skip
        count, size = describe_table(server.port)
        row["item_bytes"] = size / count
        row["memory"] = (server.memory_mib() - idle) * 2**20 / count
        row["disk"] = bytes_on_disk(server.directory) / count
        return row
    finally:
        server.stop()


def measure(arguments):
    servers = [
        Server("in memory", [MAGNETO, "--port", "{port}"]),
        Server(
            f"on disk, --memory-budget-mb {BUDGET_MIB}",
            [MAGNETO, "--port", "{port}", "--data-dir", "{dir}/data", "--memory-budget-mb", str(BUDGET_MIB)],
        ),
        Server("on disk, budget of 512", [MAGNETO, "--port", "{port}", "--data-dir", "{dir}/data"]),
    ]
    return [measure_one(arguments, server, items) for server in servers for items in arguments.growth]


def report(rows):
    first = {}
    lines = [
        "| Magneto | items | memory for an item | disk for an item | GetItem | Query of 100 |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        cells = []
        for work in ("GetItem", "Query"):
            cost = row[work]["cpu_us"]
            base = first.setdefault((row["server"], work), cost)
            cells.append(f"{cost:.1f} us ({cost / base:.2f}x)")
        ratio = row["memory"] / row["item_bytes"]
        lines.append(
            f"| {row['server']} | {row['items']:,} | {row['memory']:.0f} bytes ({ratio:.2f}x) | "
            f"{row['disk']:.0f} bytes | {cells[0]} | {cells[1]} |"
        )
    lines += ["", f"An item has {rows[0]['item_bytes']:.0f} bytes as DynamoDB counts; memory is what the process grew by."]
    return "\n".join(lines) + "\n"
