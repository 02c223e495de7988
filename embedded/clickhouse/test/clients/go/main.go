// Uses the embedded ClickHouse as Grafana's data source and other Go programs do: clickhouse-go over
// HTTP, with every compression. Prints one line per step; the test compares them.
//
// clients ADDRESS DATABASE COMPRESSION
// clients ADDRESS login USER PASSWORD
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

var methods = map[string]clickhouse.CompressionMethod{
	"none":    clickhouse.CompressionNone,
	"gzip":    clickhouse.CompressionGZIP,
	"deflate": clickhouse.CompressionDeflate,
	"br":      clickhouse.CompressionBrotli,
	"lz4":     clickhouse.CompressionLZ4,
	"zstd":    clickhouse.CompressionZSTD,
}

func main() {
	if err := runAs(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
}

func runAs(address, database string, rest []string) error {
	if database == "login" {
		return login(address, clickhouse.Auth{Username: rest[0], Password: rest[1]})
	}
	return run(address, database, rest[0])
}

func run(address, database, compression string) error {
	ctx := context.Background()
	conn, err := clickhouse.Open(&clickhouse.Options{
		Protocol:    clickhouse.HTTP,
		Addr:        []string{address},
		Auth:        clickhouse.Auth{Database: database},
		Compression: &clickhouse.Compression{Method: methods[compression]},
	})
	if err != nil {
		return err
	}
	defer conn.Close()
	for _, step := range []func(context.Context, driver.Conn) error{
		ping, insert, aggregate, types, metadata, stream, failures, session,
	} {
		if err := step(ctx, conn); err != nil {
			return err
		}
	}
	return nil
}

func ping(ctx context.Context, conn driver.Conn) error {
	if err := conn.Ping(ctx); err != nil {
		return err
	}
	version, err := conn.ServerVersion()
	if err != nil {
		return err
	}
	fmt.Println("ping:", version.Version.Major > 20, version.Timezone)
	return nil
}

func insert(ctx context.Context, conn driver.Conn) error {
	if err := conn.Exec(ctx, `CREATE OR REPLACE TABLE go_events (
		id UInt64, name LowCardinality(String), at DateTime('Europe/Berlin'), tags Array(String),
		amount Decimal(18, 2), note Nullable(String), props JSON
	) ENGINE = MergeTree ORDER BY id`); err != nil {
		return err
	}
	batch, err := conn.PrepareBatch(ctx, "INSERT INTO go_events (id, name, at, tags, note)")
	if err != nil {
		return err
	}
	at := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	for id := uint64(0); id < 10_000; id++ {
		var note *string
		if id%2 == 0 {
			text := fmt.Sprint("note ", id)
			note = &text
		}
		if err := batch.Append(id, fmt.Sprint("n", id%3), at, []string{"a", "b"}, note); err != nil {
			return err
		}
	}
	return batch.Send()
}

func aggregate(ctx context.Context, conn driver.Conn) error {
	rows, err := conn.Query(ctx,
		"SELECT name, count(), max(at), sum(length(tags)) FROM go_events WHERE id >= ? GROUP BY name ORDER BY name", 1)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var count, tags uint64
		var at time.Time
		if err := rows.Scan(&name, &count, &at, &tags); err != nil {
			return err
		}
		fmt.Println("aggregate:", name, count, at, tags)
	}
	return rows.Err()
}

func types(ctx context.Context, conn driver.Conn) error {
	rows, err := conn.Query(ctx, `SELECT * EXCEPT (props), props.a::Nullable(String) AS a FROM go_events WHERE id = 2`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for _, column := range rows.ColumnTypes() {
		fmt.Println("type:", column.Name(), column.DatabaseTypeName())
	}
	var (
		value map[string]uint8
		pair  []any
		ip    string
	)
	err = conn.QueryRow(ctx,
		"SELECT map('k', 7::UInt8), tuple(1::UInt8, 'x'), toString(toIPv4('1.2.3.4'))").Scan(&value, &pair, &ip)
	if err != nil {
		return err
	}
	fmt.Println("values:", value["k"], pair, ip)
	return rows.Err()
}

// What Grafana's data source asks to fill its menus.
func metadata(ctx context.Context, conn driver.Conn) error {
	for _, query := range []string{
		"SELECT name FROM system.databases WHERE name = currentDatabase() AND name != ''",
		"SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE 'go_%'",
		"SELECT name FROM system.columns WHERE database = currentDatabase() AND table = 'go_events' AND type LIKE 'DateTime%'",
		"SELECT timezone()",
	} {
		var name string
		if err := conn.QueryRow(ctx, query).Scan(&name); err != nil {
			return err
		}
		fmt.Println("metadata:", name != "")
	}
	return nil
}

func stream(ctx context.Context, conn driver.Conn) error {
	rows, err := conn.Query(ctx, "SELECT number, toString(number) FROM numbers(500000)")
	if err != nil {
		return err
	}
	defer rows.Close()
	var count, sum uint64
	for rows.Next() {
		var number uint64
		var text string
		if err := rows.Scan(&number, &text); err != nil {
			return err
		}
		count++
		sum += number
	}
	fmt.Println("stream:", count, sum)
	return rows.Err()
}

func failures(ctx context.Context, conn driver.Conn) error {
	var exception *clickhouse.Exception
	early := conn.Exec(ctx, "SELECT nothing")
	if !errors.As(early, &exception) {
		return fmt.Errorf("unexpected: %w", early)
	}
	fmt.Println("early error:", exception.Code)
	rows, err := conn.Query(ctx,
		"SELECT throwIf(number = 2000000), number FROM numbers(4000000) SETTINGS max_block_size = 10000, max_threads = 1")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
	}
	if !errors.As(rows.Err(), &exception) {
		return fmt.Errorf("unexpected: %w", rows.Err())
	}
	fmt.Println("late error:", exception.Code)
	return nil
}

func session(ctx context.Context, conn driver.Conn) error {
	ctx = clickhouse.Context(ctx, clickhouse.WithSettings(clickhouse.Settings{
		"session_id": fmt.Sprint("go ", os.Getpid()),
	}))
	if err := conn.Exec(ctx, "CREATE TEMPORARY TABLE kept (a UInt8)"); err != nil {
		return err
	}
	if err := conn.Exec(ctx, "INSERT INTO kept VALUES (7)"); err != nil {
		return err
	}
	var value uint8
	if err := conn.QueryRow(ctx, "SELECT a FROM kept").Scan(&value); err != nil {
		return err
	}
	fmt.Println("session:", value)
	return nil
}

// login reads as an analyst. A deadline makes the client send a setting, as Grafana's data source does.
func login(address string, auth clickhouse.Auth) error {
	conn, err := clickhouse.Open(&clickhouse.Options{
		Protocol: clickhouse.HTTP,
		Addr:     []string{address},
		Auth:     auth,
		Settings: clickhouse.Settings{"max_execution_time": 30},
	})
	if err != nil {
		return err
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := conn.Ping(ctx); err != nil {
		return err
	}
	var events, workspaces uint64
	row := conn.QueryRow(ctx, "SELECT count(), uniqExact(workspace_id) FROM events")
	if err := row.Scan(&events, &workspaces); err != nil {
		return err
	}
	fmt.Println("events:", events, workspaces)
	row = conn.QueryRow(ctx, "SELECT count() FROM events WHERE user_id = {id:String}", clickhouse.Named("id", "OURS1"))
	if err := row.Scan(&events); err != nil {
		return err
	}
	fmt.Println("parameters:", events)
	var isThere uint8
	row = conn.QueryRow(ctx, "SELECT count() > 0 FROM system.tables WHERE database = currentDatabase() AND name = 'events'")
	if err := row.Scan(&isThere); err != nil {
		return err
	}
	fmt.Println("table:", isThere)
	var exception *clickhouse.Exception
	if err := conn.Exec(ctx, "INSERT INTO events_raw (workspace_id) VALUES (generateUUIDv4())"); errors.As(err, &exception) {
		fmt.Println("write:", exception.Code)
	} else {
		fmt.Println("write:", err)
	}
	return nil
}
