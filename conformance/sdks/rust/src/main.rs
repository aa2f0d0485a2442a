//! A walk through the API with the AWS SDK for Rust, as an application of its would: the endpoint and the keys come
//! from the environment, and the certificate from the file that AWS_CA_BUNDLE names, which this SDK does not read itself.
//! `acceptance [verified]`: with it, the server compares signatures.

mod door;
mod items;
mod pages;
mod stream;
mod tables;
mod transactions;

use std::collections::HashMap;
use std::fmt::Debug;

use aws_config::{BehaviorVersion, SdkConfig};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::AttributeValue;

pub const TABLE: &str = "Orders";
pub type Item = HashMap<String, AttributeValue>;

pub struct Walk {
    pub config: SdkConfig,
    pub db: Client,
}

#[tokio::main]
async fn main() {
    let mut loader = aws_config::defaults(BehaviorVersion::latest());
    if let Some(client) = door::trusting_client() {
        loader = loader.http_client(client);
    }
    let config = loader.load().await;
    let walk = Walk { db: Client::new(&config), config };

    walk.door(std::env::args().nth(1).as_deref() == Some("verified")).await;
    walk.make_table().await;
    walk.kinds().await;
    walk.updates().await;
    walk.conditions().await;
    walk.validation().await;
    walk.checksums().await;
    walk.pages().await;
    walk.batches().await;
    walk.throttled().await;
    walk.transactions().await;
    walk.statements().await;
    walk.parallel().await;
    walk.time_to_live().await;
    walk.read_stream().await;
    walk.remove_table().await;
    println!("done");
}

/// Ends the program unless the condition holds.
#[track_caller]
pub fn expect(title: &str, holds: bool, found: impl Debug) {
    assert!(holds, "{title}; found: {found:?}");
    println!("ok {title}");
}

pub fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.to_owned())
}

pub fn number(value: impl ToString) -> AttributeValue {
    AttributeValue::N(value.to_string())
}

pub fn item<const N: usize>(attributes: [(&str, AttributeValue); N]) -> Item {
    attributes.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

pub fn order(customer: &str, id: i32) -> Item {
    item([("customer", text(customer)), ("number", number(id))])
}

pub fn number_of(found: &Item, name: &str) -> String {
    found[name].as_n().cloned().unwrap_or_default()
}
