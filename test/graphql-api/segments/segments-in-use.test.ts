// A segment in all programs: ingest receives events, the segment is evaluated, its members see the
// campaign, and new members enter the journey.

import { expect, test } from 'vitest';
import { consumeEntries } from '../../../graphql-api/journeys/advance/consume-entries.ts';
import { createContext } from '../../../graphql-api/platform/context.ts';
import { decodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { evaluateSegment } from '../../../graphql-api/segments/evaluate-segment.job.ts';
import { writeMembers } from '../../../graphql-api/segments/write-members.ts';
import { fetchIds, untilShown } from '../../harness/active.ts';
import { eventText } from '../../harness/batch.ts';
import { expectAccepted, liveTenant, postEvents } from '../../harness/batch-client.ts';
import { createContact } from '../../harness/campaign.ts';
import { eventually } from '../../harness/eventually.ts';
import { useSharedIngest } from '../../harness/ingest-process.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { countEvents } from '../../harness/warehouse.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { useDeps } from '../harness/deps.ts';
import { ask, mutate, refusals } from '../harness/mutate.ts';

const api = useSharedApi();
const ingest = useSharedIngest();
const deps = useDeps();

const TWICE = { event: { name: 'Order Completed' }, at_least: 2, within_days: 30 };

type Segment = { readonly id: string; readonly audienceId: string; readonly version: number };

async function createSegment(tenant: Tenant, rule: object = TWICE): Promise<Segment> {
  const input = { name: 'Ordered twice', rule };
  const { segment } = await mutate<{ segment: Segment }>(
    { api: api(), tenant },
    'segmentCreate',
    { input },
    'segment { id audienceId version }',
  );
  await eventually(async () => {
    const shown = await ask<{ segment: { evaluatedAt: string | null } }>(
      { api: api(), tenant },
      'query ($id: ID!) { segment(id: $id) { evaluatedAt } }',
      { id: segment.id },
    );
    expect(shown.segment.evaluatedAt).not.toBeNull();
  });
  return segment;
}

async function evaluate({ audienceId: segmentId }: Segment): Promise<void> {
  const context = createContext(deps(), 'test', undefined);
  await evaluateSegment.run(context, { segmentId }, new AbortController().signal);
}

async function createJourney(tenant: Tenant, segment: Segment): Promise<string> {
  const by = { api: api(), tenant };
  const nodes = [
    { id: 'wait', kind: 'WAIT', seconds: 3600, next: 'end' },
    { id: 'end', kind: 'END' },
  ];
  const input = { name: 'Welcome back', nodes, entrySegmentId: segment.id };
  const { journey } = await mutate<{ journey: { id: string } }>(
    by,
    'journeyCreate',
    { input },
    'journey { id entrySegment { id } }',
  );
  expect(journey).toMatchObject({ entrySegment: { id: segment.id } });
  const activated = { id: journey.id, input: { version: 1 } };
  await mutate(by, 'journeyActivate', activated, 'journey { id }');
  return decodeNodeId(journey.id).id;
}

/** The user IDs of all enrolments. */
async function enrolled(journeyId: string): Promise<unknown[]> {
  const rows = await sql(
    `SELECT user_id FROM enrolments JOIN contacts ON contacts.id = contact_id
     WHERE journey_id = $1 ORDER BY user_id`,
    [journeyId],
  );
  return rows.map(row => row.user_id);
}

async function pending(journeyId: string): Promise<number> {
  return (await sql('SELECT FROM journey_entries WHERE journey_id = $1', [journeyId])).length;
}

test('members are shown a campaign, and new members enter a journey once', async () => {
  const tenant = await liveTenant(ingest());
  const { workspaceId, writeKey } = tenant;
  const by = { api: api(), tenant };
  const order = (userId: string) => eventText({ userId: JSON.stringify(userId) });
  const orders = [order('ann'), order('ann'), order('ben'), eventText()];
  expectAccepted(await postEvents(ingest(), writeKey, orders), 4);
  for (const userId of ['ann', 'ben']) await createContact(workspaceId, { userId });
  await eventually(async () => expect(await countEvents(workspaceId)).toBe(4));

  const segment = await createSegment(tenant);
  const audience = { segment_id: segment.audienceId };
  const launched = async (name: string, rule: object) => {
    const input = { name, type: 'BANNER', content: { title: name }, consentPurpose: 'service' };
    const { campaign } = await mutate<{ campaign: { id: string } }>(
      by,
      'campaignCreate',
      { input: { ...input, audience: rule } },
      'campaign { id audienceSize { matching examined } }',
    );
    const launch = { id: campaign.id, input: { version: 1 } };
    await mutate(by, 'campaignLaunch', launch, 'campaign { id }');
    return { ...campaign, id: decodeNodeId(campaign.id).id };
  };
  const members = await launched('Members', audience);
  expect(members).toMatchObject({ audienceSize: { matching: 1, examined: 2 } });
  const others = await launched('Others', { not: audience });
  await untilShown(ingest(), tenant, [members.id], { userId: 'ann' });
  await untilShown(ingest(), tenant, [others.id], { userId: 'ben' });
  expect(await fetchIds(ingest(), tenant)).toEqual([]);
  const { campaignPreview } = await ask<{ campaignPreview: object }>(
    by,
    `{ campaignPreview(userId: "ann") {
      shown { campaign { name } } skipped { campaign { name } reason }
    } }`,
  );
  expect(campaignPreview).toEqual({
    shown: [{ campaign: { name: 'Members' } }],
    skipped: [{ campaign: { name: 'Others' }, reason: 'NOT_IN_AUDIENCE' }],
  });

  const journeyId = await createJourney(tenant, segment);
  await evaluate(segment);
  expect(await pending(journeyId)).toBe(0);
  expectAccepted(await postEvents(ingest(), writeKey, [order('ben'), order('ben')]), 2);
  await eventually(async () => expect(await countEvents(workspaceId)).toBe(6));
  await evaluate(segment);
  await evaluate(segment);
  await untilShown(ingest(), tenant, [members.id], { userId: 'ben' });
  await eventually(async () => expect(await enrolled(journeyId)).toEqual(['ben']));
  await evaluate(segment);
  expect(await pending(journeyId)).toBe(0);
  expect(await enrolled(journeyId)).toEqual(['ben']);
  expect(await refusals(by, 'segmentArchive', { id: segment.id })).toEqual(['SEGMENT_IN_USE id']);
});

test('an interrupted evaluation, and an entry that is consumed twice concurrently', async () => {
  const tenant = await createTenant();
  const { workspaceId } = tenant;
  const segment = await createSegment(tenant);
  for (const userId of ['ann', 'ben']) await createContact(workspaceId, { userId });
  const journeyId = await createJourney(tenant, segment);
  // Later than any evaluation by the regular job, which may run at any time.
  let atMs = Date.now() + 3_600_000;
  const write = (userIds: readonly string[], isCut = false) =>
    deps().database.asSystem(async em => {
      atMs += 1_000;
      const at = new Date(atMs);
      const { audienceId: segmentId, version } = segment;
      const written = await writeMembers(em, deps(), { segmentId, version, userIds, at });
      if (isCut) throw new Error('cut off');
      return written;
    });
  // The first evaluation after the activation enrols nobody.
  expect(await write(['ann'])).toEqual({ entered: 1, left: 0 });
  await expect(write(['ann', 'ben', 'no-contact'], true)).rejects.toThrow('cut off');
  expect(await write(['ann', 'ben', 'no-contact'])).toEqual({ entered: 2, left: 0 });
  await Promise.all([1, 2].map(() => consumeEntries(deps(), journeyId)));
  await eventually(async () => expect(await pending(journeyId)).toBe(0));
  expect(await enrolled(journeyId)).toEqual(['ben']);
  // The person leaves and enters the segment again while the enrolment is in flight.
  expect(await write([])).toEqual({ entered: 0, left: 3 });
  expect(await write(['ben'])).toEqual({ entered: 1, left: 0 });
  await eventually(async () => expect(await pending(journeyId)).toBe(0));
  expect(await enrolled(journeyId)).toEqual(['ben']);
});

test('an older evaluation, one of another rule and one of an archived segment write nothing', async () => {
  const tenant = await createTenant();
  const segment = await createSegment(tenant);
  const { audienceId: segmentId, version } = segment;
  const at = (offsetMs: number) => new Date(Date.now() + offsetMs);
  const write = (when: Date, of = version) =>
    deps().database.asSystem(em =>
      writeMembers(em, deps(), { segmentId, version: of, userIds: ['ann'], at: when }),
    );
  const nothing = { entered: 0, left: 0 };
  expect(await write(at(-3_600_000))).toEqual(nothing);
  expect(await write(at(1_000), version + 1)).toEqual(nothing);
  expect(await write(at(1_000))).toEqual({ entered: 1, left: 0 });
  await mutate({ api: api(), tenant }, 'segmentArchive', { id: segment.id }, 'segment { id }');
  await eventually(async () =>
    expect(await sql('SELECT FROM segment_members WHERE segment_id = $1', [segmentId])).toEqual([]),
  );
  expect(await write(at(2_000))).toEqual(nothing);
});
