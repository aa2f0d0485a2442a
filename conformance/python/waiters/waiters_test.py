"""boto3's waiters, with a server whose tables take their time (--control-plane-delay-ms)."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from botocore.exceptions import WaiterError

from requests_of_steps import table_request
from table_case import TableCase

SOON = {"Delay": 1, "MaxAttempts": 60}
TABLE = {"TableName": "Slow"}
ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/Slow"
STREAM = {**TABLE, "StreamArn": "arn:aws:kinesis:us-east-1:000000000000:stream/changes"}
LINES = {"InputFormat": "DYNAMODB_JSON", "InputCompressionType": "GZIP"}


class WaitersTest(TableCase):
    def test_a_table_comes_and_goes(self):
        created = self.client.create_table(**table_request("Slow", {"key": "PK"}))
        self.assertEqual(created["TableDescription"]["TableStatus"], "CREATING")
        refused = self.refusal("put_item", **TABLE, Item={"PK": "a"})
        self.assertEqual(refused["Error"]["Code"], "ResourceNotFoundException")
        self.client.get_waiter("table_exists").wait(**TABLE, WaiterConfig=SOON)
        self.assertEqual(self.client.describe_table(**TABLE)["Table"]["TableStatus"], "ACTIVE")
        self.client.put_item(**TABLE, Item={"PK": "a"})

        deleted = self.client.delete_table(**TABLE)
        self.assertEqual(deleted["TableDescription"]["TableStatus"], "DELETING")
        self.client.get_waiter("table_not_exists").wait(**TABLE, WaiterConfig=SOON)
        self.assertEqual(self.client.list_tables()["TableNames"], [])

    def test_a_table_that_never_comes(self):
        waiter = self.client.get_waiter("table_exists")
        with self.assertRaisesRegex(Exception, "Max attempts exceeded"):
            waiter.wait(TableName="Nothing", WaiterConfig={"Delay": 0, "MaxAttempts": 3})


class EveryWaiterTest(TableCase):
    """Each waiter that this version of the SDK has ends. The older ones have only those of tables."""

    def setUp(self):
        super().setUp()
        self.left = set(self.client.waiter_names)

    def wait(self, waiter, **request):
        self.left.discard(waiter)
        self.client.get_waiter(waiter).wait(**request, WaiterConfig=SOON)

    def refuse_to_wait(self, waiter, **request):
        with self.assertRaisesRegex(WaiterError, "terminal failure state"):
            self.wait(waiter, **request)

    def bulk_put(self, source):
        answer = self.client.start_bulk_put_items(
            **TABLE, InputS3Configuration={**source, **LINES}, OutputS3Configuration={"S3Bucket": "bucket", "OutputType": ["ERROR"]})
        return {"BulkOperationArn": answer["BulkOperationDescription"]["BulkOperationArn"]}

    def watch_jobs(self):
        self.client.update_continuous_backups(**TABLE, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        export = self.client.export_table_to_point_in_time(TableArn=ARN, S3Bucket="bucket")["ExportDescription"]
        self.wait("export_completed", ExportArn=export["ExportArn"])
        manifest = self.client.describe_export(ExportArn=export["ExportArn"])["ExportDescription"]["ExportManifest"]
        source = {"S3Bucket": "bucket", "S3KeyPrefix": manifest.rpartition("/")[0] + "/data/"}
        table = {**table_request("Imported", {"key": "PK"}), "TableName": "Imported"}
        answer = self.client.import_table(S3BucketSource=source, **LINES, TableCreationParameters=table)
        self.wait("import_completed", ImportArn=answer["ImportTableDescription"]["ImportArn"])
        self.assertEqual(self.client.scan(TableName="Imported")["Items"], [{"PK": "a"}])
        self.client.delete_table(TableName="Imported")
        self.wait("bulk_operation_completed", **self.bulk_put(source))
        self.refuse_to_wait("bulk_operation_completed", **self.bulk_put({**source, "S3KeyPrefix": "nothing/"}))

    def test_every_waiter_ends(self):
        self.client.create_table(**table_request("Slow", {"key": "PK"}))
        self.wait("table_exists", **TABLE)
        self.client.put_item(**TABLE, Item={"PK": "a"})
        if "contributor_insights_enabled" in self.left:
            self.client.update_contributor_insights(**TABLE, ContributorInsightsAction="ENABLE")
            self.wait("contributor_insights_enabled", **TABLE)
        if "kinesis_streaming_destination_active" in self.left:
            self.client.enable_kinesis_streaming_destination(**STREAM)
            self.wait("kinesis_streaming_destination_active", **TABLE)
            self.client.disable_kinesis_streaming_destination(**STREAM)
            self.refuse_to_wait("kinesis_streaming_destination_active", **TABLE)
        if "export_completed" in self.left:
            self.watch_jobs()
        self.client.delete_table(**TABLE)
        self.wait("table_not_exists", **TABLE)
        self.assertEqual(self.left, set(), "waiters that this test does not know")


if __name__ == "__main__":
    unittest.main(verbosity=2)
