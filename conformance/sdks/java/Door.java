import javax.net.ssl.SSLHandshakeException;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/** Who is served, and who is not. */
final class Door {
    private static final AwsBasicCredentials WRONG = AwsBasicCredentials.create("dummy", "wrong");
    private final Clients clients;

    Door(Clients clients) {
        this.clients = clients;
    }

    void walk(boolean verified) {
        Acceptance.expect("no tables yet", clients.db.listTables().tableNames().isEmpty(), "tables");
        Acceptance.expect("nor for the other client", clients.async.listTables().join().tableNames().isEmpty(), "tables");
        if (Clients.secure()) {
            distrust();
        }
        if (verified) {
            strangers();
        }
    }

    private static void distrust() {
        try (DynamoDbClient client = DynamoDbClient.builder().overrideConfiguration(Clients::once).build()) {
            SdkClientException error = Acceptance.refused("who does not trust the certificate does not go on",
                    SdkClientException.class, client::listTables);
            Acceptance.expect("in the handshake", causedByHandshake(error), error);
        }
        try (DynamoDbAsyncClient client = DynamoDbAsyncClient.builder().overrideConfiguration(Clients::once).build()) {
            Exception error = Acceptance.refused("nor does the other client", Exception.class, () -> client.listTables().join());
            Acceptance.expect("in the handshake either", causedByHandshake(error), error);
        }
    }

    private static boolean causedByHandshake(Throwable error) {
        return error != null && (error instanceof SSLHandshakeException || causedByHandshake(error.getCause()));
    }

    private void strangers() {
        AwsSessionCredentials session = AwsSessionCredentials.create("SESSION", "secret/of+session", "to/ken+==");
        try (DynamoDbClient client = clients.once(session)) {
            Acceptance.expect("keys of a session", client.listTables().hasTableNames(), "no list");
        }
        refuse(WRONG, "InvalidSignatureException");
        refuse(AwsBasicCredentials.create("nobody", "dummy"), "UnrecognizedClientException");
        refuse(AwsSessionCredentials.create("SESSION", "secret/of+session", "other"), "UnrecognizedClientException");
        refuse(AwsSessionCredentials.create("OVER", "over", "over"), "ExpiredTokenException");
        try (DynamoDbClient client = clients.once(WRONG)) {
            String words = "The request signature we calculated does not match the signature you provided.";
            DynamoDbException error = Acceptance.refused("a wrong secret", DynamoDbException.class, client::listTables);
            Acceptance.expect("in the words of AWS", error.awsErrorDetails().errorMessage().startsWith(words), error);
        }
    }

    private void refuse(AwsCredentials keys, String code) {
        try (DynamoDbClient client = clients.once(keys)) {
            DynamoDbException error = Acceptance.refused("refused: " + keys.accessKeyId() + " " + keys.secretAccessKey(),
                    DynamoDbException.class, client::listTables);
            Acceptance.expect("with " + code, error.statusCode() == 400 && error.awsErrorDetails().errorCode().equals(code),
                    error);
        }
    }
}
