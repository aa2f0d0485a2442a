package magneto.junit;

import java.util.List;
import magneto.Fork;
import magneto.Magneto;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Parameters of tests: a Magneto, the server of the run, and a Fork, a copy of its tables for one test. As {@code @ExtendWith} it takes the
 * server's flags from the configuration parameter magneto.flags; as {@code @RegisterExtension} from the constructor. With MAGNETO_ENDPOINT and
 * MAGNETO_CONTROL_TOKEN set, it uses that running server.
 */
public final class MagnetoExtension implements ParameterResolver, AfterEachCallback {
  private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(MagnetoExtension.class);
  private final List<String> flags; // null: of the configuration

  public MagnetoExtension() {
    flags = null;
  }

  public MagnetoExtension(String... flags) {
    this.flags = List.of(flags);
  }

  /** JUnit closes it at the end of the run. */
  @SuppressWarnings("deprecation") // JUnit before 5.13 closes no other kind
  private static final class Running implements ExtensionContext.Store.CloseableResource, AutoCloseable {
    private final Magneto server;

    Running(List<String> flags) {
      server = Magneto.connectOrStart(flags.toArray(new String[0]));
    }

    @Override public void close() {
      server.stop();
    }
  }

  private Magneto server(ExtensionContext context) {
    List<String> wanted = flags != null ? flags
        : context.getConfigurationParameter("magneto.flags").map(text -> List.of(text.trim().split("\\s+"))).orElse(List.of());
    return context.getRoot().getStore(STORE).getOrComputeIfAbsent(wanted, key -> new Running(wanted), Running.class).server;
  }

  @Override public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Magneto.class || type == Fork.class && context.getTestMethod().isPresent();
  }

  @Override public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Magneto server = server(context);
    if (parameter.getParameter().getType() == Magneto.class) return server;
    return context.getStore(STORE).getOrComputeIfAbsent(Fork.class, key -> server.fork(), Fork.class);
  }

  /** Deletes the fork of the test, if it has one. */
  @Override public void afterEach(ExtensionContext context) {
    Fork fork = context.getStore(STORE).remove(Fork.class, Fork.class);
    if (fork != null) fork.delete();
  }
}
