import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.Identity;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.Stream;
import software.amazon.awssdk.services.dynamodb.model.StreamDescription;
import software.amazon.awssdk.services.dynamodb.model.StreamRecord;
import software.amazon.awssdk.services.dynamodb.model.StreamStatus;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;

/** Compares what the stream tells of an item with what the walk did to it. */
final class Streams {
    private final Clients clients;

    Streams(Clients clients) {
        this.clients = clients;
    }

    void walk() {
        String arn = clients.db.describeTable(name -> name.tableName(Clients.TABLE)).table().latestStreamArn();
        List<Stream> listed = clients.streams.listStreams(name -> name.tableName(Clients.TABLE)).streams();
        Acceptance.expect("the stream is listed", listed.size() == 1 && listed.get(0).streamArn().equals(arn), listed);
        StreamDescription described = clients.streams.describeStream(one -> one.streamArn(arn)).streamDescription();
        Acceptance.expect("with both images", described.streamStatus() == StreamStatus.ENABLED
                && described.streamViewType() == StreamViewType.NEW_AND_OLD_IMAGES, described);

        Map<String, List<Record>> changes = new HashMap<>();
        for (Shard shard : described.shards()) {
            for (Record record : read(arn, shard.shardId())) {
                String customer = record.dynamodb().keys().get("customer").s();
                changes.computeIfAbsent(customer, name -> new ArrayList<>()).add(record);
            }
        }
        compare(changes);
        DynamoDbException lost = Acceptance.refused("a shard that is not there", ResourceNotFoundException.class,
                () -> clients.streams.getShardIterator(start -> start.streamArn(arn)
                        .shardId("shardId-00000000000000000000-00000000").shardIteratorType(ShardIteratorType.LATEST)));
        Acceptance.expect("with a request id", !lost.requestId().isEmpty(), lost);
    }

    private List<Record> read(String arn, String shard) {
        List<Record> records = new ArrayList<>();
        String iterator = clients.streams.getShardIterator(start -> start.streamArn(arn).shardId(shard)
                .shardIteratorType(ShardIteratorType.TRIM_HORIZON)).shardIterator();
        while (iterator != null) {
            String from = iterator;
            GetRecordsResponse answer = clients.streams.getRecords(get -> get.shardIterator(from));
            if (answer.records().isEmpty()) {
                break;
            }
            records.addAll(answer.records());
            iterator = answer.nextShardIterator();
        }
        return records;
    }

    private static String events(List<Record> records) {
        return String.join(" ", records.stream().map(Record::eventNameAsString).toList());
    }

    private static void compare(Map<String, List<Record>> changes) {
        String numbers = events(changes.get("numbers"));
        Acceptance.expect("numbers of one item, in order", numbers.equals("INSERT MODIFY MODIFY MODIFY MODIFY MODIFY"), numbers);
        List<Record> partiql = changes.get("partiql");
        Acceptance.expect("what PartiQL did", events(partiql).equals("INSERT MODIFY REMOVE"), partiql);
        StreamRecord modify = partiql.get(1).dynamodb();
        Acceptance.expect("before and after", modify.oldImage().get("note").s().equals("it's")
                && modify.newImage().get("note").s().equals("changed"), modify);
        Duration age = Duration.between(modify.approximateCreationDateTime(), Instant.now());
        Acceptance.expect("lately", age.abs().compareTo(Tables.PATIENCE.multipliedBy(10)) < 0, age);
        Acceptance.expect("each parallel write", changes.get("parallel").size() == 400, changes.get("parallel").size());
        List<Record> late = changes.get("late");
        Identity service = Identity.builder().type("Service").principalId("dynamodb.amazonaws.com").build();
        Acceptance.expect("time to live", events(late).equals("INSERT REMOVE") && service.equals(late.get(1).userIdentity()), late);
        StreamRecord kinds = changes.get("kinds").get(0).dynamodb();
        Acceptance.expect("each kind of attribute, in an image", kinds.newImage().equals(Items.allKinds()), kinds);
    }
}
