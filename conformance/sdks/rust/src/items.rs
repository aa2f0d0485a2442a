use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aws_sdk_dynamodb::config::interceptors::AfterDeserializationInterceptorContextRef;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::{BoxError, ProvideErrorMetadata};
use aws_sdk_dynamodb::operation::delete_item::DeleteItemError;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::error::ConditionalCheckFailedException;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValue, ReturnValuesOnConditionCheckFailure};

use crate::door::status;
use crate::{Item, TABLE, Walk, expect, item, number, order, text};

fn strings(values: &[&str]) -> Vec<String> {
    values.iter().map(|value| value.to_string()).collect()
}

/// Compares the checksum of each answer with its body: this SDK does not.
#[derive(Clone, Debug, Default)]
struct Checksums {
    right: Arc<AtomicUsize>,
}

impl Intercept for Checksums {
    fn name(&self) -> &'static str {
        "Checksums"
    }

    fn read_after_deserialization(
        &self,
        context: &AfterDeserializationInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let answer = context.response();
        let said = answer.headers().get("x-amz-crc32").ok_or("an answer has no checksum")?;
        if said.parse::<u32>()? != crc32(answer.body().bytes().ok_or("an answer has no body")?) {
            return Err("a checksum is wrong".into());
        }
        self.right.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 })
    })
}

/// The digits of a number without point and zeros around them, and the power of ten of the last one.
fn exact(decimal: &str) -> (bool, String, i32) {
    let (mantissa, exponent) = decimal.split_once(['e', 'E']).unwrap_or((decimal, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{}{fraction}", whole.trim_start_matches('-'));
    let kept = digits.trim_end_matches('0');
    let power = exponent.parse::<i32>().unwrap() - fraction.len() as i32 + (digits.len() - kept.len()) as i32;
    let kept = kept.trim_start_matches('0').to_owned();
    if kept.is_empty() { (false, kept, 0) } else { (mantissa.starts_with('-'), kept, power) }
}

impl Walk {
    pub async fn get(&self, key: Item) -> Option<Item> {
        let get = self.db.get_item().table_name(TABLE).set_key(Some(key)).consistent_read(true);
        get.send().await.expect("GetItem").item
    }

    fn putting(&self, item: Item) -> PutItemFluentBuilder {
        self.db.put_item().table_name(TABLE).set_item(Some(item))
    }

    pub async fn put(&self, item: Item) {
        self.putting(item).send().await.expect("PutItem");
    }

    /// One attribute of each kind; sets in the order in which they come back.
    pub fn all_kinds() -> Item {
        let bytes: Vec<u8> = (0..=255).collect();
        let mut all = order("kinds", -7);
        all.extend(item([
            ("empty", text("")),
            ("quoted", text("\"\\\n\u{0}\u{1f}ü€😀")),
            ("bytes", AttributeValue::B(Blob::new(bytes))),
            ("no_bytes", AttributeValue::B(Blob::new([]))),
            ("paid", AttributeValue::Bool(false)),
            ("nothing", AttributeValue::Null(true)),
            ("labels", AttributeValue::Ss(strings(&["", "a", "ü€😀"]))),
            ("sizes", AttributeValue::Ns(strings(&["-1", "0", "10"]))),
            ("blobs", AttributeValue::Bs(vec![Blob::new([]), Blob::new([0, 255])])),
            ("lines", AttributeValue::L(vec![text("x"), number("0.1"), AttributeValue::L(vec![])])),
            ("nested", AttributeValue::M(item([("a name", text("")), ("a b", AttributeValue::M(Item::new()))]))),
        ]));
        all
    }

    pub async fn kinds(&self) {
        let stored = Self::all_kinds();
        self.put(stored.clone()).await;
        let found = self.get(order("kinds", -7)).await;
        expect("each kind of attribute", found.as_ref() == Some(&stored), found);
        for digits in [
            "12345678901234567890123456789012345678",
            "-1E-130",
            "9.9999999999999999999999999999999999999E+125",
            "0.1234567890123456789012345678901234567",
            "-0",
            "007.50",
        ] {
            let mut key = order("numbers", 1);
            key.insert("value".into(), number(digits));
            self.put(key).await;
            let back = crate::number_of(&self.get(order("numbers", 1)).await.unwrap(), "value");
            expect(&format!("number {digits}"), exact(digits) == exact(&back), back);
        }
    }

    pub async fn updates(&self) {
        let mut before = order("update", 1);
        before.extend(item([
            ("amount", number(10)),
            ("list", AttributeValue::L(vec![text("b")])),
            ("map", AttributeValue::M(item([("x", number(1)), ("y", number(2))]))),
            ("set", AttributeValue::Ss(strings(&["a", "b", "c"]))),
        ]));
        self.put(before).await;
        let changed = self
            .db
            .update_item()
            .table_name(TABLE)
            .set_key(Some(order("update", 1)))
            .update_expression(
                "SET amount = amount - :one, #l = list_append(:a, #l), #f = if_not_exists(#f, :now), #m.x = :now \
                 REMOVE #m.y ADD #c :much DELETE #s :b",
            )
            .expression_attribute_names("#l", "list")
            .expression_attribute_names("#f", "first")
            .expression_attribute_names("#m", "map")
            .expression_attribute_names("#c", "count")
            .expression_attribute_names("#s", "set")
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":a", AttributeValue::L(vec![text("a")]))
            .expression_attribute_values(":now", text("now"))
            .expression_attribute_values(":much", number("2.5"))
            .expression_attribute_values(":b", AttributeValue::Ss(strings(&["b"])))
            .return_values(ReturnValue::UpdatedNew)
            .send()
            .await
            .expect("UpdateItem")
            .attributes
            .unwrap();
        let wanted = item([
            ("amount", number(9)),
            ("list", AttributeValue::L(vec![text("a"), text("b")])),
            ("first", text("now")),
            ("map", AttributeValue::M(item([("x", text("now"))]))),
            ("count", number("2.5")),
            ("set", AttributeValue::Ss(strings(&["a", "c"]))),
        ]);
        expect("an update with each verb", changed == wanted, changed);
    }

    pub async fn conditions(&self) {
        let mut first = order("conditions", 1);
        first.insert("note".into(), text("first"));
        let put = self.putting(first.clone()).condition_expression("attribute_not_exists(customer)");
        put.clone().send().await.expect("PutItem");
        let failed = condition_failed(put.clone()).await;
        let words = Some("The conditional request failed");
        expect("no second put", failed.item().is_none() && failed.message() == words, failed);
        let with_item = ReturnValuesOnConditionCheckFailure::AllOld;
        let failed = condition_failed(put.return_values_on_condition_check_failure(with_item.clone())).await;
        expect("with the item, asked for", failed.item() == Some(&first), failed);
        let delete = self
            .db
            .delete_item()
            .table_name(TABLE)
            .set_key(Some(order("conditions", 2)))
            .condition_expression("attribute_exists(customer)")
            .return_values_on_condition_check_failure(with_item);
        let error = delete.send().await.unwrap_err().into_service_error();
        let nothing =
            matches!(&error, DeleteItemError::ConditionalCheckFailedException(failed) if failed.item().is_none());
        expect("no delete of nothing, and no item", nothing, error);
    }

    pub async fn validation(&self) {
        let error = self.putting(order("", 1)).send().await.unwrap_err();
        let words = "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an \
                     empty string value. Key: customer";
        let refused = error.code() == Some("ValidationException") && error.message() == Some(words);
        expect("an empty key is refused", refused && status(&error) == 400, error);
        let mut large = order("x", 1);
        large.insert("number".into(), number(format!("1{}", "0".repeat(126))));
        let error = self.putting(large).send().await.unwrap_err();
        expect("a number out of range too", error.code() == Some("ValidationException"), error);
        let error = self.db.get_item().table_name("Nowhere").set_key(Some(order("x", 1))).send().await.unwrap_err();
        expect("an item of no table", error.as_service_error().unwrap().is_resource_not_found_exception(), error);
    }

    pub async fn checksums(&self) {
        let sums = Checksums::default();
        let client = self.client(|builder| builder.interceptor(sums.clone()));
        let mut large = order("coding", 1);
        large.insert("note".into(), text(&"large ".repeat(50_000)));
        client.put_item().table_name(TABLE).set_item(Some(large.clone())).send().await.expect("PutItem");
        let get = client.get_item().table_name(TABLE).set_key(Some(order("coding", 1)));
        expect("a large answer", get.send().await.expect("GetItem").item == Some(large), "another item");
        client.get_item().table_name("Nowhere").set_key(Some(order("x", 1))).send().await.unwrap_err();
        let right = sums.right.load(Ordering::Relaxed);
        expect("checksums, of an error too", right == 3, right);
    }
}

async fn condition_failed(put: PutItemFluentBuilder) -> ConditionalCheckFailedException {
    match put.send().await.unwrap_err().into_service_error() {
        PutItemError::ConditionalCheckFailedException(failed) => failed,
        error => panic!("another error: {error:?}"),
    }
}
