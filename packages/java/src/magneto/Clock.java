package magneto;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/** The clock of one namespace. */
public final class Clock {
  private final Namespace space;

  Clock(Namespace space) {
    this.space = space;
  }

  public Instant now() {
    return Instant.parse(space.control("GET", "clock", null).get("now").toString());
  }

  public void advance(Duration by) {
    change("advance", Namespace.text(by));
  }

  public void set(Instant time) {
    change("now", time.truncatedTo(ChronoUnit.MILLIS).toString());
  }

  public void freeze() {
    change("frozen", true);
  }

  public void unfreeze() {
    change("frozen", false);
  }

  /** Back to real time. */
  public void reset() {
    space.control("DELETE", "clock", null);
  }

  private void change(String member, Object value) {
    space.control("PUT", "clock", Map.of(member, value));
  }
}
