import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/** Single items: what is stored comes back, conditions hold, and what is wrong is refused. */
final class Items {
    private final Clients clients;

    Items(Clients clients) {
        this.clients = clients;
    }

    void walk() {
        kinds();
        updates();
        conditions();
        validation();
        coding();
    }

    private void put(Map<String, AttributeValue> item) {
        clients.db.putItem(put -> put.tableName(Clients.TABLE).item(item));
    }

    /** One attribute of each kind; sets in the order in which they come back. */
    static Map<String, AttributeValue> allKinds() {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        SdkBytes none = SdkBytes.fromByteArray(new byte[0]);
        Map<String, AttributeValue> all = Clients.order("kinds", -7);
        all.put("empty", Clients.text(""));
        all.put("quoted", Clients.text("\"\\\n\0\u001fü€😀"));
        all.put("bytes", AttributeValue.fromB(SdkBytes.fromByteArray(bytes)));
        all.put("no_bytes", AttributeValue.fromB(none));
        all.put("paid", AttributeValue.fromBool(false));
        all.put("nothing", AttributeValue.fromNul(true));
        all.put("labels", AttributeValue.fromSs(List.of("", "a", "ü€😀")));
        all.put("sizes", AttributeValue.fromNs(List.of("-1", "0", "10")));
        all.put("blobs", AttributeValue.fromBs(List.of(none, SdkBytes.fromByteArray(new byte[] {0, -1}))));
        all.put("lines", AttributeValue.fromL(List.of(Clients.text("x"), Clients.number("0.1"), AttributeValue.fromL(List.of()))));
        all.put("nested", AttributeValue.fromM(Map.of("a name", AttributeValue.fromM(Map.of()))));
        return all;
    }

    private void kinds() {
        put(allKinds());
        Map<String, AttributeValue> found = clients.get(Clients.order("kinds", -7));
        Acceptance.expect("each kind of attribute", found.equals(allKinds()), found);
        for (String digits : List.of("12345678901234567890123456789012345678", "-1E-130",
                "9.9999999999999999999999999999999999999E+125", "0.1234567890123456789012345678901234567", "-0", "007.50")) {
            Map<String, AttributeValue> item = Clients.order("numbers", 1);
            item.put("value", Clients.number(digits));
            put(item);
            String back = clients.get(Clients.order("numbers", 1)).get("value").n();
            Acceptance.expect("number " + digits, new BigDecimal(digits).compareTo(new BigDecimal(back)) == 0, back);
        }
    }

    private void updates() {
        Map<String, AttributeValue> before = Clients.order("update", 1);
        before.put("amount", Clients.number(10));
        before.put("list", AttributeValue.fromL(List.of(Clients.text("b"))));
        before.put("map", AttributeValue.fromM(Map.of("x", Clients.number(1), "y", Clients.number(2))));
        before.put("set", AttributeValue.fromSs(List.of("a", "b", "c")));
        put(before);
        Map<String, AttributeValue> changed = clients.db.updateItem(update -> update.tableName(Clients.TABLE)
                .key(Clients.order("update", 1))
                .updateExpression("SET amount = amount - :one, #l = list_append(:a, #l), #f = if_not_exists(#f, :now), "
                        + "#m.x = :now REMOVE #m.y ADD #c :much DELETE #s :b")
                .expressionAttributeNames(Map.of("#l", "list", "#f", "first", "#m", "map", "#c", "count", "#s", "set"))
                .expressionAttributeValues(Map.of(":one", Clients.number(1), ":now", Clients.text("now"), ":much",
                        Clients.number("2.5"), ":a", AttributeValue.fromL(List.of(Clients.text("a"))), ":b",
                        AttributeValue.fromSs(List.of("b"))))
                .returnValues(ReturnValue.UPDATED_NEW)).attributes();
        Map<String, AttributeValue> wanted = Map.of("amount", Clients.number(9), "first", Clients.text("now"),
                "list", AttributeValue.fromL(List.of(Clients.text("a"), Clients.text("b"))),
                "map", AttributeValue.fromM(Map.of("x", Clients.text("now"))),
                "count", Clients.number("2.5"), "set", AttributeValue.fromSs(List.of("a", "c")));
        Acceptance.expect("an update with each verb", changed.equals(wanted), changed);
    }

    private void conditions() {
        Map<String, AttributeValue> first = Clients.order("conditions", 1);
        first.put("note", Clients.text("first"));
        PutItemRequest put = PutItemRequest.builder().tableName(Clients.TABLE).item(first)
                .conditionExpression("attribute_not_exists(customer)").build();
        clients.db.putItem(put);
        ConditionalCheckFailedException failed = Acceptance.refused("no second put", ConditionalCheckFailedException.class,
                () -> clients.db.putItem(put));
        Acceptance.expect("without the item, not asked for", !failed.hasItem() && failed.awsErrorDetails().errorMessage()
                .equals("The conditional request failed"), failed);
        failed = Acceptance.refused("nor a third", ConditionalCheckFailedException.class,
                () -> clients.db.putItem(put.toBuilder()
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD).build()));
        Acceptance.expect("with the item, asked for", failed.item().equals(first), failed.item());
        failed = Acceptance.refused("no delete of nothing", ConditionalCheckFailedException.class,
                () -> clients.db.deleteItem(delete -> delete.tableName(Clients.TABLE).key(Clients.order("conditions", 2))
                        .conditionExpression("attribute_exists(customer)")
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)));
        Acceptance.expect("and no item", !failed.hasItem(), failed.item());
    }

    private void validation() {
        DynamoDbException error = Acceptance.refused("an empty key is refused", DynamoDbException.class,
                () -> put(Clients.order("", 1)));
        Acceptance.expect("in the words of AWS", error.statusCode() == 400 && error.awsErrorDetails().errorMessage().equals(
                "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty "
                + "string value. Key: customer"), error);
        error = Acceptance.refused("a number out of range too", DynamoDbException.class, () -> put(Map.of("customer",
                Clients.text("x"), "number", Clients.number("1" + "0".repeat(126)))));
        Acceptance.expect("by name", error.awsErrorDetails().errorCode().equals("ValidationException"), error);
        Acceptance.refused("an item of no table", ResourceNotFoundException.class,
                () -> clients.db.getItem(get -> get.tableName("Nowhere").key(Clients.order("x", 1))));
    }

    /** Counts what the server sent, as it came by the wire; the SDK compares the checksum of each answer. */
    private static final class Answers implements ExecutionInterceptor {
        private final AtomicInteger checksums = new AtomicInteger();
        private final AtomicInteger compressed = new AtomicInteger();

        @Override
        public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
            context.httpResponse().firstMatchingHeader("x-amz-crc32").ifPresent(sum -> checksums.incrementAndGet());
            context.httpResponse().firstMatchingHeader("Content-Encoding").filter("gzip"::equals)
                    .ifPresent(gzip -> compressed.incrementAndGet());
        }
    }

    private void coding() {
        Answers answers = new Answers();
        Map<String, AttributeValue> large = Clients.order("coding", 1);
        large.put("note", Clients.text("compressible ".repeat(10_000)));
        try (DynamoDbClient client = clients.builder().overrideConfiguration(change -> change.addExecutionInterceptor(answers)
                .putHeader("Accept-Encoding", "gzip")).build()) {
            client.putItem(put -> put.tableName(Clients.TABLE).item(large));
            Map<String, AttributeValue> found = client.getItem(get -> get.tableName(Clients.TABLE).key(Clients.order("coding", 1)))
                    .item();
            Acceptance.expect("a large answer", found.equals(large), found.keySet());
        }
        Acceptance.expect("with checksums", answers.checksums.get() == 2, answers.checksums);
        Acceptance.expect("compressed", answers.compressed.get() >= 1, answers.compressed);
    }
}
