package magneto;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rules by which requests of one namespace fail. */
public final class Faults {
  private final Namespace space;

  Faults(Namespace space) {
    this.space = space;
  }

  /** add(Map.of("error", "ThrottlingException"), Map.of("operations", List.of("PutItem"), "count", 1)). Returns the rule's id. */
  public String add(Map<String, ?> fault, Map<String, ?> rule) {
    Map<String, Object> body = new HashMap<>(rule);
    body.put("fault", fault);
    return space.control("POST", "faults", body).get("id").toString();
  }

  @SuppressWarnings("unchecked")
  public List<Map<String, Object>> list() {
    return (List<Map<String, Object>>) space.control("GET", "faults", null).get("rules");
  }

  public void remove(String id) {
    space.control("DELETE", "faults/" + Namespace.encoded(id), null);
  }

  public void clear() {
    space.control("DELETE", "faults", null);
  }
}
