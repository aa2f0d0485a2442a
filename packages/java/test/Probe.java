import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import magneto.Magneto;
import magneto.StartException;

/** Starts a server with the flags of its command line, and stops it after a line of input. */
class Probe {
  public static void main(String[] arguments) throws Exception {
    List<String> flags = new ArrayList<>(List.of(arguments));
    int port = 0;
    int at = flags.indexOf("--port");
    if (at >= 0) {
      port = Integer.parseInt(flags.remove(at + 1));
      flags.remove(at);
    }
    String program = System.getenv("PROBE_BINARY");
    String[] rest = flags.toArray(new String[0]);
    try (Magneto server = program != null || port != 0
        ? Magneto.start(Paths.get(program != null ? program : System.getenv("PROBE_OWN")), port, rest) : Magneto.start(rest)) {
      System.out.println(server.endpoint());
      System.in.read();
      server.stop();
    } catch (StartException error) {
      System.err.println(error);
      System.exit(3);
    }
  }
}
