import java.lang.reflect.Field;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;

/**
 * DynamoDB Local, reachable from this machine only. It listens on every interface otherwise, accepts any credentials, and has no option
 * for it. Takes the same arguments.
 *
 * LoopbackServer.class is compiled from this, because a Java runtime has no compiler:
 * javac --release 17 -cp 'DynamoDBLocal.jar:DynamoDBLocal_lib/*' LoopbackServer.java
 */
public class LoopbackServer {
    public static void main(String[] arguments) throws Exception {
        DynamoDBProxyServer dynamodb = ServerRunner.createServerFromCommandLineArgs(arguments);
        Field field = DynamoDBProxyServer.class.getDeclaredField("server");
        field.setAccessible(true);
        for (Connector connector : ((Server) field.get(dynamodb)).getConnectors()) {
            ((ServerConnector) connector).setHost("127.0.0.1");
        }
        dynamodb.start();
        dynamodb.join();
    }
}
