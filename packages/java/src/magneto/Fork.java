package magneto;

/** A copy of a namespace, usually for one test. */
public final class Fork extends Namespace implements AutoCloseable {
  Fork(String endpoint, String home, String token, String name) {
    super(endpoint, home, token, name);
  }

  public void delete() {
    control("DELETE", "", null);
  }

  /** Deletes it. */
  @Override public void close() {
    delete();
  }
}
