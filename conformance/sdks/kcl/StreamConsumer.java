import com.amazonaws.services.dynamodbv2.streamsadapter.AmazonDynamoDBStreamsAdapterClient;
import com.amazonaws.services.dynamodbv2.streamsadapter.StreamsSchedulerFactory;
import com.amazonaws.services.dynamodbv2.streamsadapter.model.DynamoDBStreamsProcessRecordsInput;
import com.amazonaws.services.dynamodbv2.streamsadapter.polling.DynamoDBStreamsPollingConfig;
import com.amazonaws.services.dynamodbv2.streamsadapter.processor.DynamoDBStreamsShardRecordProcessor;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.cloudwatch.CloudWatchAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.kinesis.common.ConfigsBuilder;
import software.amazon.kinesis.common.InitialPositionInStream;
import software.amazon.kinesis.common.InitialPositionInStreamExtended;
import software.amazon.kinesis.coordinator.Scheduler;
import software.amazon.kinesis.exceptions.InvalidStateException;
import software.amazon.kinesis.exceptions.ShutdownException;
import software.amazon.kinesis.lifecycle.events.InitializationInput;
import software.amazon.kinesis.lifecycle.events.LeaseLostInput;
import software.amazon.kinesis.lifecycle.events.ShardEndedInput;
import software.amazon.kinesis.lifecycle.events.ShutdownRequestedInput;
import software.amazon.kinesis.metrics.NullMetricsFactory;
import software.amazon.kinesis.processor.RecordProcessorCheckpointer;
import software.amazon.kinesis.retrieval.RetrievalConfig;

/**
 * The Kinesis Client Library reads a table's stream, by the adapter that DynamoDB has for it: each change once, in
 * order for each item, also behind the end of the shards that were there first. Its leases lie in tables of the same
 * server. Endpoint and keys come from the environment. The library takes some two minutes to give out its leases.
 * `StreamConsumer [token]`: of the server's control interface, which turns the clock. Without it no shard ends.
 */
final class StreamConsumer {
    private static final String TABLE = "Watched";
    private static final int ITEMS = 20;
    private static final int VERSIONS = 50;
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    /** What was read: the versions of each item, and the shards that came to an end. */
    private static final Map<String, List<Integer>> VERSIONS_OF = new TreeMap<>();
    private static final Set<String> ENDED = new TreeSet<>();

    private StreamConsumer() {}

    /** Of one shard. */
    private static final class Processor implements DynamoDBStreamsShardRecordProcessor {
        private String shard;

        @Override
        public void initialize(InitializationInput input) {
            shard = input.shardId();
        }

        @Override
        public void processRecords(DynamoDBStreamsProcessRecordsInput input) {
            synchronized (VERSIONS_OF) {
                input.records().forEach(record -> {
                    Map<String, AttributeValue> image = record.getRecord().dynamodb().newImage();
                    VERSIONS_OF.computeIfAbsent(image.get("pk").s(), name -> new ArrayList<>())
                            .add(Integer.valueOf(image.get("version").n()));
                });
            }
            checkpoint(input.checkpointer());
        }

        @Override
        public void leaseLost(LeaseLostInput input) {}

        @Override
        public void shardEnded(ShardEndedInput input) {
            synchronized (VERSIONS_OF) {
                ENDED.add(shard);
            }
            checkpoint(input.checkpointer());
        }

        @Override
        public void shutdownRequested(ShutdownRequestedInput input) {
            checkpoint(input.checkpointer());
        }

        private static void checkpoint(RecordProcessorCheckpointer checkpointer) {
            try {
                checkpointer.checkpoint();
            } catch (InvalidStateException | ShutdownException error) {
                throw new IllegalStateException(error);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        try (DynamoDbClient db = DynamoDbClient.create();
                DynamoDbAsyncClient async = DynamoDbAsyncClient.create();
                CloudWatchAsyncClient unused = CloudWatchAsyncClient.create();
                DynamoDbStreamsClient streams = DynamoDbStreamsClient.create()) {
            String arn = makeTable(db);
            Scheduler scheduler = scheduler(arn, async, unused, streams);
            Thread thread = new Thread(scheduler);
            thread.setDaemon(true);
            thread.start();
            int shards = streams.describeStream(one -> one.streamArn(arn)).streamDescription().shards().size();
            write(db, 0);
            await(VERSIONS, 0);
            if (arguments.length > 0) {
                turnClock("5h", arguments[0]); // shards last for four hours
            }
            write(db, VERSIONS);
            await(2 * VERSIONS, arguments.length > 0 ? shards : 0);
            thread.interrupt();
        }
        System.out.println("done");
        System.exit(0); // the library keeps threads
    }

    private static String makeTable(DynamoDbClient db) {
        return db.createTable(table -> table.tableName(TABLE).billingMode(BillingMode.PAY_PER_REQUEST)
                .keySchema(key -> key.attributeName("pk").keyType(KeyType.HASH))
                .attributeDefinitions(key -> key.attributeName("pk").attributeType(ScalarAttributeType.S))
                .streamSpecification(stream -> stream.streamEnabled(true)
                        .streamViewType(StreamViewType.NEW_AND_OLD_IMAGES)))
                .tableDescription().latestStreamArn();
    }

    private static Scheduler scheduler(String arn, DynamoDbAsyncClient async, CloudWatchAsyncClient unused,
            DynamoDbStreamsClient streams) {
        var adapter = new AmazonDynamoDBStreamsAdapterClient(streams, new DefaultAwsRegionProviderChain().getRegion());
        var tracker = StreamsSchedulerFactory.createSingleStreamTracker(arn, InitialPositionInStreamExtended
                .newInitialPosition(InitialPositionInStream.TRIM_HORIZON));
        var configs = new ConfigsBuilder(tracker, "watcher", adapter, async, unused, "worker", Processor::new);
        RetrievalConfig retrieval = configs.retrievalConfig();
        retrieval.retrievalSpecificConfig(new DynamoDBStreamsPollingConfig(adapter).idleTimeBetweenReadsInMillis(200));
        return StreamsSchedulerFactory.createScheduler(configs.checkpointConfig(), configs.coordinatorConfig(),
                configs.leaseManagementConfig(), configs.lifecycleConfig(),
                configs.metricsConfig().metricsFactory(new NullMetricsFactory()), configs.processorConfig(), retrieval,
                adapter);
    }

    /** Each item gets VERSIONS versions, numbered from first on. */
    private static void write(DynamoDbClient db, int first) {
        for (int version = first; version < first + VERSIONS; ++version) {
            for (int item = 0; item < ITEMS; ++item) {
                Map<String, AttributeValue> image = Map.of("pk", AttributeValue.fromS("item-" + item), "version",
                        AttributeValue.fromN(String.valueOf(version)));
                db.putItem(put -> put.tableName(TABLE).item(image));
            }
        }
    }

    private static void turnClock(String by, String token) throws Exception {
        HttpRequest request = HttpRequest.newBuilder()
                .uri(URI.create(System.getenv("MAGNETO_ENDPOINT") + "/_/namespaces/main/clock"))
                .header("Content-Type", "application/json").header("Authorization", "Bearer " + token)
                .PUT(HttpRequest.BodyPublishers.ofString("{\"advance\":\"" + by + "\"}")).build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        expect("the clock is turned", answer.statusCode() == 200, answer.body());
    }

    /** Until so many versions of each item were read, and as many shards have ended. */
    private static void await(int versions, int shards) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        List<Integer> expected = new ArrayList<>();
        for (int version = 0; version < versions; ++version) {
            expected.add(version);
        }
        while (true) {
            synchronized (VERSIONS_OF) {
                boolean read = VERSIONS_OF.size() == ITEMS
                        && VERSIONS_OF.values().stream().allMatch(found -> found.size() >= versions);
                if (read && ENDED.size() >= shards) {
                    for (List<Integer> found : VERSIONS_OF.values()) {
                        expect(versions + " versions, each once and in order", found.equals(expected), found);
                    }
                    return;
                }
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("after " + PATIENCE + ": " + VERSIONS_OF + ", ended " + ENDED);
                }
            }
            Thread.sleep(100);
        }
    }

    private static void expect(String title, boolean holds, Object found) {
        if (!holds) {
            throw new AssertionError(title + "; found: " + found);
        }
        System.out.println("ok " + title);
    }
}
