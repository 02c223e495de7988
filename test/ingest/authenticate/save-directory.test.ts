import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DirectoryData } from '../../../ingest/authenticate/directory-data.ts';
import { readSnapshot } from '../../../ingest/authenticate/directory-snapshot.ts';
import { DirectorySaver } from '../../../ingest/authenticate/save-directory.ts';
import { eventually } from '../../harness/eventually.ts';
import { newDirectory } from '../../harness/run-directory.ts';
import { silentLog } from './silent-log.ts';

const NOW_MS = Date.UTC(2026, 10, 22);

test('a change during a write, or during the pause after it, is saved when the process stops', async () => {
  const snapshotPath = join(await newDirectory('snapshot'), 'directory.json');
  const clock = { nowMs: () => NOW_MS };
  const saver = new DirectorySaver({ snapshotPath, clock, log: silentLog });
  for (const revision of ['1', '2', '3']) {
    saver.noteChange();
    saver.saveWhenDue(directoryAt(revision), NOW_MS);
  }
  await saver.stop();
  expect(await readSnapshot(snapshotPath, NOW_MS)).toMatchObject({ data: { revision: '3' } });
});

test('a change that was not saved during a pause is saved while Postgres is unavailable', async () => {
  const snapshotPath = join(await newDirectory('snapshot'), 'directory.json');
  const saver = new DirectorySaver({
    snapshotPath,
    clock: { nowMs: () => NOW_MS },
    log: silentLog,
  });
  for (const revision of ['1', '2']) {
    saver.noteChange();
    saver.saveWhenDue(directoryAt(revision), NOW_MS);
  }
  await eventually(
    async () => {
      saver.savePending();
      expect(await readSnapshot(snapshotPath, NOW_MS)).toMatchObject({ data: { revision: '2' } });
    },
    { intervalMs: 10 },
  );
  await saver.stop();
});

function directoryAt(revision: string): DirectoryData {
  return {
    revision,
    loadedAtMs: NOW_MS,
    cells: [],
    organizations: [],
    workspaces: [],
    properties: [],
    sdkKeys: [],
    gatewaySecrets: [],
  };
}
