import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementErrorCodeEnum;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DuplicateItemException;
import software.amazon.awssdk.services.dynamodb.model.ExecuteStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.IdempotentParameterMismatchException;
import software.amazon.awssdk.services.dynamodb.model.ItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Transactions, PartiQL, and many requests at a time. */
final class Transactions {
    private final Clients clients;

    Transactions(Clients clients) {
        this.clients = clients;
    }

    void walk() {
        transactions();
        statements();
        parallel();
    }

    private static Map<String, AttributeValue> account(int id, int balance) {
        Map<String, AttributeValue> one = Clients.order("accounts", id);
        one.put("balance", Clients.number(balance));
        return one;
    }

    private static TransactWriteItem put(Map<String, AttributeValue> item) {
        return TransactWriteItem.builder().put(put -> put.tableName(Clients.TABLE).item(item)).build();
    }

    private static TransactGetItem read(int id) {
        return TransactGetItem.builder().get(get -> get.tableName(Clients.TABLE).key(Clients.order("accounts", id))).build();
    }

    /** A check, a withdrawal under a condition, and a deposit. */
    private static TransactWriteItemsRequest movement(int amount, String token) {
        Map<String, AttributeValue> value = Map.of(":m", Clients.number(amount));
        return TransactWriteItemsRequest.builder().clientRequestToken(token).transactItems(
                TransactWriteItem.builder().conditionCheck(check -> check.tableName(Clients.TABLE)
                        .key(Clients.order("accounts", 3)).conditionExpression("attribute_exists(balance)")).build(),
                TransactWriteItem.builder().update(take -> take.tableName(Clients.TABLE).key(Clients.order("accounts", 1))
                        .updateExpression("SET balance = balance - :m").conditionExpression("balance >= :m")
                        .expressionAttributeValues(value)
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)).build(),
                TransactWriteItem.builder().update(bring -> bring.tableName(Clients.TABLE).key(Clients.order("accounts", 2))
                        .updateExpression("ADD balance :m").expressionAttributeValues(value)).build()).build();
    }

    private void transactions() {
        clients.db.transactWriteItems(make -> make.transactItems(put(account(1, 100)), put(account(2, 0)), put(account(3, 0))));
        String token = "acceptance-of-java";
        for (int i = 0; i < 2; i++) {
            clients.db.transactWriteItems(movement(60, token));
        }
        List<ItemResponse> both = clients.db.transactGetItems(get -> get.transactItems(read(1), read(9), read(2))).responses();
        Acceptance.expect("a token twice, once done", both.get(0).item().equals(account(1, 40)) && !both.get(1).hasItem()
                && both.get(2).item().equals(account(2, 60)), both);
        Acceptance.refused("the token for other items", IdempotentParameterMismatchException.class,
                () -> clients.db.transactWriteItems(movement(1, token)));

        TransactionCanceledException cancelled = Acceptance.refused("too much is not moved", TransactionCanceledException.class,
                () -> clients.db.transactWriteItems(movement(60, null)));
        List<CancellationReason> reasons = cancelled.cancellationReasons();
        Acceptance.expect("for these reasons", reasons.stream().map(CancellationReason::code).toList()
                .equals(List.of("None", "ConditionalCheckFailed", "None")), reasons);
        Acceptance.expect("with the item", reasons.get(1).item().equals(account(1, 40)), reasons);
        Acceptance.expect("and a message", reasons.get(1).message().equals("The conditional request failed")
                && reasons.get(0).message() == null && cancelled.awsErrorDetails().errorMessage().equals("Transaction cancelled, "
                + "please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, None]"), cancelled);
    }

    private ExecuteStatementResponse run(String statement, AttributeValue... parameters) {
        return clients.db.executeStatement(run -> run.statement(statement)
                .parameters(parameters.length == 0 ? null : List.of(parameters)));
    }

    private void statements() {
        AttributeValue customer = Clients.text("partiql");
        AttributeValue one = Clients.number(1);
        String insert = "INSERT INTO \"Orders\" VALUE {'customer': ?, 'number': ?, 'note': ?}";
        run(insert, customer, one, Clients.text("it's"));
        Acceptance.refused("no second insert", DuplicateItemException.class,
                () -> run(insert, customer, one, Clients.text("again")));
        List<Map<String, AttributeValue>> changed = run("UPDATE \"Orders\" SET note = ? WHERE customer = ? AND number = ? "
                + "RETURNING ALL NEW *", Clients.text("changed"), customer, one).items();
        Map<String, AttributeValue> wanted = Clients.order("partiql", 1);
        wanted.put("note", Clients.text("changed"));
        Acceptance.expect("an update by PartiQL", changed.equals(List.of(wanted)), changed);
        List<Map<String, AttributeValue>> found = run("SELECT note FROM \"Orders\" WHERE customer = ?", customer).items();
        Acceptance.expect("a select", found.equals(List.of(Map.of("note", Clients.text("changed")))), found);

        List<BatchStatementResponse> several = clients.db.batchExecuteStatement(batch -> batch.statements(
                get -> get.statement("SELECT * FROM \"Orders\" WHERE customer = ? AND number = ?").parameters(customer, one),
                lost -> lost.statement("SELECT * FROM \"Nowhere\" WHERE id = 'x'"))).responses();
        Acceptance.expect("a batch of statements", several.get(0).item().equals(wanted) && several.get(0).error() == null
                && several.get(1).error().code() == BatchStatementErrorCodeEnum.RESOURCE_NOT_FOUND, several);
        TransactionCanceledException cancelled = Acceptance.refused("a transaction of statements",
                TransactionCanceledException.class, () -> clients.db.executeTransaction(both -> both.transactStatements(
                        fine -> fine.statement("UPDATE \"Orders\" SET note = 'x' WHERE customer = 'partiql' AND number = 1"),
                        twice -> twice.statement("INSERT INTO \"Orders\" VALUE {'customer': 'accounts', 'number': 1}"))));
        Acceptance.expect("is cancelled for the second", cancelled.cancellationReasons().stream()
                .map(CancellationReason::code).toList().equals(List.of("None", "DuplicateItem")), cancelled);
        run("DELETE FROM \"Orders\" WHERE customer = 'partiql' AND number = 1");
        Acceptance.expect("a delete", clients.get(Clients.order("partiql", 1)).isEmpty(), "the item");
    }

    /** 200 at once, to one item and to one each. */
    private void parallel() {
        CompletableFuture.allOf(IntStream.range(0, 200).mapToObj(i -> CompletableFuture.allOf(
                clients.async.updateItem(add -> add.tableName(Clients.TABLE).key(Clients.order("parallel", 0))
                        .updateExpression("ADD hits :one").expressionAttributeValues(Map.of(":one", Clients.number(1)))),
                clients.async.putItem(put -> put.tableName(Clients.TABLE).item(Clients.order("parallel", i + 1)))))
                .toArray(CompletableFuture[]::new)).join();
        String hits = clients.get(Clients.order("parallel", 0)).get("hits").n();
        Acceptance.expect("200 at once are each counted", hits.equals("200"), hits);
        long found = clients.db.queryPaginator(query -> query.tableName(Clients.TABLE).keyConditionExpression("customer = :c")
                .expressionAttributeValues(Map.of(":c", Clients.text("parallel")))).items().stream().count();
        Acceptance.expect("and there", found == 201, found);
    }
}
