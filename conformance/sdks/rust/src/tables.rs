use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::client::Waiters;
use aws_sdk_dynamodb::config::{AsyncSleep, Sleep};
use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::operation::create_table::builders::CreateTableFluentBuilder;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, IndexStatus, KeySchemaElement, KeyType,
    LocalSecondaryIndex, Projection, ProjectionType, ScalarAttributeType, StreamSpecification, StreamViewType,
    TableStatus, Tag, TimeToLiveSpecification, TimeToLiveStatus,
};

use crate::{TABLE, Walk, expect, item, number, order, text};

pub const PATIENCE: Duration = Duration::from_secs(60);

/// Sleeps 200 times as briefly as it is told to: the waiters of this SDK ask every 20 seconds.
#[derive(Debug)]
struct Impatience;

impl AsyncSleep for Impatience {
    fn sleep(&self, duration: Duration) -> Sleep {
        Sleep::new(tokio::time::sleep(duration / 200))
    }
}

pub fn attribute(name: &str, kind: ScalarAttributeType) -> AttributeDefinition {
    AttributeDefinition::builder().attribute_name(name).attribute_type(kind).build().unwrap()
}

pub fn key(name: &str, kind: KeyType) -> KeySchemaElement {
    KeySchemaElement::builder().attribute_name(name).key_type(kind).build().unwrap()
}

fn keys(partition: &str, sort: &str) -> Option<Vec<KeySchemaElement>> {
    Some(vec![key(partition, KeyType::Hash), key(sort, KeyType::Range)])
}

fn tag(name: &str, value: &str) -> Tag {
    Tag::builder().key(name).value(value).build().unwrap()
}

impl Walk {
    pub fn waiting(&self) -> Client {
        self.client(|builder| builder.sleep_impl(Impatience))
    }

    fn orders(&self) -> CreateTableFluentBuilder {
        let some = Projection::builder().projection_type(ProjectionType::Include).non_key_attributes("note").build();
        let all = Projection::builder().projection_type(ProjectionType::All).build();
        let images = StreamSpecification::builder()
            .stream_enabled(true)
            .stream_view_type(StreamViewType::NewAndOldImages)
            .build()
            .unwrap();
        self.db
            .create_table()
            .table_name(TABLE)
            .billing_mode(BillingMode::PayPerRequest)
            .attribute_definitions(attribute("customer", ScalarAttributeType::S))
            .attribute_definitions(attribute("number", ScalarAttributeType::N))
            .attribute_definitions(attribute("state", ScalarAttributeType::S))
            .attribute_definitions(attribute("amount", ScalarAttributeType::N))
            .set_key_schema(keys("customer", "number"))
            .global_secondary_indexes(
                GlobalSecondaryIndex::builder()
                    .index_name("by_state")
                    .set_key_schema(keys("state", "amount"))
                    .projection(some)
                    .build()
                    .unwrap(),
            )
            .local_secondary_indexes(
                LocalSecondaryIndex::builder()
                    .index_name("by_amount")
                    .set_key_schema(keys("customer", "amount"))
                    .projection(all)
                    .build()
                    .unwrap(),
            )
            .stream_specification(images)
            .tags(tag("team", "shop"))
    }

    pub async fn make_table(&self) {
        let made = self.orders().send().await.expect("CreateTable").table_description.unwrap();
        expect("a table is being made", made.table_status() == Some(&TableStatus::Creating), &made);
        let waited = self.waiting().wait_until_table_exists().table_name(TABLE).wait(PATIENCE * 200).await;
        let described = waited.expect("the waiter").into_result().unwrap().table.unwrap();
        expect("the waiter sees it", described.table_status() == Some(&TableStatus::Active), &described);
        let indexes = described.global_secondary_indexes()[0].index_status() == Some(&IndexStatus::Active)
            && described.local_secondary_indexes()[0].index_name() == Some("by_amount");
        expect("with both indexes", indexes, &described);
        let made = SystemTime::try_from(*described.creation_date_time().unwrap()).unwrap();
        expect("made just now", made.elapsed().unwrap_or_default() < PATIENCE, made);

        let error = self.orders().send().await.unwrap_err().into_service_error();
        expect("no second of its name", error.is_resource_in_use_exception(), error);
        let error = self.db.describe_table().table_name("Nowhere").send().await.unwrap_err().into_service_error();
        let words = "Requested resource not found: Table: Nowhere not found";
        let missing = error.is_resource_not_found_exception() && error.message() == Some(words);
        expect("a table that is not there", missing, error);
        self.tags(described.table_arn().unwrap()).await;
    }

    async fn tags(&self, arn: &str) {
        let more = self.db.tag_resource().resource_arn(arn).tags(tag("stage", "test")).tags(tag("team", "store"));
        more.send().await.expect("TagResource");
        self.db.untag_resource().resource_arn(arn).tag_keys("stage").send().await.expect("UntagResource");
        let found = self.db.list_tags_of_resource().resource_arn(arn).send().await.expect("ListTagsOfResource");
        expect("tags", found.tags() == [tag("team", "store")], &found);
    }

    pub async fn time_to_live(&self) {
        let until = TimeToLiveSpecification::builder().attribute_name("until").enabled(true).build().unwrap();
        let on = self.db.update_time_to_live().table_name(TABLE).time_to_live_specification(until);
        on.clone().send().await.expect("UpdateTimeToLive");
        let error = on.send().await.unwrap_err();
        expect("time to live is on", error.code() == Some("ValidationException"), error);
        let start = Instant::now();
        loop {
            let found = self.db.describe_time_to_live().table_name(TABLE).send().await.expect("DescribeTimeToLive");
            if found.time_to_live_description().unwrap().time_to_live_status() == Some(&TimeToLiveStatus::Enabled) {
                break;
            }
            assert!(start.elapsed() < PATIENCE, "time to live does not become ENABLED: {found:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        let late = item([("customer", text("late")), ("number", number(1)), ("until", number(now - 3600))]);
        self.put(late).await;
        while self.get(order("late", 1)).await.is_some() {
            assert!(start.elapsed() < PATIENCE, "an item stays whose time is over");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        println!("ok an item whose time is over goes");
    }

    pub async fn remove_table(&self) {
        self.db.delete_table().table_name(TABLE).send().await.expect("DeleteTable");
        let gone = self.waiting().wait_until_table_not_exists().table_name(TABLE).wait(PATIENCE * 200).await;
        expect("the waiter sees that the table is gone", gone.is_ok(), gone);
        for name in ["More2", "More1", "More3"] {
            let made = self.db.create_table().table_name(name).billing_mode(BillingMode::PayPerRequest);
            let made = made.key_schema(key("id", KeyType::Hash));
            made.attribute_definitions(attribute("id", ScalarAttributeType::B)).send().await.expect("CreateTable");
        }
        let pages = self.db.list_tables().limit(2).into_paginator().items().send();
        let names = pages.collect::<Result<Vec<_>, _>>().await.expect("ListTables");
        expect("tables are listed by name", names == ["More1", "More2", "More3"], names);
    }
}
