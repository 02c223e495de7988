// Finds the IDs that belong to one person. Starting from one ID:
//
// 1. A contact has a user ID, and a contact ID; both name the person. 2. A user ID or contact ID in the same
//    row as a known one names the person too, and so does the previous ID of an alias event. The ID of another
//    contact never names the person: rows come from clients, which may claim anything. 3. An anonymous ID in
//    the same row as a known ID is a device of the person, unless it is also in a row with an ID of another
//    person. Such a shared device is listed, and only its rows with an ID of the person belong to the person.

import type { Context } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { Maintenance } from '../platform/warehouse/maintenance.ts';
import type { PersonLookup } from './person.contract.ts';
import type { PersonIds } from './person-key.ts';
import { WAREHOUSE_TABLES } from './warehouse-tables.ts';

export type FoundPerson = PersonIds & {
  /** Devices that other people used as well. Their rows without a user ID or contact ID are kept. */
  readonly sharedAnonymousIds: readonly string[];
  /** IDs of other contacts in rows of this person. Their rows are not deleted. */
  readonly otherContactIds: readonly string[];
};

/** IDs that occur together in a row. */
type Together = { readonly names: readonly string[]; readonly device: string };
type Lookups = {
  readonly rowsWith: (
    names: readonly string[],
    devices: readonly string[],
  ) => Promise<readonly Together[]>;
  /** For each ID that is a contact's user ID or contact ID, returns both. */
  readonly contactsOf: (names: readonly string[]) => Promise<ReadonlyMap<string, string>>;
};

/** More IDs than one person can have. Also limits the queries. */
const IDS_MAX = 1_000;
/** Rounds of step 2. */
const ROUNDS_MAX = 4;

/** Finds the person in the viewer's workspace. Reads both engines, so no transaction may be open. */
export async function findPerson(context: Context, lookup: PersonLookup): Promise<FoundPerson> {
  const workspaceId = workspaceOf(context.viewer);
  const { organizationId } = context.viewer!;
  const warehouse = await context.deps.warehouses.maintenance(organizationId, workspaceId);
  const lookups = lookupsOf(context, warehouse, workspaceId);
  const start = lookup.userId ?? lookup.contactId;
  return start === undefined
    ? personOfDevice(lookups, lookup.anonymousId!)
    : personOfName(lookups, start);
}

async function personOfDevice(lookups: Lookups, device: string): Promise<FoundPerson> {
  const rows = await lookups.rowsWith([], [device]);
  const names = [...new Set(rows.flatMap(row => row.names))];
  const [first] = names;
  if (first === undefined)
    return { userIds: [], anonymousIds: [device], sharedAnonymousIds: [], otherContactIds: [] };
  const person = await personOfName(lookups, first);
  if (names.some(name => !person.userIds.includes(name))) return reject('PERSON_AMBIGUOUS');
  return person;
}

async function personOfName(lookups: Lookups, start: string): Promise<FoundPerson> {
  const own = await lookups.contactsOf([start]);
  const names = new Set([start, ...own.values()]);
  const others = new Set<string>();
  let rows: readonly Together[] = [];
  for (let round = 0; round < ROUNDS_MAX; round++) {
    rows = await lookups.rowsWith([...names], []);
    const unknown = [...new Set(rows.flatMap(row => row.names))].filter(
      name => !names.has(name) && !others.has(name),
    );
    if (unknown.length === 0) break;
    const contacts = await lookups.contactsOf(unknown);
    for (const name of unknown) (contacts.has(name) ? others : names).add(name);
    requireFew(names.size);
  }
  const devices = await devicesOf(lookups, rows, names);
  return {
    userIds: [...names].toSorted(),
    ...devices,
    otherContactIds: [...others].toSorted(),
  };
}

/** Separates the person's own devices from shared ones. */
async function devicesOf(lookups: Lookups, rows: readonly Together[], names: ReadonlySet<string>) {
  // The previous ID of an alias event may be an anonymous ID.
  const candidates = new Set([...rows.flatMap(row => row.device || []), ...names]);
  requireFew(candidates.size);
  const found = await lookups.rowsWith([], [...candidates]);
  const onDevice = found.filter(({ device }) => candidates.has(device));
  const ofOthers = onDevice.filter(row => row.names.some(name => !names.has(name)));
  const shared = new Set(ofOthers.map(({ device }) => device));
  const all = [...new Set(onDevice.map(({ device }) => device))].toSorted();
  return {
    anonymousIds: all.filter(device => !shared.has(device)),
    sharedAnonymousIds: all.filter(device => shared.has(device)),
  };
}

function requireFew(ids: number): void {
  if (ids > IDS_MAX) reject('PERSON_TOO_LARGE');
}

function lookupsOf(context: Context, warehouse: Maintenance, workspaceId: string): Lookups {
  const { database } = context.deps;
  return {
    async rowsWith(names, devices) {
      const inWarehouse = await warehouse.rows<Together>(TOGETHER, { names, devices });
      const inPostgres = await database.asSystem(em =>
        rowsOf(
          em,
          sql<Together>`
            SELECT DISTINCT ARRAY[user_id, id::text] AS names, coalesce(anonymous_id, '') AS device FROM contacts
            WHERE workspace_id = ${workspaceId} AND (user_id = ANY (${names}::text[])
              OR id::text = ANY (${names}::text[]) OR anonymous_id = ANY (${devices}::text[]))
            UNION SELECT DISTINCT array_remove(ARRAY[coalesce(contact_id, '')], ''), coalesce(anonymous_id, '') FROM devices
            WHERE workspace_id = ${workspaceId} AND (contact_id = ANY (${names}::text[])
              OR anonymous_id = ANY (${devices}::text[]))
            LIMIT ${IDS_MAX + 1}`,
        ),
      );
      const rows = [...inWarehouse, ...inPostgres];
      requireFew(rows.length);
      return rows;
    },
    async contactsOf(names) {
      const found = await database.asSystem(em =>
        rowsOf(
          em,
          sql<{ userId: string; id: string }>`
            SELECT user_id, id::text FROM contacts WHERE workspace_id = ${workspaceId}
              AND (user_id = ANY (${names}::text[]) OR id::text = ANY (${names}::text[]))`,
        ),
      );
      return new Map(
        found.flatMap(({ userId, id }) => [
          [userId, id],
          [id, userId],
        ]),
      );
    },
  };
}

/** One query over all tables with IDs in columns. */
const TOGETHER = `SELECT DISTINCT names, device FROM (${WAREHOUSE_TABLES.flatMap(
  ({ name, columns }) => {
    if (columns === undefined || columns.names.length === 0) return [];
    const { names, device, json } = columns;
    const values = [
      ...names,
      ...(json?.names.map(key => `JSONExtractString(${json.column}, '${key}')`) ?? []),
    ];
    const isGiven = [
      ...values.map(value => `${value} IN {names:Array(String)}`),
      ...(device === undefined ? [] : [`${device} IN {devices:Array(String)}`]),
    ];
    return [
      `SELECT arraySort(arrayDistinct(arrayFilter(name -> name != '', [${values.join(', ')}]))) AS names,
         ${device ?? "''"} AS device
       FROM ${name} WHERE workspace_id = {workspaceId:UUID} AND (${isGiven.join(' OR ')})`,
    ];
  },
).join(' UNION ALL ')}) LIMIT ${IDS_MAX + 1}`;
