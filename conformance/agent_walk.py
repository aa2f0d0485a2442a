"""Calls of every tool that agents have."""

import json

from control_case import on_demand

STREAMED = on_demand("Tab", "pk", StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
KEY = {"pk": {"S": "a"}}
TEMPLATE = """Resources:
  Orders:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: !Ref Name
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions: [{AttributeName: pk, AttributeType: S}]
      KeySchema: [{AttributeName: pk, KeyType: HASH}]
Parameters: {Name: {Type: String}}
"""
# One call of each tool, in an order in which all of them succeed.
WALK = (
    ("server_status", {}),
    ("create_table", STREAMED),
    ("list_tables", {}),
    ("describe_table", {"TableName": "Tab"}),
    ("update_time_to_live", {"TableName": "Tab", "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "ttl"}}),
    ("describe_time_to_live", {"TableName": "Tab"}),
    ("configure_journal", {"on": True, "bodies": True}),
    ("put_item", {"TableName": "Tab", "Item": {**KEY, "n": {"N": "1"}}}),
    ("get_item", {"TableName": "Tab", "Key": KEY}),
    ("update_item", {"TableName": "Tab", "Key": KEY, "UpdateExpression": "ADD n :one",
                     "ExpressionAttributeValues": {":one": {"N": "1"}}, "ReturnValues": "ALL_NEW"}),
    ("query", {"TableName": "Tab", "KeyConditionExpression": "pk = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}}),
    ("scan", {"TableName": "Tab"}),
    ("batch_write_item", {"RequestItems": {"Tab": [{"PutRequest": {"Item": {"pk": {"S": "b"}}}}]}}),
    ("batch_get_item", {"RequestItems": {"Tab": {"Keys": [KEY]}}}),
    ("transact_write_items", {"TransactItems": [{"Put": {"TableName": "Tab", "Item": {"pk": {"S": "c"}}}}]}),
    ("transact_get_items", {"TransactItems": [{"Get": {"TableName": "Tab", "Key": KEY}}]}),
    ("execute_statement", {"Statement": "SELECT * FROM Tab WHERE pk = 'a'"}),
    ("batch_execute_statement", {"Statements": [{"Statement": "SELECT * FROM Tab WHERE pk = 'a'"}]}),
    ("execute_transaction", {"TransactStatements": [{"Statement": "INSERT INTO Tab VALUE {'pk': 'd'}"}]}),
    ("explain", {"operation": "Query", "request": {
        "TableName": "Tab", "KeyConditionExpression": "pk = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}}}),
    ("read_changes", {"table": "Tab", "limit": 3}),
    ("delete_item", {"TableName": "Tab", "Key": KEY}),
    ("read_journal", {"operation": "PutItem", "limit": 5}),
    ("assert_journal", {"assertions": [{"no_scan": True}]}),
    ("report_costs", {"calls_per_second": 5, "region": "us-east-1"}),
    ("clear_journal", {}),
    ("list_faults", {}),
    ("add_fault", {"operations": ["GetItem"], "fault": {"error": "InternalServerError"}, "count": 1}),
    ("remove_fault", {"id": "f1"}),
    ("clear_faults", {}),
    ("read_clock", {}),
    ("set_clock", {"advance": "25h"}),
    ("reset_clock", {}),
    ("read_consistency", {}),
    ("set_consistency", {"index_lag": "held"}),
    ("release_consistency", {"steps": 1}),
    ("reset_consistency", {}),
    ("read_insights", {}),
    ("settle", {"timeout": "1m"}),
    ("take_snapshot", {"name": "kept"}),
    ("list_snapshots", {}),
    ("restore_snapshot", {"snapshot": "kept"}),
    ("truncate_tables", {"tables": ["Tab"]}),
    ("create_namespace", {"name": "fork", "from": {"snapshot": "kept"}, "expires_after": "1h"}),
    ("list_namespaces", {}),
    ("import_schema", {"namespace": "fork", "text": TEMPLATE, "file": "template.yaml", "parameters": {"Name": "Orders"}}),
    ("copy_tables", {"from": "fork", "tables": ["Ord*"]}),
    ("reset_namespace", {"namespace": "fork"}),
    ("delete_snapshot", {"name": "kept"}),
    ("delete_namespace", {"name": "fork"}),
    ("update_table", {"TableName": "Tab", "DeletionProtectionEnabled": False}),
    ("delete_table", {"TableName": "Tab"}),
)


def walk(case, agent):
    """Calls every tool of the list, in the order of WALK."""
    case.assertEqual(sorted(name for name, _ in WALK), sorted(tool["name"] for tool in agent.ask("tools/list")["tools"]))
    for name, arguments in WALK:
        result = agent.call(name, **arguments)
        case.assertIs(result.get("isError"), False, (name, result))
        case.assertEqual(json.loads(result["content"][0]["text"]), result["structuredContent"], name)


def properties_of(agent):
    return {tool["name"]: tool["inputSchema"]["properties"] for tool in agent.ask("tools/list")["tools"]}
