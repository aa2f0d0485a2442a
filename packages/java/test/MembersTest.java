import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import magneto.ControlException;
import magneto.Fork;
import magneto.Magneto;
import magneto.Namespace;
import magneto.junit.MagnetoExtension;
import magneto.testcontainers.MagnetoContainer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every member of the package for Java, once. */
@ExtendWith(MagnetoExtension.class)
class MembersTest {
  private static final String TABLE = "{\"TableName\": \"Tab\", \"BillingMode\": \"PAY_PER_REQUEST\", \"AttributeDefinitions\": "
      + "[{\"AttributeName\": \"pk\", \"AttributeType\": \"S\"}], \"KeySchema\": [{\"AttributeName\": \"pk\", \"KeyType\": \"HASH\"}]}";

  /** Sends an operation as an SDK does, and returns the answer of this status. */
  static String call(int status, URI endpoint, String key, String operation, String body) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(endpoint).header("X-Amz-Target", "DynamoDB_20120810." + operation)
        .header("Content-Type", "application/x-amz-json-1.0").header("X-Amz-Date", "20260101T000000Z")
        .header("Authorization", "AWS4-HMAC-SHA256 Credential=" + key
            + "/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00")
        .POST(HttpRequest.BodyPublishers.ofString(body)).build();
    HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    assertEquals(status, answer.statusCode(), answer.body());
    return answer.body();
  }

  static int count(URI endpoint, String key) throws Exception {
    return Integer.parseInt(call(200, endpoint, key, "Scan", "{\"TableName\": \"Tab\"}").replaceAll(".*\"Count\":(\\d+).*", "$1"));
  }

  @BeforeAll static void aServerHasNoTables(Magneto server) throws Exception {
    call(200, server.endpoint(), "any", "CreateTable", TABLE);
  }

  @Test void serverAndConnection(Magneto server) throws Exception {
    assertEquals("http://localhost:" + server.port(), server.endpoint().toString());
    Magneto running = Magneto.connect(server.endpoint() + "/", server.token());
    for (Magneto one : List.of(server, running)) {
      walkClock(one);
      walkFaults(one);
      walkJournal(one);
      walkForks(one);
    }
    running.close();
    assertEquals(1L, server.control("GET", "", null).get("tables"));
    ControlException refusal = assertThrows(ControlException.class,
        () -> Magneto.connect(server.endpoint().toString(), "wrong").control("GET", "", null));
    assertEquals(401, refusal.status());
    ControlException silence = assertThrows(ControlException.class, () -> Magneto.connect("http://localhost:1", "any").clock().now());
    assertEquals(0, silence.status());
  }

  private void walkClock(Namespace space) {
    space.clock().freeze();
    space.clock().set(Instant.parse("2031-02-03T12:00:00Z"));
    space.clock().advance(Duration.ofMinutes(90));
    assertEquals(Instant.parse("2031-02-03T13:30:00Z"), space.clock().now());
    space.clock().unfreeze();
    assertEquals(false, space.control("GET", "clock", null).get("frozen"));
    space.clock().reset();
    assertTrue(Duration.between(space.clock().now(), Instant.now()).abs().toHours() < 1);
  }

  private void walkFaults(Namespace space) throws Exception {
    Map<String, String> error = Map.of("error", "InternalServerError", "message", "a \"quoted\" line\nand \u00e9");
    String rule = space.faults().add(error, Map.of("operations", List.of("ListTables")));
    assertEquals(List.of(rule), List.of(space.faults().list().get(0).get("id")));
    assertEquals(error.get("message"), ((Map<?, ?>) space.faults().list().get(0).get("fault")).get("message"));
    call(500, space.endpoint(), space.accessKeyId(), "ListTables", "{}");
    space.faults().remove(rule);
    space.faults().add(error, Map.of("probability", 0.5, "seed", 7));
    space.faults().clear();
    assertTrue(space.faults().list().isEmpty());
    ControlException refusal = assertThrows(ControlException.class, () -> space.faults().add(Map.of(), Map.of()));
    assertEquals(400, refusal.status());
  }

  private void walkJournal(Namespace space) throws Exception {
    space.journal().start();
    call(200, space.endpoint(), space.accessKeyId(), "PutItem", "{\"TableName\": \"Tab\", \"Item\": {\"pk\": {\"S\": \"a\"}}}");
    count(space.endpoint(), space.accessKeyId());
    List<Map<String, Object>> scans = space.journal().records(Map.of("operation", "Scan", "table", "Tab"));
    assertEquals(1, scans.size());
    space.journal().checkAfter((Long) scans.get(0).get("number"), Map.of("no_scan", true));
    AssertionError failure = assertThrows(AssertionError.class,
        () -> space.journal().check(Map.of("no_errors", true), Map.of("no_scan", true)));
    assertTrue(failure.getMessage().contains("Scan"), failure.getMessage());
    space.journal().stop();
    count(space.endpoint(), space.accessKeyId());
    assertEquals(2, space.journal().records(Map.of()).size());
    space.journal().clear();
  }

  private void walkForks(Magneto server) throws Exception {
    Fork fork = server.fork(Map.of("name", "named", "port", true, "expires_after", "1m"));
    assertEquals("named", fork.name());
    assertNotEquals(server.endpoint(), fork.endpoint());
    assertEquals(1, fork.truncate("Tab"));
    assertEquals(0, count(fork.endpoint(), "anyone"));
    try (Fork second = fork.fork()) {
      assertEquals(server.endpoint(), second.endpoint());
      assertEquals(0, count(second.endpoint(), second.accessKeyId()));
    }
    fork.reset();
    fork.settle();
    assertEquals(1, count(fork.endpoint(), "anyone"));
    fork.delete();
    assertThrows(ControlException.class, () -> fork.clock().now());
    assertEquals(1, server.truncate());
  }

  @Test void aForkIsTheTestsOwn(Fork fork, Fork same, Magneto server) {
    assertEquals(fork, same);
    assertFalse(fork.name().equals(server.name()));
    assertEquals(fork.name(), fork.control("GET", "", null).get("name"));
  }

  @Test void aContainerHasTheServersFlags() {
    try (MagnetoContainer container = new MagnetoContainer("magneto").withFlags("--no-ui")) {
      assertEquals(List.of(8000), container.getExposedPorts());
      List<String> command = List.of(container.getCommandParts());
      assertEquals(List.of("--port", "8000", "--control-token"), command.subList(0, 3));
      assertEquals("--no-ui", command.get(4));
    }
  }
}
