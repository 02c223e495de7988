"""Reads as a login of an analyst through clickhouse-connect, with its defaults.

Prints one line per step; the test compares them.

login.py HOST PORT USER PASSWORD
"""

import sys

import clickhouse_connect

HOST, PORT, USER, PASSWORD = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]


def main():
    client = clickhouse_connect.get_client(host=HOST, port=PORT, username=USER, password=PASSWORD)
    print("events:", client.query("SELECT count(), uniqExact(workspace_id) FROM events").result_rows)
    print("parameters:", client.query("SELECT count() FROM events WHERE user_id = {id:String}", parameters={"id": "OURS1"}).result_rows)
    print("frame:", client.query_df("SELECT user_id FROM events ORDER BY user_id")["user_id"].tolist())
    print("tables:", "events" in [row[0] for row in client.query("SHOW TABLES").result_rows])
    print("columns:", client.query("SELECT count() > 10 FROM system.columns WHERE database = currentDatabase() AND table = 'events'").result_rows)
    for query in ("SELECT count() FROM default.events", "SELECT * FROM system.processes"):
        try:
            client.query(query)
        except clickhouse_connect.driver.exceptions.Error as error:
            print("error:", type(error).__name__, getattr(error, "code", None))
    try:
        clickhouse_connect.get_client(host=HOST, port=PORT, username=USER, password="wrong")
    except clickhouse_connect.driver.exceptions.Error as error:
        print("error:", type(error).__name__, getattr(error, "code", None))


main()
