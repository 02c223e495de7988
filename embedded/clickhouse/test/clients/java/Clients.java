import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Uses the embedded ClickHouse as Metabase and other Java programs do: through the JDBC driver.
 * Prints one line per step; the test compares them.
 *
 * Clients HOST:PORT DATABASE OPTIONS
 */
public class Clients {
  public static void main(String[] arguments) throws Exception {
    Class.forName("com.clickhouse.jdbc.Driver");
    String url = "jdbc:ch://" + arguments[0] + "/" + arguments[1] + "?" + arguments[2];
    try (Connection connection = DriverManager.getConnection(url, "default", "");
        Statement statement = connection.createStatement()) {
      System.out.println("major: " + (connection.getMetaData().getDatabaseMajorVersion() > 20));
      insert(connection, statement);
      query(statement);
      metadata(connection, arguments[1]);
      failure(statement);
    }
  }

  static void insert(Connection connection, Statement statement) throws SQLException {
    statement.execute(
        "CREATE OR REPLACE TABLE java (id UInt64, name LowCardinality(String), "
            + "at DateTime('UTC'), amount Decimal(9, 2)) ENGINE = MergeTree ORDER BY id");
    String sql = "INSERT INTO java (id, name, amount) VALUES (?, ?, ?)";
    try (PreparedStatement prepared = connection.prepareStatement(sql)) {
      for (int id = 0; id < 1000; id++) {
        prepared.setLong(1, id);
        prepared.setString(2, "it's " + id % 3);
        prepared.setBigDecimal(3, new BigDecimal("1.50"));
        prepared.addBatch();
      }
      prepared.executeBatch();
    }
  }

  static void query(Statement statement) throws SQLException {
    String sql = "SELECT name, count(), sum(amount) FROM java GROUP BY name ORDER BY name";
    try (ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        System.out.println(rows.getString(1) + ": " + rows.getLong(2) + " " + rows.getBigDecimal(3));
      }
    }
    long sum = 0;
    try (ResultSet rows = statement.executeQuery("SELECT number FROM numbers(300000)")) {
      while (rows.next()) {
        sum += rows.getLong(1);
      }
    }
    System.out.println("stream: " + sum);
  }

  static void metadata(Connection connection, String database) throws SQLException {
    try (ResultSet tables = connection.getMetaData().getTables(null, database, "java", null)) {
      while (tables.next()) {
        System.out.println("table: " + tables.getString("TABLE_NAME"));
      }
    }
    try (ResultSet columns = connection.getMetaData().getColumns(null, database, "java", null)) {
      while (columns.next()) {
        System.out.println("column: " + columns.getString("COLUMN_NAME") + " " + columns.getString("TYPE_NAME"));
      }
    }
  }

  static void failure(Statement statement) {
    try {
      statement.executeQuery("SELECT nothing");
    } catch (SQLException error) {
      System.out.println("error: " + error.getMessage().startsWith("Code: 47."));
    }
  }
}
