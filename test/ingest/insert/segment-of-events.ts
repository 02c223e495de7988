// A segment with events of a workspace, each with its own message ID.

import { nodeFileSystem as fs } from '../../../ingest/spool/file-system.ts';
import { readSegment, type SegmentContents } from '../../../ingest/spool/read-segment.ts';
import { recoverLog } from '../../../ingest/spool/recover.ts';
import { SpoolLog } from '../../../ingest/spool/spool-log.ts';
import { EVENTS_RAW, eventPartition } from '../../../schema/rows/events-raw.ts';
import { newDirectory } from '../../harness/run-directory.ts';

/** One frame for each list of message IDs. All events are of now. */
export async function segmentOfEvents(
  id: string,
  frames: readonly (readonly string[])[],
): Promise<SegmentContents> {
  const directory = await newDirectory('segment');
  const nowMs = Date.now();
  const log = await SpoolLog.open({
    fs,
    clock: { nowMs: () => 0, monotonicMs: () => 0, sleep: () => Promise.resolve() },
    directory,
    tables: [EVENTS_RAW],
    firstSequence: 1,
    newId: () => id,
    onSealed: () => undefined,
    onCommit: () => undefined,
    onFailure: error => {
      throw error;
    },
  });
  for (const messageIds of frames) {
    log.append(EVENTS_RAW, eventPartition(nowMs, nowMs), messageIds, (writer, messageId) => {
      for (const { name, type } of EVENTS_RAW.columns.slice(0, -2)) {
        if (type === 'UUID') writer.uuid(new Uint8Array(16));
        else if (type === 'String') writer.text(name === 'message_id' ? messageId : name);
        else writer.instantMs(nowMs);
      }
    });
    await log.commit();
  }
  await log.close();
  const { segments } = await recoverLog({
    fs,
    directory,
    headerBytes: 0,
    readSequence: 0,
    onFailure: () => undefined,
  });
  const contents = await readSegment(fs, directory, segments[0]!, damage => {
    throw new Error(`damaged: ${damage.path}`);
  });
  return contents!;
}
