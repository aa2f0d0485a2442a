package magneto;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The last requests of one namespace. */
public final class Journal {
  private final Namespace space;

  Journal(Namespace space) {
    this.space = space;
  }

  public void start() {
    space.control("PUT", "journal", Map.of("on", true));
  }

  public void stop() {
    space.control("PUT", "journal", Map.of("on", false));
  }

  /** records(Map.of("operation", "PutItem", "after", 7)) */
  @SuppressWarnings("unchecked")
  public List<Map<String, Object>> records(Map<String, ?> filters) {
    String query = filters.entrySet().stream().map(filter -> filter.getKey() + "=" + Namespace.encoded(filter.getValue().toString()))
        .collect(Collectors.joining("&"));
    return (List<Map<String, Object>>) space.control("GET", query.isEmpty() ? "journal" : "journal?" + query, null).get("records");
  }

  /** check(Map.of("no_scan", true)) throws an AssertionError with a sentence for each assertion that fails. */
  @SuppressWarnings("varargs")
  @SafeVarargs public final void check(Map<String, ?>... assertions) {
    checkAfter(0, assertions);
  }

  /** Looks only at records behind this number. */
  @SuppressWarnings("varargs") // a list takes them
  @SafeVarargs public final void checkAfter(long after, Map<String, ?>... assertions) {
    Map<String, Object> answer = space.control("POST", "journal/assert", Map.of("after", after, "assertions", List.of(assertions)));
    if (Boolean.TRUE.equals(answer.get("passed"))) return;
    List<?> failures = (List<?>) answer.get("failures");
    throw new AssertionError(failures.stream().map(failure -> ((Map<?, ?>) failure).get("sentence").toString())
        .collect(Collectors.joining("\n")));
  }

  public void clear() {
    space.control("DELETE", "journal", null);
  }
}
