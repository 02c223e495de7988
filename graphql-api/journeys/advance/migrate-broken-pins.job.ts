// A new version may need other variables than the previous one, because the data of the contacts
// has changed. Enrolments whose data no longer has all values that the pinned version requires are found when the
// new version becomes Active, not only at the next send.

import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { AppDeps } from '../../platform/context.ts';
import { rowsOf, sql } from '../../platform/database/kysely.ts';
import { defineJob } from '../../platform/jobs/job.ts';
import { type JourneyNode, successorsOf } from '../nodes.ts';
import { breakableSnapshots } from '../version-pinning.ts';
import type { Send } from './advance-journey.ts';
import { chooseVersion } from './choose-version.ts';
import { DUE_PERSON, type DuePerson, WITH_CONTACT } from './load-due.ts';
import { loadPins } from './load-pins.ts';
import { loadTraits } from './load-traits.ts';
import { writeCards, writeMigrations } from './write-notes.ts';

/** The limit per transaction, which keeps it short. */
const PEOPLE_MAX = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Runs after a version became Active. Moves enrolments to it whose contact data fills this version
 * but no longer the older one they are pinned to.
 */
export const migrateBrokenPinsJob = defineJob({
  name: 'migrate-broken-pins',
  data: z.object({ versionId: z.uuid() }),
  async run(context, { versionId }, signal) {
    const { deps } = context;
    let [people, migrated, afterId] = [0, 0, FIRST_ID];
    for (let isMore = true; isMore; ) {
      signal.throwIfAborted();
      const batch = await deps.database.asSystem(em => migrateSome(em, deps, versionId, afterId));
      people += batch.people;
      migrated += batch.migrated;
      afterId = batch.lastId;
      isMore = batch.people === PEOPLE_MAX;
    }
    context.note({ versionId, people, migrated });
  },
});

async function migrateSome(em: EntityManager, deps: AppDeps, versionId: string, afterId: string) {
  // The enrolments in flight whose pinned version may be broken.
  const people = await rowsOf(
    em,
    sql<DuePerson>`
      WITH ${breakableSnapshots(versionId)}
      SELECT ${DUE_PERSON} FROM snapshot
      JOIN enrolments AS enrolment ON snapshot_id = snapshot.id
        AND ended_at IS NULL AND enrolment.id > ${afterId}
      ${WITH_CONTACT}
      ORDER BY enrolment.id LIMIT ${PEOPLE_MAX}`,
  );
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
