import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** Reads as a login of an analyst through JDBC, on which Metabase's driver is built. Login HOST USER PASSWORD */
public class Login {
    public static void main(String[] args) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("user", args[1]);
        properties.setProperty("password", args[2]);
        String address = "jdbc:clickhouse://" + args[0] + "/default";
        try (var connection = DriverManager.getConnection(address, properties)) {
            try (var rows = connection.createStatement().executeQuery("SELECT count() FROM events")) {
                rows.next();
                System.out.println("events: " + rows.getLong(1));
            }
            try (var statement = connection.prepareStatement("SELECT count() FROM events WHERE user_id = ?")) {
                statement.setString(1, "OURS1");
                var rows = statement.executeQuery();
                rows.next();
                System.out.println("prepared: " + rows.getLong(1));
            }
            boolean hasEvents = false;
            String schema = null;
            try (var tables = connection.getMetaData().getTables(null, null, "events", null)) {
                while (tables.next()) {
                    hasEvents = true;
                    schema = tables.getString("TABLE_SCHEM");
                }
            }
            System.out.println("table: " + hasEvents);
            int columns = 0;
            try (var found = connection.getMetaData().getColumns(null, schema, "events", null)) {
                while (found.next()) columns++;
            }
            System.out.println("columns: " + (columns > 10));
            try (var schemas = connection.getMetaData().getSchemas()) {
                System.out.println("schemas: " + schemas.next());
            }
            try {
                connection.createStatement().executeQuery("SELECT count() FROM default.events");
            } catch (SQLException error) {
                System.out.println("refused: " + error.getMessage().contains("ACCESS_DENIED"));
            }
        }
    }
}
