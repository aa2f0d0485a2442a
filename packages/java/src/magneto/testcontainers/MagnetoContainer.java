package magneto.testcontainers;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import magneto.Magneto;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** Magneto's image as a container of Testcontainers: new MagnetoContainer("magneto").withFlags("--schema", "/orders.json"). */
public final class MagnetoContainer extends GenericContainer<MagnetoContainer> {
  private static final int PORT = 8000;
  private final String token = UUID.randomUUID().toString();

  public MagnetoContainer(String image) {
    this(DockerImageName.parse(image));
  }

  public MagnetoContainer(DockerImageName image) {
    super(image);
    withExposedPorts(PORT);
    waitingFor(Wait.forHttp("/_/ready").forPort(PORT));
    withFlags();
  }

  /** The flags of the server. */
  public MagnetoContainer withFlags(String... flags) {
    List<String> command = new ArrayList<>(List.of("--port", String.valueOf(PORT), "--control-token", token));
    command.addAll(List.of(flags));
    return withCommand(command.toArray(new String[0]));
  }

  /** The server in the running container. */
  public Magneto magneto() {
    return Magneto.connect("http://" + getHost() + ":" + getMappedPort(PORT), token);
  }
}
