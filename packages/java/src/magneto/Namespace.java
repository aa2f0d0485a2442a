package magneto;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tables of their own, with their clock, faults and journal: main, or a fork. Clients find it by its access key. */
public class Namespace {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private final String endpoint;
  private final String home; // of the control interface
  private final String token;
  private final String name;
  private final Clock clock = new Clock(this);
  private final Faults faults = new Faults(this);
  private final Journal journal = new Journal(this);

  Namespace(String endpoint, String home, String token, String name) {
    this.endpoint = endpoint;
    this.home = home;
    this.token = token;
    this.name = name;
  }

  /** For clients. */
  public final URI endpoint() {
    return URI.create(endpoint);
  }

  public final String region() {
    return "us-east-1";
  }

  public final String accessKeyId() {
    return name;
  }

  public final String secretAccessKey() {
    return "any";
  }

  public final String name() {
    return name;
  }

  /** The token of the control interface. */
  public final String token() {
    return token;
  }

  public final Clock clock() {
    return clock;
  }

  public final Faults faults() {
    return faults;
  }

  public final Journal journal() {
    return journal;
  }

  /** A copy of this namespace, which is deleted ten minutes after its last request. */
  public final Fork fork() {
    return fork(Map.of());
  }

  /** A copy, with members of the control interface: fork(Map.of("name", "mine", "port", true, "expires_after", "1h")). */
  public final Fork fork(Map<String, ?> members) {
    Map<String, Object> wanted = new HashMap<>(Map.of("from", Map.of("namespace", name), "expires_after", "10m"));
    wanted.putAll(members);
    Map<String, Object> made = ask("POST", "namespaces", wanted);
    Object own = made.get("endpoint");
    return new Fork(own == null ? home : own.toString(), home, token, made.get("name").toString());
  }

  /** Waits for indexes, expiry and other background work. */
  public final void settle() {
    control("POST", "settle", null);
  }

  public final void reset() {
    control("POST", "reset", null);
  }

  /** Deletes the items of these tables, or of all, and returns their number. */
  public final long truncate(String... tables) {
    Map<String, Object> body = tables.length == 0 ? Map.of() : Map.of("tables", List.of(tables));
    return ((Number) control("POST", "truncate", body).get("items")).longValue();
  }

  /** A request to /_/namespaces/NAME/PATH, for everything without a method here. The body may be null. */
  public final Map<String, Object> control(String method, String path, Object body) {
    return ask(method, "namespaces/" + encoded(name) + (path.isEmpty() ? "" : "/" + path), body);
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  static String text(Duration duration) {
    return duration.toMillis() + "ms";
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> ask(String method, String path, Object body) {
    String sent = body == null ? "" : Json.write(body);
    HttpRequest request = HttpRequest.newBuilder(URI.create(home + "/_/" + path)).header("Authorization", "Bearer " + token)
        .method(method, HttpRequest.BodyPublishers.ofString(sent)).build();
    HttpResponse<String> answer;
    try {
      answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException error) {
      throw new ControlException(0, "the server at " + home + " does not answer: " + error, error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new ControlException(0, "the wait for an answer was interrupted", error);
    }
    if (answer.statusCode() >= 300) throw new ControlException(answer.statusCode(), sentence(answer.body()), null);
    return answer.body().isEmpty() ? Map.of() : (Map<String, Object>) Json.read(answer.body());
  }

  private static String sentence(String body) {
    try {
      return ((Map<?, ?>) Json.read(body)).get("error").toString();
    } catch (IllegalArgumentException | ClassCastException | NullPointerException other) {
      return body;
    }
  }
}
