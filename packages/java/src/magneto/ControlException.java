package magneto;

/** The server refused a control request, or could not be reached. The message is its sentence. */
public final class ControlException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final int status;

  ControlException(int status, String sentence, Throwable cause) {
    super(sentence, cause);
    this.status = status;
  }

  /** The status of the answer; 0 if there was none. */
  public int status() {
    return status;
  }
}
