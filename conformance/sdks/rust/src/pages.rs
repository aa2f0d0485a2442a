use std::collections::HashSet;
use std::time::{Duration, Instant};

use aws_sdk_dynamodb::client::Waiters;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::{
    KeyType, KeysAndAttributes, ProvisionedThroughput, PutRequest, ScalarAttributeType, Select, WriteRequest,
};

use crate::tables::{PATIENCE, attribute, key};
use crate::{Item, TABLE, Walk, expect, item, number, number_of, order, text};

const LARGE_ITEMS: i32 = 30;
const LARGE_BYTES: usize = 60_000;

fn write_of(item: Item) -> WriteRequest {
    let put = PutRequest::builder().set_item(Some(item)).build().unwrap();
    WriteRequest::builder().put_request(put).build()
}

impl Walk {
    /// Puts items by batches of 25, and what comes back as unprocessed again; how often that was.
    async fn write_all(&self, table: &str, items: Vec<Item>) -> usize {
        let mut pending: Vec<_> = items.into_iter().map(write_of).collect();
        let (mut again, start) = (0, Instant::now());
        while !pending.is_empty() {
            let rest = pending.split_off(pending.len().min(25));
            match self.db.batch_write_item().request_items(table, pending.clone()).send().await {
                Ok(answer) => {
                    pending = rest;
                    if let Some(back) = answer.unprocessed_items.and_then(|mut tables| tables.remove(table)) {
                        pending.extend(back);
                        again += 1;
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                }
                Err(error) => {
                    let throttled =
                        error.as_service_error().is_some_and(|e| e.is_provisioned_throughput_exceeded_exception());
                    assert!(throttled && start.elapsed() < PATIENCE, "BatchWriteItem: {error:?}");
                    pending.extend(rest);
                }
            }
        }
        again
    }

    fn of_customer(&self, customer: &str) -> QueryFluentBuilder {
        let query = self.db.query().table_name(TABLE).key_condition_expression("customer = :c");
        query.expression_attribute_values(":c", text(customer))
    }

    pub async fn pages(&self) {
        let mut items = vec![];
        for i in 0..LARGE_ITEMS {
            let mut one = order("pages", i);
            one.insert("amount".into(), number(LARGE_ITEMS - i));
            one.insert("note".into(), text(&"x".repeat(LARGE_BYTES)));
            if i % 2 == 0 {
                one.insert("state".into(), text("open"));
            }
            items.push(one);
        }
        self.write_all(TABLE, items).await;

        let (pages, found) = all_pages(self.of_customer("pages")).await;
        expect("a query of more than 1 MB has pages", pages == 2 && found.len() == 30, (pages, found.len()));
        let ends = number_of(&found[0], "number") == "0" && number_of(&found[29], "number") == "29";
        expect("in order", ends, "another order");
        let backwards = self.of_customer("pages").scan_index_forward(false).limit(7);
        let (pages, found) = all_pages(backwards.clone()).await;
        expect("and backwards, by 7", pages == 5 && number_of(&found[0], "number") == "29", pages);
        let (_, found) = all_pages(backwards.index_name("by_amount")).await;
        expect("by the local index", found.len() == 30 && number_of(&found[0], "number") == "0", found.len());
        let open = self
            .db
            .query()
            .table_name(TABLE)
            .index_name("by_state")
            .key_condition_expression("#s = :s AND amount > :a")
            .expression_attribute_names("#s", "state")
            .expression_attribute_values(":s", text("open"))
            .expression_attribute_values(":a", number(20))
            .limit(2);
        let found = open.into_paginator().items().send().collect::<Result<Vec<_>, _>>().await.expect("Query");
        expect("by the global index", found.len() == 5 && found[0].len() == 5, found.len());
        self.scan().await;
    }

    async fn scan(&self) {
        let mut seen = HashSet::new();
        for segment in 0..3 {
            let scan = self
                .db
                .scan()
                .table_name(TABLE)
                .total_segments(3)
                .segment(segment)
                .limit(4)
                .filter_expression("customer = :c")
                .expression_attribute_values(":c", text("pages"))
                .projection_expression("#n")
                .expression_attribute_names("#n", "number");
            let mut pages = scan.into_paginator().items().send();
            while let Some(found) = pages.next().await {
                seen.insert(number_of(&found.expect("Scan"), "number"));
            }
        }
        expect("a scan of three segments", seen.len() == 30, seen.len());
    }

    /// Reads more than the 16 MB of an answer.
    pub async fn batches(&self) {
        let count = 48;
        let mut wanted = KeysAndAttributes::builder().consistent_read(true);
        for i in 0..count {
            let mut one = order("batches", i);
            one.insert("note".into(), text(&"y".repeat(380_000)));
            self.put(one).await;
            wanted = wanted.keys(order("batches", i));
        }
        let wanted = wanted.keys(order("batches", count)).build().unwrap();
        let mut pending = Some([(TABLE.to_owned(), wanted)].into());
        let (mut rounds, mut found) = (0, 0);
        while pending.as_ref().is_some_and(|tables: &std::collections::HashMap<_, _>| !tables.is_empty()) {
            let answer = self.db.batch_get_item().set_request_items(pending).send().await.expect("BatchGetItem");
            found += answer.responses().unwrap()[TABLE].len();
            pending = answer.unprocessed_keys;
            rounds += 1;
        }
        expect("a batch of more than 16 MB is read in two", rounds == 2 && found == 48, (rounds, found));
    }

    /// A table whose units are spent takes a batch later.
    pub async fn throttled(&self) {
        let units = ProvisionedThroughput::builder().read_capacity_units(20).write_capacity_units(20).build().unwrap();
        let made = self.db.create_table().table_name("Held").provisioned_throughput(units);
        let made = made.key_schema(key("id", KeyType::Hash));
        made.attribute_definitions(attribute("id", ScalarAttributeType::S)).send().await.expect("CreateTable");
        let made = self.waiting().wait_until_table_exists().table_name("Held").wait(PATIENCE * 200).await;
        expect("a table with units", made.is_ok(), made);

        let note = text(&"z".repeat(5_000));
        let items = (0..10).map(|i| item([("id", text(&i.to_string())), ("note", note.clone())])).collect();
        let again = self.write_all("Held", items).await;
        expect("what was unprocessed is written later", again > 0, again);
        let counted = self.db.scan().table_name("Held").select(Select::Count).send().await.expect("Scan");
        expect("all of it", counted.count() == 10, counted);

        let eager = self.client(|builder| builder.retry_config(RetryConfig::disabled()));
        let put = eager.put_item().table_name("Held").item("id", text("0")).item("note", note);
        let start = Instant::now();
        let error = loop {
            if let Err(error) = put.clone().send().await {
                break error.into_service_error();
            }
            assert!(start.elapsed() < PATIENCE, "nothing is throttled");
        };
        expect("whoever asks too much is throttled", error.is_provisioned_throughput_exceeded_exception(), error);
        self.db.delete_table().table_name("Held").send().await.expect("DeleteTable");
    }
}

pub async fn all_pages(query: QueryFluentBuilder) -> (usize, Vec<Item>) {
    let (mut pages, mut found) = (0, vec![]);
    let mut stream = query.into_paginator().send();
    while let Some(page) = stream.next().await {
        found.extend(page.expect("Query").items.unwrap_or_default());
        pages += 1;
    }
    (pages, found)
}
