import java.lang.reflect.Field;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;

/**
 * DynamoDB Local on one loopback address, with half the CPU time. Exits when its standard input closes. The unmodified
 * server listens on every interface and accepts any credentials, without an option to change that.
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
            ((ServerConnector) connector).setHost(System.getProperty("parley.host", "127.0.0.1"));
        }
        dynamodb.start();
        // The pipe closes when the parent exits, even by SIGKILL.
        while (System.in.read() >= 0) {}
        Runtime.getRuntime().halt(0);
    }
}
