// Journeys whose segments got many members at once, and how the job lets these people enter.

import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startJourneys } from '../../../graphql-api/journeys/advance/advance-journeys.ts';
import { ENTRIES_MAX } from '../../../graphql-api/journeys/advance/consume-entries.ts';
import { journeyActivate, journeyCreate } from '../../../graphql-api/journeys/journey.actions.ts';
import { ownDatabase } from '../../harness/own-database.ts';
import { createDeps, type TestDeps } from '../harness/deps.ts';
import { createWorld, must, type World } from './world.ts';

let deps: TestDeps;
let databaseUrl: string;

/** With its own database, so that no other process lets these people enter. */
beforeAll(async () => {
  const { owner, app, system } = await ownDatabase();
  databaseUrl = owner;
  deps = await createDeps({ DATABASE_APP_URL: app, DATABASE_SYSTEM_URL: system });
});

afterAll(async () => {
  await deps.warehouses.close();
  await deps.database.close();
});

test('each journey gets one batch per look, also while others have more than one', async () => {
  const world = await createWorld(deps, databaseUrl);
  const [person] = world.userIds as [string];
  // Without contacts. They were queued at the same time, so they enter in the order of their IDs.
  const crowd = Array.from({ length: ENTRIES_MAX }, (_, number) => `nobody-${number}`);
  const small = await activeJourney(world);
  // Two, because the order in which journeys are looked at is undefined.
  const large = [await activeJourney(world), await activeJourney(world)];
  await queue(small, [person]);
  for (const journey of large) await queue(journey, [person, ...crowd]);

  await lookOnce();
  for (const { id } of large) expect(await queued(world, id)).toEqual([person]);
  expect(await queued(world, small.id)).toEqual([]);
  expect(await enrolled(world, small.id)).toEqual([person]);

  await lookOnce();
  for (const { id } of large) {
    expect(await queued(world, id)).toEqual([]);
    expect(await enrolled(world, id)).toEqual([person]);
  }
});

type Entered = { readonly id: string; readonly segmentId: string };

/** A journey that the members of its own segment enter. */
async function activeJourney({ act, query, tenant }: World): Promise<Entered> {
  const segmentId = uuidv7();
  await query(
    `INSERT INTO segments (id, workspace_id, name, rule, created_by, evaluated_at)
     VALUES ($1, $2, 'Many', '{}', 'user-1', now())`,
    [segmentId, tenant.workspaceId],
  );
  const { id } = must(
    await act(journeyCreate, {
      name: 'Welcome',
      nodes: [
        { id: 'wait', kind: 'wait', seconds: 3600, next: 'end' },
        { id: 'end', kind: 'end' },
      ],
      entrySegmentId: segmentId,
    }),
  );
  must(await act(journeyActivate, { id, version: 1 }));
  return { id, segmentId };
}

/** As an evaluation of the segment does that finds new members. */
function queue({ segmentId }: Entered, userIds: readonly string[]): Promise<void> {
  const at = new Date(deps.clock.nowMs());
  return deps.database.asSystem(em =>
    deps.segmentMembers.membersEntered(em, { segmentId, userIds, at, since: at }),
  );
}

/** The look that has begun is completed, and no further one begins. */
function lookOnce(): Promise<void> {
  return startJourneys(deps).stop();
}

/** The user IDs of all people who have not entered yet. */
async function queued({ query }: World, journeyId: string): Promise<unknown[]> {
  const rows = await query('SELECT user_id FROM journey_entries WHERE journey_id = $1', [
    journeyId,
  ]);
  return rows.map(row => row.user_id);
}

/** The user IDs of all enrolments. */
async function enrolled({ query }: World, journeyId: string): Promise<unknown[]> {
  const rows = await query(
    `SELECT user_id FROM enrolments JOIN contacts ON contacts.id = contact_id
     WHERE journey_id = $1`,
    [journeyId],
  );
  return rows.map(row => row.user_id);
}
