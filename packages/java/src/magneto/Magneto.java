package magneto;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A DynamoDB-compatible database server for tests, and its namespace main. A server that start() started ends with this
 * process, in whatever way the process ends: its standard input is a pipe of ours.
 */
public final class Magneto extends Namespace implements AutoCloseable {
  private static final Pattern READY = Pattern.compile("^magneto \\S+ listening on (\\S+?),.*");
  private static final int STOP_SECONDS = 30;
  private final Process process; // null: it was started elsewhere

  private Magneto(String endpoint, String token, Process process) {
    super(endpoint, endpoint, token, "main");
    this.process = process;
  }

  /** Starts a server on a free port, in memory, with these flags of its own: start("--schema", "orders.json"). */
  public static Magneto start(String... flags) {
    return start(Program.find(), 0, flags);
  }

  /** Starts another server than that of the jars, or on this port; 0 is any free one. */
  public static Magneto start(Path program, int port, String... flags) {
    Program.checkMachine(program);
    String token = Long.toHexString(new SecureRandom().nextLong()) + Long.toHexString(new SecureRandom().nextLong());
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(flags));
    command.addAll(List.of("--port", String.valueOf(port), "--control-token", token, "--end-with-stdin"));
    Process process;
    try {
      process = new ProcessBuilder(command).start();
    } catch (IOException error) {
      throw new StartException(Program.whyItCannotRun(program, error), error);
    }
    Errors errors = new Errors(process.getErrorStream());
    String endpoint = waitForEndpoint(process.getInputStream());
    if (endpoint == null) {
      int status = waitFor(process);
      String said = errors.text();
      throw new StartException(said.isEmpty() ? "the server ended with status " + status + " before it listened, and did not say why" : said);
    }
    errors.release();
    follow("magneto stdout", () -> process.getInputStream().transferTo(OutputStream.nullOutputStream()));
    return new Magneto(endpoint, token, process);
  }

  /** A server that runs already, and the token of its --control-token. close() leaves it alone. */
  public static Magneto connect(String endpoint, String token) {
    return new Magneto(endpoint.replaceFirst("/$", ""), token, null);
  }

  /** That of MAGNETO_ENDPOINT and MAGNETO_CONTROL_TOKEN, if they are set, else a new one. */
  public static Magneto connectOrStart(String... flags) {
    String endpoint = System.getenv("MAGNETO_ENDPOINT");
    if (endpoint == null) return start(flags);
    String token = System.getenv("MAGNETO_CONTROL_TOKEN");
    if (token == null) {
      throw new StartException("MAGNETO_ENDPOINT is set, but not MAGNETO_CONTROL_TOKEN: set it to the server's --control-token");
    }
    return connect(endpoint, token);
  }

  public int port() {
    return endpoint().getPort();
  }

  /** Can be called again. */
  public void stop() {
    if (process == null) return;
    try {
      process.getOutputStream().close();
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
    } catch (IOException error) {
      process.destroyForcibly();
    } catch (InterruptedException error) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** Stops it. */
  @Override public void close() {
    stop();
  }

  // Reads by bytes: a reader with a buffer would take what belongs to the thread that follows.
  private static String waitForEndpoint(InputStream output) {
    StringBuilder line = new StringBuilder();
    try {
      for (int c = output.read(); c >= 0; c = output.read()) {
        if (c != '\n') {
          line.append((char) c);
          continue;
        }
        Matcher ready = READY.matcher(line);
        if (ready.matches()) return ready.group(1);
        line.setLength(0);
      }
      return null;
    } catch (IOException error) {
      return null; // its end says why
    }
  }

  private static int waitFor(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException error) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new StartException("the start was interrupted", error);
    }
  }

  private interface Following {
    void run() throws IOException;
  }

  private static Thread follow(String name, Following work) {
    Thread thread = new Thread(() -> {
      try {
        work.run();
      } catch (IOException closed) {
        // The stream of a process that has ended.
      }
    }, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Passes the lines of the server's stderr on to ours. Those before release() are kept, since a failing start reports them. */
  private static final class Errors {
    private final Thread thread;
    private StringBuilder kept = new StringBuilder(); // guarded by this object; null: released

    Errors(InputStream stream) {
      BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
      thread = follow("magneto stderr", () -> {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) take(line + "\n");
      });
    }

    private synchronized void take(String text) {
      if (kept == null) {
        System.err.print(text);
      } else {
        kept.append(text);
      }
    }

    synchronized void release() {
      System.err.print(kept);
      kept = null;
    }

    /** After the end of the process. */
    String text() {
      try {
        thread.join();
      } catch (InterruptedException error) {
        Thread.currentThread().interrupt();
      }
      synchronized (this) {
        return kept.toString().trim();
      }
    }
  }
}
