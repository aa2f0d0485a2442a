import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.Select;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbWaiter;

/** Many items: pages of queries and scans, and batches, the rest of which is asked for again. */
final class Pages {
    private static final int LARGE_ITEMS = 30;
    private static final int LARGE_BYTES = 60_000;

    private final Clients clients;

    Pages(Clients clients) {
        this.clients = clients;
    }

    void walk() throws InterruptedException {
        queries();
        scan();
        batches();
        throttled();
    }

    private static WriteRequest write(Map<String, AttributeValue> item) {
        return WriteRequest.builder().putRequest(put -> put.item(item)).build();
    }

    /** Puts items by batches of 25, and what comes back as unprocessed again; how often that was. */
    private int writeAll(String table, List<Map<String, AttributeValue>> items) throws InterruptedException {
        List<WriteRequest> pending = new ArrayList<>(items.stream().map(Pages::write).toList());
        Instant deadline = Instant.now().plus(Tables.PATIENCE);
        int again = 0;
        while (!pending.isEmpty()) {
            List<WriteRequest> batch = pending.subList(0, Math.min(25, pending.size()));
            try {
                BatchWriteItemResponse answer = clients.db.batchWriteItem(some -> some.requestItems(Map.of(table, batch)));
                batch.clear();
                if (!answer.unprocessedItems().isEmpty()) {
                    pending.addAll(answer.unprocessedItems().get(table));
                    again++;
                    Tables.pause(deadline, "a batch is never written whole");
                }
            } catch (ProvisionedThroughputExceededException throttled) {
                Tables.pause(deadline, "a batch is always throttled");
            }
        }
        return again;
    }

    private List<QueryResponse> pagesOf(QueryRequest query) {
        return clients.db.queryPaginator(query).stream().toList();
    }

    private static List<Map<String, AttributeValue>> itemsOf(List<QueryResponse> pages) {
        return pages.stream().flatMap(page -> page.items().stream()).toList();
    }

    private void queries() throws InterruptedException {
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        for (int i = 0; i < LARGE_ITEMS; i++) {
            Map<String, AttributeValue> one = Clients.order("pages", i);
            one.put("amount", Clients.number(LARGE_ITEMS - i));
            one.put("note", Clients.text("x".repeat(LARGE_BYTES)));
            if (i % 2 == 0) {
                one.put("state", Clients.text("open"));
            }
            items.add(one);
        }
        writeAll(Clients.TABLE, items);

        QueryRequest query = QueryRequest.builder().tableName(Clients.TABLE).keyConditionExpression("customer = :c")
                .expressionAttributeValues(Map.of(":c", Clients.text("pages"))).build();
        List<QueryResponse> pages = pagesOf(query);
        List<Map<String, AttributeValue>> found = itemsOf(pages);
        Acceptance.expect("a query of more than 1 MB has pages", pages.size() == 2 && found.equals(items), pages.size());
        QueryRequest backwards = query.toBuilder().scanIndexForward(false).limit(7).build();
        pages = pagesOf(backwards);
        Acceptance.expect("and backwards, by 7", pages.size() == 5 && itemsOf(pages).get(0).equals(items.get(29)), pages.size());
        found = itemsOf(pagesOf(backwards.toBuilder().indexName("by_amount").build()));
        Acceptance.expect("by the local index", found.equals(items), found.size());
        found = itemsOf(pagesOf(QueryRequest.builder().tableName(Clients.TABLE).indexName("by_state").limit(2)
                .keyConditionExpression("#s = :s AND amount > :a").expressionAttributeNames(Map.of("#s", "state"))
                .expressionAttributeValues(Map.of(":s", Clients.text("open"), ":a", Clients.number(20))).build()));
        Acceptance.expect("by the global index", found.size() == 5 && found.get(0).equals(items.get(8)), found.size());
    }

    private void scan() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            int segment = i;
            clients.db.scanPaginator(scan -> scan.tableName(Clients.TABLE).totalSegments(3).segment(segment).limit(4)
                    .filterExpression("customer = :c").expressionAttributeValues(Map.of(":c", Clients.text("pages")))
                    .projectionExpression("#n").expressionAttributeNames(Map.of("#n", "number")))
                    .items().forEach(one -> seen.add(one.get("number").n()));
        }
        Acceptance.expect("a scan of three segments", seen.size() == LARGE_ITEMS, seen.size());
    }

    /** Reads more than the 16 MB of an answer. */
    private void batches() {
        int count = 48;
        List<Map<String, AttributeValue>> wanted = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Map<String, AttributeValue> one = Clients.order("batches", i);
            one.put("note", Clients.text("y".repeat(380_000)));
            clients.db.putItem(put -> put.tableName(Clients.TABLE).item(one));
            wanted.add(Clients.order("batches", i));
        }
        wanted.add(Clients.order("batches", count));
        Map<String, KeysAndAttributes> first = Map.of(Clients.TABLE,
                KeysAndAttributes.builder().keys(wanted).consistentRead(true).build());
        List<BatchGetItemResponse> rounds = clients.db.batchGetItemPaginator(get -> get.requestItems(first)).stream().toList();
        int found = rounds.stream().mapToInt(round -> round.responses().get(Clients.TABLE).size()).sum();
        Acceptance.expect("a batch of more than 16 MB is read in two", rounds.size() == 2 && found == count, found);
    }

    /** A table whose units are spent takes a batch later. */
    private void throttled() throws InterruptedException {
        clients.db.createTable(table -> table.tableName("Held").keySchema(Tables.keys("id"))
                .attributeDefinitions(Tables.attribute("id", ScalarAttributeType.S))
                .provisionedThroughput(units -> units.readCapacityUnits(20L).writeCapacityUnits(20L)));
        try (DynamoDbWaiter waiter = Tables.waiter(clients)) {
            waiter.waitUntilTableExists(name -> name.tableName("Held"));
        }
        AttributeValue note = Clients.text("z".repeat(5_000));
        List<Map<String, AttributeValue>> items = IntStream.range(0, 10).mapToObj(i -> {
            Map<String, AttributeValue> one = new HashMap<>();
            one.put("id", Clients.text("" + i));
            one.put("note", note);
            return one;
        }).toList();
        int again = writeAll("Held", items);
        Acceptance.expect("what was unprocessed is written later", again > 0, again);
        int count = clients.db.scan(scan -> scan.tableName("Held").select(Select.COUNT)).count();
        Acceptance.expect("all of it", count == 10, count);

        try (DynamoDbClient eager = clients.builder().overrideConfiguration(Clients::once).build()) {
            Instant deadline = Instant.now().plus(Tables.PATIENCE);
            Acceptance.refused("whoever asks too much is throttled", ProvisionedThroughputExceededException.class, () -> {
                while (Instant.now().isBefore(deadline)) {
                    eager.putItem(put -> put.tableName("Held").item(items.get(0)));
                }
            });
        }
        clients.db.deleteTable(name -> name.tableName("Held"));
    }
}
