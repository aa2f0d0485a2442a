import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import magneto.Fork;
import magneto.Magneto;
import magneto.testcontainers.MagnetoContainer;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.ContainerLaunchException;

/** The container of Testcontainers, started by an engine of Docker or by packages/container_stand_in.py. */
class ContainerTest {
  private static final String NO_TABLES = "{\"TableNames\":[]}";

  @Test void aContainerAnswersUntilItIsStopped() throws Exception {
    URI endpoint;
    try (MagnetoContainer container = new MagnetoContainer("magneto")) {
      container.start();
      Magneto server = container.magneto();
      endpoint = server.endpoint();
      assertEquals(container.getMappedPort(8000), endpoint.getPort());
      assertEquals(NO_TABLES, MembersTest.call(200, endpoint, "any", "ListTables", "{}"));
      try (Fork fork = server.fork()) {
        assertEquals(NO_TABLES, MembersTest.call(200, fork.endpoint(), fork.accessKeyId(), "ListTables", "{}"));
      }
    }
    assertThrows(IOException.class, () -> MembersTest.call(200, endpoint, "any", "ListTables", "{}"));
  }

  @Test void itsFlagsAreThoseOfTheServer() throws Exception {
    try (MagnetoContainer container = new MagnetoContainer("magneto").withFlags("--like", "dynamodb-local")) {
      container.start();
      HttpRequest request = HttpRequest.newBuilder(container.magneto().endpoint()).build();
      String answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
      assertTrue(answer.contains("MissingAuthenticationTokenException"), answer);
    }
  }

  @Test void theSentenceOfAServerThatRefusesAFlagIsInTheLog() throws Exception {
    CompletableFuture<String> said = new CompletableFuture<>();
    try (MagnetoContainer container = new MagnetoContainer("magneto").withFlags("--prt", "1")) {
      container.withLogConsumer(frame -> said.complete(frame.getUtf8String()));
      assertThrows(ContainerLaunchException.class, container::start);
    }
    String sentence = said.get(2, TimeUnit.MINUTES);
    assertTrue(sentence.contains("unknown argument --prt"), sentence);
  }
}
