// Rows that together exceed the statement timeout: a retry of the same statement would fail again
// and block all later rows.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { writeOutbox } from '../../../ingest/outbox/outbox.ts';
import type { SegmentContents } from '../../../ingest/spool/read-segment.ts';
import { OUTBOX_CONTACT_UPDATES } from '../../../schema/rows/outbox-contact-updates.ts';
import { RowWriter } from '../../../schema/rows/row-writer.ts';
import { uuidToRowBinary } from '../../../schema/values/uuid-bytes.ts';
import { ownDatabase } from '../../harness/own-database.ts';
import { createTenant, sql } from '../../harness/tenant.ts';

const PEOPLE = 64;
/** Together, the rows take more than twice the statement timeout. */
const PERSON_SECONDS = 0.05;
const STATEMENT_TIMEOUT_MS = 1_500;

test('rows too slow for one statement are divided into several', async () => {
  const { owner, system } = await ownDatabase();
  const { workspaceId } = await createTenant({ databaseUrl: owner });
  await sql(
    `CREATE FUNCTION be_slow() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN PERFORM pg_sleep(${PERSON_SECONDS}); RETURN NEW; END $$;
     CREATE TRIGGER be_slow BEFORE UPDATE ON contacts FOR EACH ROW EXECUTE FUNCTION be_slow()`,
    [],
    owner,
  );
  const client = new pg.Client({
    connectionString: system,
    statement_timeout: STATEMENT_TIMEOUT_MS,
  });
  await client.connect();
  const refused: unknown[] = [];
  try {
    await writeOutbox(segmentOf(workspaceId), {
      client: () => client,
      onWritten: () => undefined,
      onRefused: (_table, row) => refused.push(row),
    });
  } finally {
    await client.end();
  }
  const people = await sql(
    `SELECT count(*)::int AS count FROM contacts WHERE workspace_id = $1 AND traits = '{"plan": "pro"}'`,
    [workspaceId],
    owner,
  );
  expect(people).toEqual([{ count: PEOPLE }]);
  expect(refused).toEqual([]);
});

function segmentOf(workspaceId: string): SegmentContents {
  const id = randomUUID();
  const writer = new RowWriter();
  for (let row = 0; row < PEOPLE; row++) {
    writer.uuid(uuidToRowBinary(workspaceId));
    writer.text(`user-${row}`);
    writer.emptyText();
    writer.text('{"plan":"pro"}');
    writer.instantMs(Date.now());
    writer.uuid(uuidToRowBinary(id));
    writer.uint32(row);
  }
  const bytes = Buffer.from(writer.written());
  const { id: tableId } = OUTBOX_CONTACT_UPDATES;
  const header = { kind: 1, tableId, partition: 0, rows: PEOPLE, firstRow: 0 } as const;
  return {
    header: { id, createdAtMs: Date.now(), tables: [OUTBOX_CONTACT_UPDATES] },
    payloadsOf: async function* () {
      yield bytes;
    },
    frames: [{ ...header, start: 0, payloadStart: 0, end: bytes.length, checksum: 0 }],
  };
}
