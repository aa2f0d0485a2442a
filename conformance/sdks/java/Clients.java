import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.TlsTrustManagersProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** The SDK's clients, which trust the certificate of the environment where there is one. */
final class Clients implements AutoCloseable {
    static final String TABLE = "Orders";

    private final TrustManager[] trusted;
    final SdkHttpClient http;
    private final SdkAsyncHttpClient asyncHttp;
    final DynamoDbClient db;
    final DynamoDbAsyncClient async;
    final DynamoDbStreamsClient streams;

    Clients() throws IOException, GeneralSecurityException {
        trusted = trustManagers();
        http = Apache5HttpClient.builder().tlsTrustManagersProvider(provider()).build();
        asyncHttp = NettyNioAsyncHttpClient.builder().connectionAcquisitionTimeout(Tables.PATIENCE)
                .tlsTrustManagersProvider(provider()).build();
        db = builder().build();
        async = DynamoDbAsyncClient.builder().httpClient(asyncHttp).build();
        streams = DynamoDbStreamsClient.builder().httpClient(http).build();
    }

    static boolean secure() {
        return System.getenv("AWS_CA_BUNDLE") != null;
    }

    DynamoDbClientBuilder builder() {
        return DynamoDbClient.builder().httpClient(http);
    }

    /** A client does not try again. */
    static void once(ClientOverrideConfiguration.Builder change) {
        change.retryStrategy(none -> none.maxAttempts(1));
    }

    DynamoDbClient once(AwsCredentials keys) {
        return builder().overrideConfiguration(Clients::once).credentialsProvider(StaticCredentialsProvider.create(keys)).build();
    }

    private TlsTrustManagersProvider provider() {
        return trusted == null ? null : () -> trusted;
    }

    private static TrustManager[] trustManagers() throws IOException, GeneralSecurityException {
        if (!secure()) {
            return null;
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream file = Files.newInputStream(Path.of(System.getenv("AWS_CA_BUNDLE")))) {
            store.setCertificateEntry("server", CertificateFactory.getInstance("X.509").generateCertificate(file));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    Map<String, AttributeValue> get(Map<String, AttributeValue> key) {
        return db.getItem(get -> get.tableName(TABLE).key(key).consistentRead(true)).item();
    }

    @Override
    public void close() {
        db.close();
        async.close();
        streams.close();
        http.close();
        asyncHttp.close();
    }

    static AttributeValue text(String value) {
        return AttributeValue.fromS(value);
    }

    static AttributeValue number(Object value) {
        return AttributeValue.fromN(value.toString());
    }

    static Map<String, AttributeValue> order(String customer, int id) {
        return new HashMap<>(Map.of("customer", text(customer), "number", number(id)));
    }
}
