use aws_sdk_dynamodb::operation::execute_statement::{ExecuteStatementError, ExecuteStatementOutput};
use aws_sdk_dynamodb::operation::execute_transaction::ExecuteTransactionError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{
    AttributeValue, BatchStatementErrorCodeEnum, BatchStatementRequest, ConditionCheck, Get, ParameterizedStatement,
    Put, ReturnValuesOnConditionCheckFailure, TransactGetItem, TransactWriteItem, Update,
};

use crate::{Item, TABLE, Walk, expect, item, number, number_of, order, text};

fn account(id: i32, balance: i32) -> Item {
    let mut one = order("accounts", id);
    one.insert("balance".into(), number(balance));
    one
}

fn put(item: Item) -> TransactWriteItem {
    let put = Put::builder().table_name(TABLE).set_item(Some(item)).build().unwrap();
    TransactWriteItem::builder().put(put).build()
}

/// A check, a withdrawal under a condition, and a deposit.
fn movement(amount: i32) -> Vec<TransactWriteItem> {
    let check = ConditionCheck::builder()
        .table_name(TABLE)
        .set_key(Some(order("accounts", 3)))
        .condition_expression("attribute_exists(balance)");
    let take = Update::builder()
        .table_name(TABLE)
        .set_key(Some(order("accounts", 1)))
        .update_expression("SET balance = balance - :m")
        .condition_expression("balance >= :m")
        .expression_attribute_values(":m", number(amount))
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
    let bring = Update::builder()
        .table_name(TABLE)
        .set_key(Some(order("accounts", 2)))
        .update_expression("ADD balance :m")
        .expression_attribute_values(":m", number(amount));
    vec![
        TransactWriteItem::builder().condition_check(check.build().unwrap()).build(),
        TransactWriteItem::builder().update(take.build().unwrap()).build(),
        TransactWriteItem::builder().update(bring.build().unwrap()).build(),
    ]
}

fn read(id: i32) -> TransactGetItem {
    let get = Get::builder().table_name(TABLE).set_key(Some(order("accounts", id))).build().unwrap();
    TransactGetItem::builder().get(get).build()
}

impl Walk {
    pub async fn transactions(&self) {
        let accounts = vec![put(account(1, 100)), put(account(2, 0)), put(account(3, 0))];
        let make = self.db.transact_write_items().set_transact_items(Some(accounts));
        make.send().await.expect("TransactWriteItems");
        let once = self.db.transact_write_items().client_request_token("acceptance-of-rust");
        for _ in 0..2 {
            let moved = once.clone().set_transact_items(Some(movement(60)));
            moved.send().await.expect("TransactWriteItems");
        }
        let reads = vec![read(1), read(9), read(2)];
        let both = self.db.transact_get_items().set_transact_items(Some(reads)).send().await.expect("TransactGetItems");
        let found: Vec<_> = both.responses().iter().map(|one| one.item()).collect();
        let balances = found[0].map(|one| number_of(one, "balance")).as_deref() == Some("40")
            && found[1].is_none()
            && found[2].map(|one| number_of(one, "balance")).as_deref() == Some("60");
        expect("a token twice, once done", balances, &found);
        let error = once.set_transact_items(Some(movement(1))).send().await.unwrap_err().into_service_error();
        expect("the token for other items", error.is_idempotent_parameter_mismatch_exception(), error);

        let much = self.db.transact_write_items().set_transact_items(Some(movement(60)));
        let TransactWriteItemsError::TransactionCanceledException(cancelled) =
            much.send().await.unwrap_err().into_service_error()
        else {
            panic!("another error than a cancelled transaction")
        };
        let reasons = cancelled.cancellation_reasons();
        let codes: Vec<_> = reasons.iter().map(|reason| reason.code().unwrap_or_default()).collect();
        expect("too much is not moved, for these reasons", codes == ["None", "ConditionalCheckFailed", "None"], &codes);
        expect("with the item", reasons[1].item() == Some(&account(1, 40)), reasons);
        let words = Some(
            "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, None]",
        );
        let said = reasons[1].message() == Some("The conditional request failed")
            && reasons[0].message().is_none()
            && cancelled.message() == words;
        expect("and a message", said, cancelled);
    }

    async fn run(
        &self,
        statement: &str,
        parameters: Option<Vec<AttributeValue>>,
    ) -> Result<ExecuteStatementOutput, ExecuteStatementError> {
        let run = self.db.execute_statement().statement(statement).set_parameters(parameters);
        run.send().await.map_err(|error| error.into_service_error())
    }

    pub async fn statements(&self) {
        let insert = "INSERT INTO \"Orders\" VALUE {'customer': ?, 'number': ?, 'note': ?}";
        let first = Some(vec![text("partiql"), number(1), text("it's")]);
        self.run(insert, first.clone()).await.expect("INSERT");
        let error = self.run(insert, first).await.unwrap_err();
        expect("no second insert", error.is_duplicate_item_exception(), error);
        let update = "UPDATE \"Orders\" SET note = ? WHERE customer = ? AND number = ? RETURNING ALL NEW *";
        let changed = self.run(update, Some(vec![text("changed"), text("partiql"), number(1)])).await.expect("UPDATE");
        let mut wanted = order("partiql", 1);
        wanted.insert("note".into(), text("changed"));
        expect("an update by PartiQL", changed.items() == [wanted.clone()], changed);
        let select = "SELECT note FROM \"Orders\" WHERE customer = ?";
        let found = self.run(select, Some(vec![text("partiql")])).await.expect("SELECT");
        expect("a select", found.items() == [item([("note", text("changed"))])], found);

        let get = BatchStatementRequest::builder()
            .statement("SELECT * FROM \"Orders\" WHERE customer = ? AND number = ?")
            .parameters(text("partiql"))
            .parameters(number(1))
            .build()
            .unwrap();
        let lost =
            BatchStatementRequest::builder().statement("SELECT * FROM \"Nowhere\" WHERE id = 'x'").build().unwrap();
        let several = self.db.batch_execute_statement().statements(get).statements(lost).send().await;
        let several = several.expect("BatchExecuteStatement");
        let [one, other] = several.responses() else { panic!("not two: {several:?}") };
        let code = other.error().and_then(|error| error.code());
        let each = one.item() == Some(&wanted) && one.error().is_none();
        let lost = code == Some(&BatchStatementErrorCodeEnum::ResourceNotFound);
        expect("a batch of statements", each && lost, &several);

        let statement = |text: &str| ParameterizedStatement::builder().statement(text).build().unwrap();
        let both = self
            .db
            .execute_transaction()
            .transact_statements(statement(
                "UPDATE \"Orders\" SET note = 'x' WHERE customer = 'partiql' AND number = 1",
            ))
            .transact_statements(statement("INSERT INTO \"Orders\" VALUE {'customer': 'accounts', 'number': 1}"));
        let error = both.send().await.unwrap_err().into_service_error();
        let cancelled = matches!(&error, ExecuteTransactionError::TransactionCanceledException(cancelled)
            if cancelled.cancellation_reasons().iter().map(|reason| reason.code()).eq([Some("None"), Some("DuplicateItem")]));
        expect("a transaction of statements is cancelled for the second", cancelled, error);
        let delete = "DELETE FROM \"Orders\" WHERE customer = 'partiql' AND number = 1";
        self.run(delete, None).await.expect("DELETE");
        expect("a delete", self.get(order("partiql", 1)).await.is_none(), "the item");
    }

    /// 200 at once, to one item and to one each.
    pub async fn parallel(&self) {
        let mut tasks = tokio::task::JoinSet::new();
        for i in 0..200 {
            let add = self.db.update_item().table_name(TABLE).set_key(Some(order("parallel", 0)));
            let add = add.update_expression("ADD hits :one").expression_attribute_values(":one", number(1));
            let put = self.db.put_item().table_name(TABLE).set_item(Some(order("parallel", i + 1)));
            tasks.spawn(async move {
                add.send().await.expect("UpdateItem");
                put.send().await.expect("PutItem");
            });
        }
        tasks.join_all().await;
        let hits = number_of(&self.get(order("parallel", 0)).await.unwrap(), "hits");
        expect("200 at once are each counted", hits == "200", hits);
        let query = self.db.query().table_name(TABLE).key_condition_expression("customer = :c");
        let query = query.expression_attribute_values(":c", text("parallel"));
        let found = query.into_paginator().items().send().collect::<Result<Vec<_>, _>>().await.expect("Query");
        expect("and there", found.len() == 201, found.len());
    }
}
