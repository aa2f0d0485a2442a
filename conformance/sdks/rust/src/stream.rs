use std::collections::HashMap;
use std::time::SystemTime;

use aws_sdk_dynamodb::types::AttributeValue as Stored;
use aws_sdk_dynamodbstreams::Client;
use aws_sdk_dynamodbstreams::types::{
    AttributeValue, OperationType, Record, ShardIteratorType, StreamStatus, StreamViewType,
};

use crate::tables::PATIENCE;
use crate::{Item, TABLE, Walk, expect};

fn events(records: &[Record]) -> String {
    let names: Vec<_> =
        records.iter().map(|record| record.event_name().map_or("none", OperationType::as_str)).collect();
    names.join(" ")
}

/// The value of an image as one of a table: the two clients have a type each.
fn stored(value: &AttributeValue) -> Stored {
    match value {
        AttributeValue::B(bytes) => Stored::B(bytes.clone()),
        AttributeValue::Bool(value) => Stored::Bool(*value),
        AttributeValue::Bs(values) => Stored::Bs(values.clone()),
        AttributeValue::L(values) => Stored::L(values.iter().map(stored).collect()),
        AttributeValue::M(values) => Stored::M(stored_item(values)),
        AttributeValue::N(digits) => Stored::N(digits.clone()),
        AttributeValue::Ns(values) => Stored::Ns(values.clone()),
        AttributeValue::Null(value) => Stored::Null(*value),
        AttributeValue::S(text) => Stored::S(text.clone()),
        AttributeValue::Ss(values) => Stored::Ss(values.clone()),
        other => panic!("another kind of value: {other:?}"),
    }
}

fn stored_item(image: &HashMap<String, AttributeValue>) -> Item {
    image.iter().map(|(name, value)| (name.clone(), stored(value))).collect()
}

async fn read_shard(streams: &Client, arn: &str, shard: &str) -> Vec<Record> {
    let start = streams.get_shard_iterator().stream_arn(arn).shard_id(shard);
    let start = start.shard_iterator_type(ShardIteratorType::TrimHorizon).send().await.expect("GetShardIterator");
    let mut records = vec![];
    let mut iterator = start.shard_iterator;
    while iterator.is_some() {
        let answer = streams.get_records().set_shard_iterator(iterator).send().await.expect("GetRecords");
        if answer.records().is_empty() {
            break;
        }
        iterator = answer.next_shard_iterator;
        records.extend(answer.records.unwrap_or_default());
    }
    records
}

impl Walk {
    /// Compares what the stream tells of an item with what the walk did to it.
    pub async fn read_stream(&self) {
        let streams = Client::new(&self.config);
        let table = self.db.describe_table().table_name(TABLE).send().await.expect("DescribeTable").table.unwrap();
        let arn = table.latest_stream_arn().unwrap();
        let listed = streams.list_streams().table_name(TABLE).send().await.expect("ListStreams");
        let listed: Vec<_> = listed.streams().iter().filter_map(|stream| stream.stream_arn()).collect();
        expect("the stream is listed", listed == [arn], &listed);
        let described = streams.describe_stream().stream_arn(arn).send().await.expect("DescribeStream");
        let described = described.stream_description.unwrap();
        let images = described.stream_status() == Some(&StreamStatus::Enabled)
            && described.stream_view_type() == Some(&StreamViewType::NewAndOldImages);
        expect("with both images", images, &described);

        let mut changes: HashMap<String, Vec<Record>> = HashMap::new();
        for shard in described.shards() {
            for record in read_shard(&streams, arn, shard.shard_id().unwrap()).await {
                let customer = record.dynamodb().unwrap().keys().unwrap()["customer"].as_s().unwrap().clone();
                changes.entry(customer).or_default().push(record);
            }
        }
        self.compare(&changes).await;
        let lost = streams.get_shard_iterator().stream_arn(arn).shard_id("shardId-00000000000000000000-00000000");
        let lost = lost.shard_iterator_type(ShardIteratorType::Latest).send().await.unwrap_err().into_service_error();
        expect("a shard that is not there", lost.is_resource_not_found_exception(), lost);
    }

    async fn compare(&self, changes: &HashMap<String, Vec<Record>>) {
        let numbers = events(&changes["numbers"]);
        expect("numbers of one item, in order", numbers == "INSERT MODIFY MODIFY MODIFY MODIFY MODIFY", numbers);
        let partiql = &changes["partiql"];
        expect("what PartiQL did", events(partiql) == "INSERT MODIFY REMOVE", partiql);
        let modify = partiql[1].dynamodb().unwrap();
        let (before, after) = (&modify.old_image().unwrap()["note"], &modify.new_image().unwrap()["note"]);
        let notes = before.as_s().is_ok_and(|note| note == "it's") && after.as_s().is_ok_and(|note| note == "changed");
        expect("before and after", notes, (before, after));
        let then = SystemTime::try_from(*modify.approximate_creation_date_time().unwrap()).unwrap();
        expect("lately", then.elapsed().unwrap_or_default() < PATIENCE * 10, then);
        expect("each parallel write", changes["parallel"].len() == 400, changes["parallel"].len());
        let late = &changes["late"];
        let service = late.last().and_then(|record| record.user_identity()).is_some_and(|identity| {
            identity.r#type() == Some("Service") && identity.principal_id() == Some("dynamodb.amazonaws.com")
        });
        expect("time to live", events(late) == "INSERT REMOVE" && service, late);
        let image = stored_item(changes["kinds"][0].dynamodb().unwrap().new_image().unwrap());
        expect("each kind of attribute, in an image", image == Walk::all_kinds(), image);
    }
}
