// Compares what was acknowledged with what is stored once all faults have ended. Checks the
// invariants 1 (acknowledged means durable), 2 (each event once, as sent), 3 (no rejected event is
// lost) and 7 (recovery without an operator).

import type { Row } from './simulated-warehouse.ts';
import type { Kind, Sent, World } from './world.ts';

/** The violated invariants; empty if there are none. */
export function findViolations(world: World): string[] {
  const copies = copiesById(world);
  return [
    ...world.violations,
    ...wrongCopies(world, copies),
    ...[...world.acknowledged].filter(id => !copies.has(id)).map(id => `${id} is lost`),
    ...missingInPostgres(world),
    ...world.disk
      .paths()
      .filter(path => /\/quarantine\/.*\.(segment|row)$/.test(path))
      .map(path => `${path} is in quarantine`),
  ];
}

type Copy = { readonly kind: Kind; readonly row: Row };

const ID_COLUMNS = [
  ['events_raw', 'message_id'],
  ['rejected_events_raw', 'message_id'],
  ['in_app_events_raw', 'event_key'],
] as const;

function copiesById(world: World): Map<string, Copy[]> {
  const copies = new Map<string, Copy[]>();
  for (const [table, column] of ID_COLUMNS)
    for (const row of world.warehouse.rows.get(table)!) {
      const id = String(row[column]);
      const found = copies.get(id);
      const copy = { kind: kindOf(table, row), row };
      if (found === undefined) copies.set(id, [copy]);
      else found.push(copy);
    }
  return copies;
}

function kindOf(table: string, row: Row): Kind {
  if (table === 'in_app_events_raw') return 'report';
  if (table === 'events_raw') return 'good';
  return row.code === 'WAREHOUSE_REFUSED' ? 'poison' : 'invalid';
}

function wrongCopies(world: World, copies: ReadonlyMap<string, Copy[]>): string[] {
  const found: string[] = [];
  for (const [id, list] of copies) {
    const sent = world.sent.get(id);
    if (sent === undefined) {
      found.push(`${id} was never sent`);
      continue;
    }
    // Copies resent by the client collapse in the view. Any further copy is a violation.
    if (list.length > world.sends.get(id)!) found.push(`${id} is stored ${list.length} times`);
    if (new Set(list.map(copy => sortKey(copy.row))).size > 1)
      found.push(`${id} has two sort keys`);
    for (const { kind, row } of list) {
      if (kind !== sent.kind) found.push(`${id} is ${sent.kind} and was stored as ${kind}`);
      else if (!isAsSent(sent, row)) found.push(`${id} has other values: ${JSON.stringify(row)}`);
    }
  }
  return found;
}

/** The sort key of events_raw, without the workspace. */
function sortKey(row: Row): string {
  return row.timestamp === undefined ? '' : `${row.timestamp} ${row.event}`;
}

function isAsSent(sent: Sent, row: Row): boolean {
  switch (sent.kind) {
    case 'good':
      return row.properties === sent.properties && row.traits === sent.traits;
    case 'invalid':
      return row.body === sent.text && row.code !== '' && row.message !== '';
    case 'poison': {
      const parked = JSON.parse(String(row.body)) as Row;
      return parked.properties === sent.properties && row.message !== '';
    }
    case 'report':
      return row.user_id === row.event_key && row.campaign_id === 'c';
  }
}

function missingInPostgres(world: World): string[] {
  const { exposures, contacts, contradictions } = world.postgres;
  const found = contradictions.map(id => `exposure ${id} contradicts itself`);
  const exposed = new Map<unknown, number>();
  for (const { userId } of exposures.values()) exposed.set(userId, (exposed.get(userId) ?? 0) + 1);
  for (const [userId, count] of exposed)
    if (count > 1) found.push(`the exposure of ${String(userId)} counts ${count} times`);
  for (const id of world.acknowledged) {
    const sent = world.sent.get(id)!;
    if (sent.kind === 'report' && !exposed.has(id)) found.push(`the exposure of ${id} is lost`);
    if (sent.traits === '') continue;
    const applied = contacts.get(id);
    if (applied === undefined) found.push(`the contact data of ${id} is lost`);
    else if (applied.size > 1 || !applied.has(sent.traits))
      found.push(`the contact data of ${id} has changed`);
  }
  return found;
}
