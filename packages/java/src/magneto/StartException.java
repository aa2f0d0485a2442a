package magneto;

/** The server did not start. The message has the server's own sentence, or that of the system. */
public final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StartException(String sentence, Throwable cause) {
    super(sentence, cause);
  }

  StartException(String sentence) {
    super(sentence);
  }
}
