import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.Tag;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbWaiter;

/** The table of the walk, and what belongs to a table. */
final class Tables {
    static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Clients clients;

    Tables(Clients clients) {
        this.clients = clients;
    }

    static AttributeDefinition attribute(String name, ScalarAttributeType type) {
        return AttributeDefinition.builder().attributeName(name).attributeType(type).build();
    }

    static List<KeySchemaElement> keys(String... names) {
        return Arrays.stream(names).map(name -> KeySchemaElement.builder().attributeName(name)
                .keyType(name.equals(names[0]) ? KeyType.HASH : KeyType.RANGE).build()).toList();
    }

    private static Tag tag(String key, String value) {
        return Tag.builder().key(key).value(value).build();
    }

    static DynamoDbWaiter waiter(Clients clients) {
        return DynamoDbWaiter.builder().client(clients.db).overrideConfiguration(often -> often.maxAttempts(1000)
                .waitTimeout(PATIENCE).backoffStrategyV2(BackoffStrategy.fixedDelay(PAUSE))).build();
    }

    private static CreateTableRequest orders() {
        return CreateTableRequest.builder().tableName(Clients.TABLE).billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(attribute("customer", ScalarAttributeType.S), attribute("number", ScalarAttributeType.N),
                        attribute("state", ScalarAttributeType.S), attribute("amount", ScalarAttributeType.N))
                .keySchema(keys("customer", "number"))
                .globalSecondaryIndexes(index -> index.indexName("by_state").keySchema(keys("state", "amount"))
                        .projection(some -> some.projectionType(ProjectionType.INCLUDE).nonKeyAttributes("note")))
                .localSecondaryIndexes(index -> index.indexName("by_amount").keySchema(keys("customer", "amount"))
                        .projection(all -> all.projectionType(ProjectionType.ALL)))
                .streamSpecification(on -> on.streamEnabled(true).streamViewType(StreamViewType.NEW_AND_OLD_IMAGES))
                .tags(tag("team", "shop"))
                .build();
    }

    void make() {
        TableDescription made = clients.db.createTable(orders()).tableDescription();
        Acceptance.expect("a table is being made", made.tableStatus() == TableStatus.CREATING, made);
        try (DynamoDbWaiter waiter = waiter(clients)) {
            made = waiter.waitUntilTableExists(name -> name.tableName(Clients.TABLE)).matched().response().orElseThrow().table();
        }
        Acceptance.expect("the waiter sees it", made.tableStatus() == TableStatus.ACTIVE, made);
        Acceptance.expect("with both indexes", made.globalSecondaryIndexes().get(0).indexStatus() == IndexStatus.ACTIVE
                && made.localSecondaryIndexes().get(0).indexName().equals("by_amount"), made);
        Duration age = Duration.between(made.creationDateTime(), Instant.now());
        Acceptance.expect("made just now", age.abs().compareTo(PATIENCE) < 0, age);

        Acceptance.refused("no second of its name", ResourceInUseException.class, () -> clients.db.createTable(orders()));
        ResourceNotFoundException missing = Acceptance.refused("a table that is not there", ResourceNotFoundException.class,
                () -> clients.db.describeTable(name -> name.tableName("Nowhere")));
        Acceptance.expect("is named", missing.awsErrorDetails().errorMessage()
                .equals("Requested resource not found: Table: Nowhere not found"), missing);
        tags(made.tableArn());
    }

    private void tags(String arn) {
        clients.db.tagResource(more -> more.resourceArn(arn).tags(tag("stage", "test"), tag("team", "store")));
        clients.db.untagResource(less -> less.resourceArn(arn).tagKeys("stage"));
        List<Tag> found = clients.db.listTagsOfResource(list -> list.resourceArn(arn)).tags();
        Acceptance.expect("tags", found.equals(List.of(tag("team", "store"))), found);
    }

    void timeToLive() throws InterruptedException {
        Acceptance.Call on = () -> clients.db.updateTimeToLive(ttl -> ttl.tableName(Clients.TABLE)
                .timeToLiveSpecification(until -> until.attributeName("until").enabled(true)));
        try {
            on.run();
        } catch (Exception error) {
            throw new AssertionError(error);
        }
        DynamoDbException again = Acceptance.refused("time to live is on", DynamoDbException.class, on);
        Acceptance.expect("already", again.awsErrorDetails().errorCode().equals("ValidationException"), again);
        Instant deadline = Instant.now().plus(PATIENCE);
        while (clients.db.describeTimeToLive(name -> name.tableName(Clients.TABLE)).timeToLiveDescription().timeToLiveStatus()
                != TimeToLiveStatus.ENABLED) {
            pause(deadline, "time to live does not become ENABLED");
        }
        Map<String, AttributeValue> late = Clients.order("late", 1);
        Map<String, AttributeValue> over = Clients.order("late", 1);
        over.put("until", Clients.number(Instant.now().minusSeconds(3600).getEpochSecond()));
        clients.db.putItem(put -> put.tableName(Clients.TABLE).item(over));
        while (!clients.get(late).isEmpty()) {
            pause(deadline, "an item stays whose time is over");
        }
        System.out.println("ok an item whose time is over goes");
    }

    static void pause(Instant deadline, String failure) throws InterruptedException {
        if (Instant.now().isAfter(deadline)) {
            throw new AssertionError(failure);
        }
        Thread.sleep(PAUSE.toMillis());
    }

    void remove() {
        clients.db.deleteTable(name -> name.tableName(Clients.TABLE));
        try (DynamoDbWaiter waiter = waiter(clients)) {
            waiter.waitUntilTableNotExists(name -> name.tableName(Clients.TABLE));
        }
        for (String name : List.of("More2", "More1", "More3")) {
            clients.db.createTable(table -> table.tableName(name).billingMode(BillingMode.PAY_PER_REQUEST).keySchema(keys("id"))
                    .attributeDefinitions(attribute("id", ScalarAttributeType.B)));
        }
        List<String> names = clients.db.listTablesPaginator(list -> list.limit(2)).tableNames().stream().toList();
        Acceptance.expect("tables are listed by name", names.equals(List.of("More1", "More2", "More3")), names);
    }
}
