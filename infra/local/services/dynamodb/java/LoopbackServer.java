import java.lang.reflect.Field;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;

/**
 * DynamoDB Local on the loopback interface, with half the CPU time; exits when its standard input closes. Unmodified, it listens on
 * every interface, accepts any credentials, and has no option for it. Takes the same arguments.
 *
 * The .class files are compiled from the .java files, because a Java runtime has no compiler:
 * javac --release 17 -cp 'DynamoDBLocal.jar:DynamoDBLocal_lib/*' *.java
 */
public class LoopbackServer {
    private static final String ACCESS = "software.amazon.dynamodb.services.local.shared.access.sqlite.";

    public static void main(String[] arguments) throws Exception {
        for (String name : new String[] {"SQLiteDBAccess", "SQLiteDBAccessJob"}) ParsedOnce.in(Class.forName(ACCESS + name));
        DynamoDBProxyServer dynamodb = ServerRunner.createServerFromCommandLineArgs(arguments);
        Field field = DynamoDBProxyServer.class.getDeclaredField("server");
        field.setAccessible(true);
        for (Connector connector : ((Server) field.get(dynamodb)).getConnectors()) {
            ((ServerConnector) connector).setHost("127.0.0.1");
        }
        dynamodb.start();
        // Its end, even by SIGKILL, closes the pipe.
        while (System.in.read() >= 0) {}
        Runtime.getRuntime().halt(0);
    }
}
