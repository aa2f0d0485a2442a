package magneto;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** The server's program: a resource of the jar for a platform, unpacked once into the user's cache. */
final class Program {
  private static final String SYSTEM = System.getProperty("os.name");
  private static final String PROCESSOR = System.getProperty("os.arch").replace("x86_64", "amd64").replace("aarch64", "arm64");
  private static final int ELF = 0x7f454c46;

  private Program() {}

  static Path find() {
    String folder = "/META-INF/magneto/" + SYSTEM.toLowerCase() + "-" + PROCESSOR + "/";
    try (InputStream digest = Program.class.getResourceAsStream(folder + "digest")) {
      if (digest == null) {
        throw new StartException("there is no server for " + SYSTEM + " on " + PROCESSOR + " among the jars: add magneto-linux-amd64 or "
            + "magneto-linux-arm64, or use Linux");
      }
      String[] digestAndSize = new String(digest.readAllBytes(), StandardCharsets.US_ASCII).trim().split(" ");
      Path path = cache().resolve("magneto").resolve(digestAndSize[0]).resolve("magneto");
      if (!Files.exists(path) || Files.size(path) != Long.parseLong(digestAndSize[1])) unpack(folder + "magneto", path);
      return path;
    } catch (IOException error) {
      throw new StartException("the server's program cannot be unpacked (" + error + "): make room, or set XDG_CACHE_HOME to a folder "
          + "that can be written", error);
    }
  }

  private static Path cache() {
    String given = System.getenv("XDG_CACHE_HOME");
    if (given != null && !given.isEmpty()) return Paths.get(given);
    String home = System.getenv("HOME");
    return Paths.get(home == null || home.isEmpty() ? System.getProperty("user.home") : home, ".cache");
  }

  /** Writes it under another name first, since other processes may look for it at the same time. */
  private static void unpack(String resource, Path path) throws IOException {
    Files.createDirectories(path.getParent());
    Path written = Files.createTempFile(path.getParent(), "unpacking-", "");
    try (InputStream program = Program.class.getResourceAsStream(resource)) {
      Files.copy(program, written, StandardCopyOption.REPLACE_EXISTING);
      Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.move(written, path, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(written);
    }
  }

  /** Java would have a shell read a program of another processor as a script. */
  static void checkMachine(Path program) {
    try (DataInputStream header = new DataInputStream(Files.newInputStream(program))) {
      if (header.readInt() != ELF) return;
      header.skipBytes(14);
      int machine = Short.toUnsignedInt(Short.reverseBytes(header.readShort()));
      if (machine != (PROCESSOR.equals("amd64") ? 62 : 183)) {
        throw new StartException(program + " is built for another system or processor than this one, " + SYSTEM + " on " + PROCESSOR);
      }
    } catch (NoSuchFileException error) {
      throw new StartException(program + ": No such file or directory", error);
    } catch (IOException error) {
      throw new StartException(program + " cannot be read: " + error, error);
    }
  }

  static String whyItCannotRun(Path program, IOException error) {
    String said = String.valueOf(error.getMessage());
    if (said.contains("error=2,")) {
      return program + " needs the loader of glibc, which this system lacks. Systems with musl, such as Alpine, cannot run it";
    }
    if (said.contains("error=13,")) {
      return program + " may not be run: its file is not executable, or its file system is mounted noexec";
    }
    return program + " cannot be run: " + said;
  }
}
