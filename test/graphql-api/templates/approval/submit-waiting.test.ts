// Each submission reaches its approver once, even if a process dies or a response is lost.

import { expect, test } from 'vitest';
import type { AppDeps } from '../../../../graphql-api/platform/context.ts';
import type { Approver } from '../../../../graphql-api/templates/approval/approver.ts';
import { approversOf } from '../../../../graphql-api/templates/approval/approvers.ts';
import { processApprovalEvents } from '../../../../graphql-api/templates/approval/process-approval-events.ts';
import { submitWaiting } from '../../../../graphql-api/templates/approval/submit-waiting.ts';
import { upstreamName } from '../../../../graphql-api/templates/approval/upstream-name.ts';
import { eventually } from '../../../harness/eventually.ts';
import {
  type ApprovalScene,
  type Row,
  type Submitted,
  submitted,
  useApprovalScene,
} from './approval-scene.ts';
import { approvalSteps } from './approval-steps.ts';

const scene = useApprovalScene();
const { at, eventsOf, upstreamOf, versionOf } = approvalSteps(scene);
const HOUR_MS = 3_600_000;

test('each submission has a unique name, which identifies its version', () => {
  const submissionId = '0190aaaa-0000-7000-8000-3f9a2c1b77d0';
  expect(upstreamName({ templateName: 'Order: Update!', number: 4, submissionId })).toBe(
    'order_update_v4_3f9a2c1b77d0',
  );
  expect(upstreamName({ templateName: 'आदेश', number: 1, submissionId })).toBe(
    'template_v1_3f9a2c1b77d0',
  );
});

test('a crash between the call and its record, or a lost response, creates one template upstream', async () => {
  const { deps, submit, control } = scene();
  await submit();
  const died = await submitted(scene());
  await expect(submit(dyingAfterTheCall(deps))).rejects.toThrow('died');
  expect(await upstreamOf(died)).toHaveLength(1);
  const lost = await submitted(scene());
  await control('faults', { on: 'POST /v23.0', kind: 'DROP_AFTER' });
  await submit();
  expect(await upstreamOf(lost)).toHaveLength(1);
  await at(Date.now() + 2 * HOUR_MS, submit);
  for (const given of [died, lost]) {
    const [upstream, ...more] = await upstreamOf(given);
    expect(more).toEqual([]);
    const rows = await scene().sql(
      `SELECT s.upstream_id, a.state FROM template_submissions s
       JOIN approval_sendings a ON a.submission_id = s.id WHERE s.id = $1`,
      [given.submissionId],
    );
    expect(rows).toEqual([{ upstream_id: upstream!.id, state: 'SENT' }]);
  }
  const posts = ((await control('requests')) as Row[]).filter(
    ({ call, body }) =>
      (call as string).startsWith('POST') &&
      [died, lost].some(({ name }) => (body as string).includes(name)),
  );
  expect(posts).toHaveLength(2);
});

test('a name that is in use but not found yet does not reject the text', async () => {
  const given = await submitted(scene());
  await scene().control('faults', { on: 'POST /v23.0', kind: 'DROP_AFTER' });
  await scene().submit();
  const approver = approversOf(scene().deps).get('messaging_app')!;
  const late: Approver = { ...approver, find: async () => ({ isOk: true, value: undefined }) };
  const approvers = new Map([[late.channel, late]]);
  await at(Date.now() + HOUR_MS, () => submitWaiting(scene().deps, { approvers }));
  expect((await versionOf(given)).state).toBe('Submitted');
  await at(Date.now() + 3 * HOUR_MS, () => scene().submit());
  const [sending] = await scene().sql(
    'SELECT state FROM approval_sendings WHERE submission_id = $1',
    [given.submissionId],
  );
  expect(sending).toEqual({ state: 'SENT' });
  expect(await upstreamOf(given)).toHaveLength(1);
});

test('an unstorable value of one submission never blocks others', async () => {
  const { control, poll, submit, sql: query } = scene();
  const broken = await submitted(scene());
  const fine = await submitted(scene());
  await query(`CREATE FUNCTION break_it() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'broken'; END $$`);
  const breakIt = (table: string, id: string) =>
    query(`CREATE TRIGGER breaks BEFORE UPDATE ON ${table}
      FOR EACH ROW WHEN (NEW.id = '${id}') EXECUTE FUNCTION break_it()`);
  const mend = (table: string) => query(`DROP TRIGGER breaks ON ${table}`);
  await breakIt('template_submissions', broken.submissionId);
  await submit();
  expect(await upstreamOf(fine)).toHaveLength(1);
  await mend('template_submissions');
  await at(Date.now() + HOUR_MS, submit);
  expect(await upstreamOf(broken)).toHaveLength(1);

  await breakIt('template_versions', broken.versionId);
  await control('decide', { name: broken.name });
  await control('decide', { name: fine.name, isSilent: true });
  await poll();
  expect((await versionOf(fine)).state).toBe('Active');
  const last = await submitted(scene());
  await submit();
  await control('decide', { name: last.name });
  await eventually(async () => {
    await processApprovalEvents(scene().deps);
    expect((await versionOf(last)).state).toBe('Active');
    const [event] = await query(
      `SELECT attempts, state FROM approval_events WHERE upstream_name LIKE $1 || '%'`,
      [broken.name.slice(0, 60)],
    );
    expect(event).toMatchObject({ attempts: expect.any(Number), state: 'RECEIVED' });
    expect(event!.attempts).toBeGreaterThan(0);
  });
  await mend('template_versions');
  await poll();
  expect((await versionOf(broken)).state).toBe('Active');
});

test('with several concurrent processes, one submits and one applies the verdict', async () => {
  const { control, submit, sql: query, deps, poll } = scene();
  const several: Submitted[] = [];
  for (let each = 0; each < 4; each++) several.push(await submitted(scene()));
  await Promise.all([submit(), submit(), submit()]);
  await control('manner', { copies: 2 });
  for (const { name } of several) await control('decide', { name });
  await control('manner', { copies: 1 });
  const ids = JSON.stringify(several.map(({ name }) => name));
  await eventually(async () => {
    const waiting = await query(
      `SELECT 1 FROM approval_events WHERE state = 'RECEIVED' AND EXISTS (SELECT
       FROM jsonb_array_elements_text($1) AS name WHERE starts_with(upstream_name, left(name, 60)))`,
      [ids],
    );
    expect(waiting).toHaveLength(several.length);
  });
  const working = () => processApprovalEvents(deps);
  await Promise.all([working(), working(), working(), working()]);
  for (const given of several)
    expect(await eventsOf(given)).toEqual(['APPROVED PROCESSED APPROVED']);
  const silent = [await submitted(scene()), await submitted(scene())];
  await submit();
  for (const { name } of silent) await control('decide', { name, isSilent: true });
  await Promise.all([poll(), poll(), poll()]);
  several.push(...silent);
  const posts = ((await control('requests')) as Row[]).filter(({ call }) =>
    (call as string).startsWith('POST'),
  );
  for (const given of several) {
    expect(posts.filter(({ body }) => (body as string).includes(given.name))).toHaveLength(1);
    const verdicts = await query('SELECT outcome FROM template_verdicts WHERE submission_id = $1', [
      given.submissionId,
    ]);
    expect(verdicts).toEqual([{ outcome: 'APPLIED' }]);
    const told = await query('SELECT type FROM outbound_events WHERE workspace_id = $1', [
      given.tenant.workspaceId,
    ]);
    expect(told).toEqual([{ type: 'template.approved' }]);
  }
});

/** Dependencies of a process that dies as soon as the approver has responded. */
function dyingAfterTheCall(deps: ApprovalScene['deps']): AppDeps {
  let transactions = 0;
  // Plan, claim and read; the call to the approver follows.
  const UNTIL_THE_CALL = 3;
  const { database } = deps;
  return {
    ...deps,
    database: {
      ...database,
      asSystem: work => {
        transactions++;
        if (transactions > UNTIL_THE_CALL) return Promise.reject(new Error('died'));
        return database.asSystem(work);
      },
    },
  };
}
