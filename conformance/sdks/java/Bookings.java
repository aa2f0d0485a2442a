import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbAsyncTable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedAsyncClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.BatchWriteResult;
import software.amazon.awssdk.enhanced.dynamodb.model.IgnoreNullsMode;
import software.amazon.awssdk.enhanced.dynamodb.model.Page;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;
import software.amazon.awssdk.enhanced.dynamodb.model.ReadBatch;
import software.amazon.awssdk.enhanced.dynamodb.model.WriteBatch;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** A table of the Enhanced client's making, and its items by both of its clients. */
final class Bookings {
    private static final String NAME = "Bookings";
    private static final int COUNT = 60;

    private final Clients clients;
    private final DynamoDbEnhancedClient enhanced;
    private final DynamoDbTable<Booking> table;
    private final DynamoDbEnhancedClient plain; // without versions, of which batches know nothing

    Bookings(Clients clients) {
        this.clients = clients;
        enhanced = DynamoDbEnhancedClient.builder().dynamoDbClient(clients.db).build();
        plain = DynamoDbEnhancedClient.builder().dynamoDbClient(clients.db).extensions(List.of()).build();
        table = enhanced.table(NAME, TableSchema.fromBean(Booking.class));
    }

    private static Key key(int id) {
        return Key.builder().partitionValue("guest").sortValue(id).build();
    }

    private static Booking booking(int id) {
        Booking one = new Booking();
        one.setGuest("guest");
        one.setId(id);
        one.setRoom("room " + id % 3);
        one.setArrival(Instant.parse("2026-11-23T04:05:06.789Z").plusSeconds(id));
        one.setPrice(new BigDecimal("1234567890123456789012345678901234.5678"));
        one.setWishes(Set.of("sea", ""));
        one.setExtras(List.of(Map.of("towels", id), Map.of()));
        return one;
    }

    void walk() {
        table.createTable();
        try (var waiter = Tables.waiter(clients)) {
            waiter.waitUntilTableExists(name -> name.tableName(NAME));
        }
        var made = table.describeTable().table();
        Acceptance.expect("the Enhanced client makes indexes", made.globalSecondaryIndexes().get(0).indexName().equals("by_room")
                && made.localSecondaryIndexes().get(0).indexName().equals("by_arrival"), made);
        versions();
        batches();
        queries();
        transactions();
        async();
        table.deleteTable();
    }

    private void versions() {
        table.putItem(booking(1));
        Booking found = table.getItem(key(1));
        Booking wanted = booking(1);
        wanted.setVersion(found.getVersion());
        wanted.setChanges(0L);
        Acceptance.expect("a mapped item", found.equals(wanted), found);
        Booking stale = table.getItem(key(1));
        found.setPaid(true);
        Booking updated = table.updateItem(found);
        Acceptance.expect("is updated under its version", updated.getVersion() == found.getVersion() + 1
                && updated.getPaid() && updated.getChanges() == 1, updated);
        Acceptance.refused("but not under an older one", ConditionalCheckFailedException.class, () -> table.updateItem(stale));
        Booking change = new Booking();
        change.setGuest("guest");
        change.setId(1);
        change.setVersion(updated.getVersion());
        change.setRoom("other");
        Booking partly = table.updateItem(update -> update.item(change).ignoreNullsMode(IgnoreNullsMode.SCALAR_ONLY));
        Acceptance.expect("or in part", partly.getPaid() && partly.getRoom().equals("other"), partly);
    }

    private void batches() {
        DynamoDbTable<Booking> rows = plain.table(NAME, table.tableSchema());
        List<Booking> pending = new ArrayList<>();
        for (int id = 2; id <= COUNT; id++) {
            pending.add(booking(id));
        }
        while (!pending.isEmpty()) {
            WriteBatch.Builder<Booking> batch = WriteBatch.builder(Booking.class).mappedTableResource(rows);
            List<Booking> first = pending.subList(0, Math.min(25, pending.size()));
            first.forEach(batch::addPutItem);
            first.clear();
            BatchWriteResult result = plain.batchWriteItem(write -> write.addWriteBatch(batch.build()));
            pending.addAll(result.unprocessedPutItemsForTable(rows));
        }
        ReadBatch.Builder<Booking> reads = ReadBatch.builder(Booking.class).mappedTableResource(table);
        for (int id = 1; id <= COUNT; id++) {
            reads.addGetItem(key(id));
        }
        long found = enhanced.batchGetItem(get -> get.addReadBatch(reads.build())).resultsForTable(table).stream().count();
        Acceptance.expect("batches of mapped items", found == COUNT, found);
    }

    private void queries() {
        Expression dear = Expression.builder().expression("price > :p")
                .expressionValues(Map.of(":p", Clients.number(1))).build();
        List<Page<Booking>> pages = table.query(query -> query.limit(7).filterExpression(dear)
                .queryConditional(QueryConditional.sortBetween(key(11), key(50)))).stream().toList();
        List<Integer> ids = pages.stream().flatMap(page -> page.items().stream()).map(Booking::getId).toList();
        Acceptance.expect("a query of mapped items", pages.size() == 6 && ids.size() == 40 && ids.get(39) == 50, ids);
        long found = table.index("by_room").query(QueryConditional.sortGreaterThan(Key.builder().partitionValue("room 1")
                .sortValue(booking(30).getArrival().toString()).build())).stream().mapToLong(page -> page.items().size()).sum();
        Acceptance.expect("by an index", found == 10, found);
        found = table.scan(scan -> scan.limit(9)).items().stream().count();
        Acceptance.expect("a scan of mapped items", found == COUNT, found);
    }

    private void transactions() {
        Expression missing = Expression.builder().expression("attribute_not_exists(guest)").build();
        TransactionCanceledException cancelled = Acceptance.refused("a transaction of mapped items",
                TransactionCanceledException.class, () -> enhanced.transactWriteItems(write -> write
                        .addDeleteItem(table, key(3))
                        .addConditionCheck(table, check -> check.key(key(2)).conditionExpression(missing))));
        Acceptance.expect("is cancelled", cancelled.cancellationReasons().get(1).code().equals("ConditionalCheckFailed"),
                cancelled);
        enhanced.transactWriteItems(write -> write.addDeleteItem(table, key(3)).addPutItem(table, booking(COUNT + 1)));
        var both = enhanced.transactGetItems(get -> get.addGetItem(table, key(3)).addGetItem(table, key(COUNT + 1)));
        Acceptance.expect("or done whole", both.get(0).getItem(table) == null
                && both.get(1).getItem(table).getId() == COUNT + 1, both);
    }

    private void async() {
        DynamoDbAsyncTable<Booking> other = DynamoDbEnhancedAsyncClient.builder().dynamoDbClient(clients.async).build()
                .table(NAME, TableSchema.fromBean(Booking.class));
        List<CompletableFuture<Void>> puts = new ArrayList<>();
        for (int id = 1000; id < 1200; id++) {
            puts.add(other.putItem(booking(id)));
        }
        CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new)).join();
        List<Booking> found = new ArrayList<>();
        other.query(QueryConditional.sortGreaterThanOrEqualTo(key(1000))).items().subscribe(found::add).join();
        Acceptance.expect("200 at once by the asynchronous client", found.size() == 200, found.size());
    }
}
