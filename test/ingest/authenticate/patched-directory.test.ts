// A patched directory equals a newly built one.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Directory } from '../../../ingest/authenticate/directory.ts';
import { type DirectoryData, rowsOf } from '../../../ingest/authenticate/directory-data.ts';
import { DirectoryTables } from '../../../ingest/authenticate/directory-tables.ts';
import { EVERYTHING } from '../../../ingest/authenticate/load-directory.ts';
import { createQuotaMemory, QuotaBoard } from '../../../ingest/authenticate/quota-board.ts';
import { QuotaSlots } from '../../../ingest/authenticate/quota-slots.ts';
import { buildDirectory } from './build-directory.ts';
import { silentLog } from './silent-log.ts';

const FEW = 4;
const WRITE_KEYS = Array.from({ length: 6 }, (_, number) => `write-key-of-${number}`);
const ORIGINS = ['*', 'https://a.example', 'https://*.b.example', 'https://c.example'];
const ASKED = [
  'https://a.example',
  'https://x.b.example',
  'https://c.example',
  'https://d.example',
];

function idOf(kind: number, number: number): string {
  return `0189000${kind}-0000-7000-8000-00000000000${number}`;
}

const number = fc.nat(FEW - 1);
const cap = fc.option(fc.integer({ min: 1, max: 3 }));
const some = <Row>(row: fc.Arbitrary<Row>) => fc.array(row, { maxLength: FEW });
const byId = <Row extends { id: string }>(rows: readonly Row[]) => [
  ...new Map(rows.map(row => [row.id, row])).values(),
];

/** Any state that the foreign keys and unique constraints of the database allow. */
const state = fc
  .record({
    cells: some(fc.record({ number, slug: fc.constantFrom('a', 'b'), isEnabled: fc.boolean() })),
    organizations: some(fc.record({ number, eventsPerMinute: cap })),
    workspaces: some(fc.record({ number, organization: number, cell: number })),
    properties: some(fc.record({ number, workspace: number })),
    sdkKeys: some(
      fc.record({
        number,
        workspace: number,
        writeKey: fc.constantFrom(...WRITE_KEYS),
        minuteCap: cap,
        hourCap: cap,
        origins: fc.subarray(ORIGINS),
      }),
    ),
  })
  .map((made): DirectoryData => {
    const cells = byId(made.cells.map(({ number, ...row }) => ({ id: idOf(1, number), ...row })));
    const organizations = byId(
      made.organizations.map(({ number, ...row }) => ({ id: idOf(2, number), ...row })),
    );
    const has = (rows: readonly { id: string }[], id: string) => rows.some(row => row.id === id);
    const workspaces = byId(
      made.workspaces.map(row => ({
        id: idOf(3, row.number),
        organizationId: idOf(2, row.organization),
        cellId: idOf(1, row.cell),
      })),
    ).filter(row => has(organizations, row.organizationId) && has(cells, row.cellId));
    const properties = byId(
      made.properties.map(row => ({
        id: idOf(4, row.number),
        workspaceId: idOf(3, row.workspace),
      })),
    ).filter(row => has(workspaces, row.workspaceId));
    const keys = byId(
      made.sdkKeys.map(({ number, workspace, ...row }) => ({
        id: idOf(5, number),
        workspaceId: idOf(3, workspace),
        ...row,
      })),
    ).filter(row => has(workspaces, row.workspaceId));
    const sdkKeys = [...new Map(keys.map(row => [row.writeKey, row])).values()];
    const data = { cells, organizations, workspaces, properties, sdkKeys };
    return { revision: '', loadedAtMs: 0, gatewaySecrets: [], ...data };
  });

function shown(directory: Directory) {
  return {
    size: directory.size,
    accounts: WRITE_KEYS.map(key => directory.accountOf(key)),
    workspaces: Array.from({ length: FEW }, (_, number) => {
      const { keyIds: _keys, ...entry } = { keyIds: 0, ...directory.workspaceOf(idOf(3, number)) };
      return entry;
    }),
    origins: ASKED.map(origin => directory.isOriginAllowedBySomeKey(origin)),
  };
}

test('a patched directory equals a new one after any changes', () => {
  fc.assert(
    fc.property(fc.array(state, { minLength: 1, maxLength: 6 }), states => {
      const tables = new DirectoryTables();
      const patched = new Directory();
      const slots = new QuotaSlots(new QuotaBoard(createQuotaMemory(6)), silentLog);
      for (const [index, data] of states.entries()) {
        const all = slots.assign(data, index * 61_000);
        const change = tables.apply(rowsOf(data), EVERYTHING, 0);
        patched.apply(structuredClone(change), slots.takeChanges());
        expect(shown(patched)).toEqual(shown(buildDirectory(data, all)));
      }
    }),
    { numRuns: 2_000 },
  );
});
