"""Uses the embedded ClickHouse through clickhouse-connect, with its defaults.

Prints one line per step; the test compares them.

clients.py HOST PORT DATABASE
"""

import datetime
import sys
from zoneinfo import ZoneInfo

import clickhouse_connect
import pandas

HOST, PORT, DATABASE = sys.argv[1], int(sys.argv[2]), sys.argv[3]


def connect(**options):
    return clickhouse_connect.get_client(host=HOST, port=PORT, database=DATABASE, **options)


def main():
    client = connect()
    print("protocol:", client.protocol_version, "compression:", client.write_compression)
    insert(client)
    query(client)
    frames(client)
    session(client)
    metadata(client)
    compressions()
    failures(client)


def insert(client):
    client.command(
        "CREATE TABLE py (id UInt32, name LowCardinality(Nullable(String)), at DateTime('Europe/Berlin'),"
        " tags Array(String), props JSON) ENGINE = MergeTree ORDER BY id"
    )
    at = datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
    rows = [
        [number, f"n{number % 3}" if number % 3 else None, at, ["a", "b"], {"a": number, "b": {"c": "x"}}]
        for number in range(1000)
    ]
    summary = client.insert("py", rows, column_names=["id", "name", "at", "tags", "props"])
    print("inserted:", summary.written_rows)


def query(client):
    result = client.query("SELECT * FROM py WHERE id = 1")
    print("types:", [column.name for column in result.column_types])
    identifier, name, at, tags, props = result.result_rows[0]
    print("row:", identifier, name, at == datetime.datetime(2024, 1, 1, 1, tzinfo=ZoneInfo("Europe/Berlin")), tags, props)
    print("path:", client.query("SELECT props.b.c FROM py WHERE id = 3").result_rows)
    print("parameters:", client.query("SELECT {a:UInt8} + 1", parameters={"a": 4}).result_rows)
    with client.query_row_block_stream("SELECT number, toString(number) FROM numbers(200000)") as blocks:
        print("streamed:", sum(len(block) for block in blocks))
    print("arrow:", client.query_arrow("SELECT number FROM numbers(3)").to_pydict())
    print("raw:", client.raw_query("SELECT 1, 'x' FORMAT CSV"))


def frames(client):
    frame = pandas.DataFrame({"id": [5000], "name": ["q"], "at": [pandas.Timestamp("2024-02-01", tz="UTC")]})
    client.insert_df("py", frame)
    result = client.query_df("SELECT name, count() AS count, max(at) AS last FROM py GROUP BY name ORDER BY name")
    print("frame:", result["count"].tolist(), str(result["last"].dt.tz))


def session(client):
    client.command("CREATE TEMPORARY TABLE kept (a UInt8)")
    client.insert("kept", [[1], [2]], column_names=["a"])
    client.command("SET max_threads = 3")
    print("session:", client.query("SELECT sum(a), getSetting('max_threads') FROM kept").result_rows)
    print("other session:", connect().query("EXISTS TEMPORARY TABLE kept").result_rows)


def metadata(client):
    """What Metabase and notebooks ask to fill their menus."""
    for query in (
        "SELECT count() > 0 FROM system.databases",
        "SELECT name FROM system.tables WHERE database = currentDatabase()",
        "SELECT name FROM system.columns WHERE database = currentDatabase() AND table = 'py' ORDER BY position",
        "SELECT table_name FROM information_schema.tables WHERE table_schema = currentDatabase()",
        "SHOW TABLES",
    ):
        print("metadata:", [row[0] for row in client.query(query).result_rows])


def compressions():
    for compression in ("lz4", "zstd", "gzip", False):
        client = connect(compress=compression)
        client.insert("py", [[9000, "x"]], column_names=["id", "name"])
        print("compression:", compression, client.query("SELECT sum(number) FROM numbers(100000)").result_rows)


def failures(client):
    for query in (
        "SELECT nothing",
        "SELECT throwIf(number = 2000000), number FROM numbers(4000000) SETTINGS max_block_size = 10000, max_threads = 1",
    ):
        try:
            client.query(query)
        except clickhouse_connect.driver.exceptions.Error as error:
            print("error:", type(error).__name__, getattr(error, "code", None))


main()
