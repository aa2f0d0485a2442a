/**
 * A walk through the API with the AWS SDK for Java 2, as an application of its would: the endpoint and the keys come from
 * the environment, and the certificate from the file that AWS_CA_BUNDLE names, which this SDK does not read itself.
 * `Acceptance [verified]`: with it, the server compares signatures.
 */
final class Acceptance {
    private Acceptance() {}

    public static void main(String[] arguments) throws Exception {
        try (Clients clients = new Clients()) {
            new Door(clients).walk(arguments.length > 0 && arguments[0].equals("verified"));
            Tables tables = new Tables(clients);
            tables.make();
            Items items = new Items(clients);
            items.walk();
            new Pages(clients).walk();
            new Transactions(clients).walk();
            tables.timeToLive();
            new Streams(clients).walk();
            new Bookings(clients).walk();
            tables.remove();
        }
        System.out.println("done");
    }

    /** Ends the program unless the condition holds. */
    static void expect(String title, boolean holds, Object found) {
        if (!holds) {
            throw new AssertionError(title + "; found: " + found);
        }
        System.out.println("ok " + title);
    }

    interface Call {
        void run() throws Exception;
    }

    /** The error of the call, as the type that the SDK has for it. */
    static <T extends Exception> T refused(String title, Class<T> type, Call call) {
        try {
            call.run();
        } catch (Exception error) {
            expect(title, type.isInstance(error), error);
            return type.cast(error);
        }
        throw new AssertionError(title + ": was not refused");
    }
}
