// A new version may need other variables than the previous one, because the data of the contacts
// has changed. Enrolments pinned to a version that their data no longer fills are found when the
// new version becomes Active, not only at the next send.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../../platform/context.ts';
import { numberedSql } from '../../platform/database/numbered-sql.ts';
import { type JourneyNode, successorsOf } from '../nodes.ts';
import { BREAKABLE_SNAPSHOTS } from '../rollout.breakable-snapshots.ts';
import type { Send } from './advance-journey.ts';
import { chooseVersion } from './choose-version.ts';
import type { DuePerson } from './load-due.ts';
import { loadPins } from './load-pins.ts';
import { loadTraits } from './load-traits.ts';
import { writeCards, writeMigrations } from './write-notes.ts';

/** The limit per transaction, which keeps it short. */
const PEOPLE_MAX = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

type MigrateDeps = Pick<AppDeps, 'clock' | 'newId' | 'database'>;

export async function migrateBrokenPins(
  deps: MigrateDeps,
  versionId: string,
  signal: AbortSignal,
): Promise<{ readonly people: number; readonly migrated: number }> {
  let [people, migrated, afterId] = [0, 0, FIRST_ID];
  for (;;) {
    signal.throwIfAborted();
    const batch = await deps.database.asSystem(em => migrateSome(em, deps, versionId, afterId));
    people += batch.people;
    migrated += batch.migrated;
    if (batch.people < PEOPLE_MAX) return { people, migrated };
    afterId = batch.lastId;
  }
}

async function migrateSome(
  em: EntityManager,
  deps: MigrateDeps,
  versionId: string,
  afterId: string,
) {
  const { rows } = await numberedSql(em).executeSql(PINNED, [versionId, afterId, PEOPLE_MAX]);
  const people = rows as DuePerson[];
  if (people.length === 0) return { people: 0, migrated: 0, lastId: afterId };
  const pins = await loadPins(em, people);
  const traits = await loadTraits(em, people, pins);
  const nowMs = deps.clock.nowMs();
  const sends = people.flatMap(person => {
    const known = traits.get(person.contactId) ?? {};
    return aheadOf(person, pins.nodes.get(person.definitionId)!).flatMap((node): Send[] => {
      if (node.kind !== 'send') return [];
      const choice = chooseVersion(pins, person, node, known, nowMs);
      const isToThis =
        choice.kind === 'send' &&
        choice.migratedFrom !== undefined &&
        choice.version.id === versionId;
      return isToThis ? [{ person, node, choice, traits: known }] : [];
    });
  });
  if (sends.length > 0) {
    await writeMigrations(em, deps, sends);
    await writeCards(em, deps, sends);
  }
  return { people: people.length, migrated: sends.length, lastId: people.at(-1)!.id };
}

/** The nodes that the enrolment may still reach. */
function aheadOf(
  { nodeId, state }: DuePerson,
  nodes: ReadonlyMap<string, JourneyNode>,
): JourneyNode[] {
  const seen = new Set<string>();
  const open = state === 'READY' ? [nodeId] : successorsOf(nodes.get(nodeId)!);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...successorsOf(nodes.get(id)!));
  }
  return [...seen].map(id => nodes.get(id)!);
}

/** The enrolments in flight whose pinned version may be broken. */
const PINNED = `
  WITH ${BREAKABLE_SNAPSHOTS}
  SELECT enrolments.id, enrolments.journey_id AS "journeyId", enrolments.workspace_id AS "workspaceId",
         snapshot_id AS "snapshotId", definition_id AS "definitionId", contact_id AS "contactId",
         user_id AS "userId", suppressed_at IS NOT NULL AS "isSuppressed", enrolments.state, node_id AS "nodeId",
         (extract(epoch FROM enrolments.created_at) * 1000)::float8 AS "createdAtMs"
  FROM snapshot
  JOIN enrolments ON snapshot_id = snapshot.id AND ended_at IS NULL AND enrolments.id > $2
  JOIN journey_snapshots ON journey_snapshots.id = snapshot_id
  JOIN contacts ON contacts.id = contact_id
  ORDER BY enrolments.id LIMIT $3`;
