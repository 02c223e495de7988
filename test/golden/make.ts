// `npm run golden -- NAME` stores a segment with rows of every table, as today's code writes it,
// for later releases to insert. Run it when a table or its encoder has changed; see README.md.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptBatch } from '../../ingest/accept/accept-batch.ts';
import { acceptInAppEvent } from '../../ingest/accept/accept-in-app-event.ts';
import { acceptInAppResponse } from '../../ingest/accept/accept-in-app-response.ts';
import { acceptPushEngagement } from '../../ingest/accept/accept-push-engagement.ts';
import { parseBatch } from '../../ingest/accept/parse-batch.ts';
import { parseObject } from '../../ingest/accept/parse-object.ts';
import { createRecentIdsMemory, RecentIds } from '../../ingest/accept/recent-ids.ts';
import { type Clock, systemClock } from '../../ingest/clock.ts';
import type { SdkRequest } from '../../ingest/sdk-request.ts';
import { nodeFileSystem } from '../../ingest/spool/file-system.ts';
import { SpoolLog } from '../../ingest/spool/spool-log.ts';
import { ALL_TABLES } from '../../schema/rows/all-tables.ts';
import { encodeRowValues } from '../../schema/rows/control-plane-rows.ts';
import { SEND_AUDITS_RAW } from '../../schema/rows/send-audits-raw.ts';
import { uuidToRowBinary } from '../../schema/values/uuid-bytes.ts';
import { readRows } from './read-rows.ts';
import { BATCH, IN_APP_EVENT, IN_APP_RESPONSE, PUSH_ENGAGEMENT, SEND_AUDIT } from './requests.ts';

export const SEGMENTS = join(import.meta.dirname, 'segments');
/** The workspace of all rows. */
export const WORKSPACE_ID = '01900000-0000-7000-8000-00000000a001';
const PROPERTY_ID = '01900000-0000-7000-8000-00000000a002';
const KEY_ID = '01900000-0000-7000-8000-00000000a003';
const RECEIVED_AT_MS = Date.UTC(2026, 10, 21, 2, 30, 0, 250);
const CLOCK: Clock = { ...systemClock, nowMs: () => RECEIVED_AT_MS };

/** A complete segment written by today's code, with the same bytes each time. */
export async function makeSegment(): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'golden-'));
  try {
    // Also used for the ID of the segment, which must differ from those of the stored files.
    let ids = 600;
    const log = await SpoolLog.open({
      fs: nodeFileSystem,
      clock: CLOCK,
      directory,
      tables: ALL_TABLES,
      firstSequence: 1,
      newId: () => `01900000-0000-7000-8000-${String(++ids).padStart(12, '0')}`,
      onSealed: () => undefined,
      onCommit: () => undefined,
      onFailure: error => {
        throw error;
      },
    });
    await appendToEveryTable(log);
    await log.close();
    const [name = ''] = (await readdir(directory)).sort();
    return await readFile(join(directory, name));
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function appendToEveryTable(log: SpoolLog): Promise<void> {
  const request = {
    account: {
      workspaceId: WORKSPACE_ID,
      workspaceIdBytes: uuidToRowBinary(WORKSPACE_ID),
      keyIdBytes: uuidToRowBinary(KEY_ID),
    },
    propertyId: PROPERTY_ID,
    propertyIdBytes: uuidToRowBinary(PROPERTY_ID),
    receivedAtMs: RECEIVED_AT_MS,
  } as unknown as SdkRequest;
  const batch = parseBatch(Buffer.from(BATCH));
  if ('code' in batch) throw new Error(batch.message);
  await acceptBatch(log, new RecentIds(createRecentIdsMemory(1, 1 << 8)), batch, request);
  const deps = { newId: () => WORKSPACE_ID, variantOf: () => '' };
  for (const [accept, text] of [
    [acceptInAppEvent(deps), IN_APP_EVENT],
    [acceptInAppResponse(deps), IN_APP_RESPONSE],
    [acceptPushEngagement(deps), PUSH_ENGAGEMENT],
  ] as const) {
    const body = parseObject(Buffer.from(text));
    const refusal = 'code' in body ? body : accept(request, body, log);
    if (refusal !== undefined) throw new Error(refusal.message);
  }
  log.append(SEND_AUDITS_RAW, 0, [SEND_AUDIT], (writer, row) => {
    encodeRowValues(writer, SEND_AUDITS_RAW, uuidToRowBinary(WORKSPACE_ID), row);
  });
  await log.commit();
}

if (import.meta.main) {
  const [name = ''] = process.argv.slice(2);
  if (!/^\d{4}-[a-z-]+$/.test(name))
    throw new Error('Usage: npm run golden -- 0003-what-has-changed');
  const segment = await makeSegment();
  // Existing files were written by earlier releases and are never overwritten.
  const options = { flag: 'wx' };
  await writeFile(join(SEGMENTS, `${name}.segment`), segment, options);
  const rows = `${JSON.stringify(await readRows(segment), null, 2)}\n`;
  await writeFile(join(SEGMENTS, `${name}.rows.json`), rows, options);
}
