// The life cycle of versions, through the actions that the graph, REST and jobs call.

import { beforeAll, describe, expect, test } from 'vitest';
import { Rejected } from '../../../graphql-api/platform/rejected.ts';
import type { Action } from '../../../graphql-api/platform/run-action.ts';
import { templateArchive } from '../../../graphql-api/templates/template.archive.ts';
import {
  nextState,
  TEMPLATE_STATES,
  type TemplateTrigger,
} from '../../../graphql-api/templates/transitions.ts';
import {
  templateVersionCancel,
  templateVersionDiscard,
  templateVersionRestore,
} from '../../../graphql-api/templates/version.actions.ts';
import { templateVersionActivate } from '../../../graphql-api/templates/version.activate.ts';
import { templateVersionCreate } from '../../../graphql-api/templates/version.create.ts';
import { templateVersionEdit } from '../../../graphql-api/templates/version.edit.ts';
import { setUpstreamHealth } from '../../../graphql-api/templates/version.set-upstream-health.ts';
import { templateVersionSubmit } from '../../../graphql-api/templates/version.submit.ts';
import { createTemplate } from '../../harness/template.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { useDeps } from '../harness/deps.ts';
import { templateActions } from '../harness/template-actions.ts';
import { versionsInState } from './versions-in-state.ts';

const deps = useDeps();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant();
});
const { act, asSystem, judge, draft, submitted, approved } = templateActions(deps, () => tenant);

const { inState } = versionsInState(() => tenant);

async function refusal(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Rejected);
  return (error as Rejected).rejections[0]!.code;
}

async function row(id: string): Promise<Record<string, unknown>> {
  return (await sql('SELECT * FROM template_versions WHERE id = $1', [id]))[0]!;
}

const stateOf = async (id: string) => String((await row(id)).state);

const ACTIONS: Readonly<
  Partial<Record<TemplateTrigger, Action<{ id: string }, { readonly id: string }>>>
> = {
  submit: templateVersionSubmit,
  cancel: templateVersionCancel,
  activate: templateVersionActivate,
  discard: templateVersionDiscard,
};

const TRIALS = TEMPLATE_STATES.flatMap(state =>
  (Object.keys(ACTIONS) as TemplateTrigger[]).map(trigger => [state, trigger] as const),
);

describe.concurrent('by an operator', () => {
  test.for(TRIALS)('%s, %s', async ([state, trigger]) => {
    const { id } = await inState(state);
    const to = nextState(state, trigger);
    const attempt = act(ACTIONS[trigger]!, { id });
    if (to !== undefined || (state === 'Active' && trigger === 'activate')) await attempt;
    else expect(await refusal(attempt)).toBe('TEMPLATE_VERSION_STATE');
    expect(await stateOf(id)).toBe(to ?? state);
  });

  test.for(TEMPLATE_STATES)('%s, the template is deleted', async state => {
    const { id, templateId } = await inState(state);
    await act(templateArchive, { id: templateId });
    await act(templateArchive, { id: templateId });
    expect(await row(id)).toMatchObject({ state: 'Archived', archived_at: expect.any(Date) });
    const pending = "SELECT FROM template_submissions WHERE version_id = $1 AND state = 'PENDING'";
    expect(await sql(pending, [id])).toEqual([]);
    expect(await refusal(draft(templateId))).toBe('TEMPLATE_ARCHIVED');
  });

  test.for(TEMPLATE_STATES)('%s, edit', async state => {
    const { id } = await inState(state);
    const edit = act(templateVersionEdit, { id, expectedRevision: 1, body: 'New.' });
    if (state === 'Draft') await edit;
    else expect(await refusal(edit)).toBe('TEMPLATE_VERSION_STATE');
    expect((await row(id)).body === 'New.').toBe(state === 'Draft');
  });

  test.for(TEMPLATE_STATES)('%s, restore creates a draft with its origin', async state => {
    const { id } = await inState(state);
    const copy = await row((await act(templateVersionRestore, { id })).id);
    const { body, variables, content_hash } = await row(id);
    expect(copy).toMatchObject({ state: 'Draft', number: 2, restored_from_id: id });
    expect(copy).toMatchObject({ based_on_id: id });
    expect(copy).toMatchObject({ change_source: 'RESTORED', body, variables, content_hash });
  });
});

test('a version keeps the ID of the one it was copied from', async () => {
  const templateId = await createTemplate(tenant.workspaceId);
  const first = await draft(templateId, 'One.');
  const second = await draft(templateId, 'Two.');
  expect((await row(first)).based_on_id).toBeNull();
  expect((await row(second)).based_on_id).toBe(first);
  const active = await approved(templateId);
  const fromActive = await draft(templateId, 'Four.');
  expect((await row(fromActive)).based_on_id).toBe(active);
  const elsewhere = await act(templateVersionCreate, {
    id: templateId,
    channel: 'sms',
    body: 'S.',
  });
  expect((await row(elsewhere.id)).based_on_id).toBeNull();
  const rewrite = sql('UPDATE template_versions SET based_on_id = NULL WHERE id = $1', [second]);
  await expect(rewrite).rejects.toMatchObject({ constraint: 'template_version_ancestry_stays' });
});

describe.concurrent('by the approver', () => {
  test.for(
    TEMPLATE_STATES.flatMap(state =>
      (['APPROVED', 'REJECTED'] as const).map(v => [state, v] as const),
    ),
  )('%s, %s', async ([state, verdict]) => {
    const { id, submissionId } = await inState(state);
    const { outcome } = await judge({ submissionId, verdict, reason: 'SCAM' });
    expect(outcome).toBe(state === 'Submitted' ? 'APPLIED' : 'IGNORED');
    const to = verdict === 'APPROVED' ? 'Active' : 'Rejected';
    expect(await stateOf(id)).toBe(state === 'Submitted' ? to : state);
  });

  test('repeated, contradicting and late verdicts are stored and change nothing', async () => {
    const templateId = await createTemplate(tenant.workspaceId);
    const { id, submissionId } = await submitted(templateId);
    await judge({ submissionId, verdict: 'APPROVED' });
    const newer = await approved(templateId);
    for (const verdict of ['APPROVED', 'REJECTED'] as const)
      expect(await judge({ submissionId, verdict })).toEqual({
        outcome: 'IGNORED',
        ignoredBecause: 'DECIDED',
      });
    expect([await stateOf(id), await stateOf(newer)]).toEqual(['Superseded', 'Active']);
    const kept = 'SELECT outcome FROM template_verdicts WHERE submission_id = $1 ORDER BY id';
    expect((await sql(kept, [submissionId])).map(({ outcome }) => outcome)).toEqual([
      'APPLIED',
      'IGNORED',
      'IGNORED',
    ]);
  });

  test('the verdict of a canceled submission never decides the next one', async () => {
    const { id, submissionId } = await submitted(await createTemplate(tenant.workspaceId));
    await act(templateVersionCancel, { id });
    const again = await act(templateVersionSubmit, { id });
    expect(await judge({ submissionId, verdict: 'REJECTED' })).toMatchObject({
      ignoredBecause: 'CANCELED',
    });
    expect(await stateOf(id)).toBe('Submitted');
    await judge({ submissionId: again.submissionId, verdict: 'APPROVED' });
    expect(await stateOf(id)).toBe('Active');
  });

  test('one of ten concurrent copies of a verdict is applied', async () => {
    const { submissionId } = await submitted(await createTemplate(tenant.workspaceId));
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => judge({ submissionId, verdict: 'APPROVED' })),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'APPLIED')).toHaveLength(1);
  });

  test('a rejection leaves the Active version unchanged', async () => {
    const templateId = await createTemplate(tenant.workspaceId);
    const active = await approved(templateId);
    const { id, submissionId } = await submitted(templateId);
    await judge({ submissionId, verdict: 'REJECTED', reason: 'INVALID_FORMAT' });
    expect(await row(id)).toMatchObject({ state: 'Rejected', rejection_reason: 'INVALID_FORMAT' });
    expect(await stateOf(active)).toBe('Active');
  });

  test.for(TEMPLATE_STATES)('%s, paused', async state => {
    const { id } = await inState(state);
    const until = new Date(Date.now() + 60_000);
    const pause = () =>
      asSystem(scope => setUpstreamHealth(scope, { versionId: id, health: 'PAUSED', until }));
    const isApproved = nextState(state, 'activate') !== undefined || state === 'Active';
    expect(await pause()).toBe(isApproved);
    expect(await pause()).toBe(false);
    const health = isApproved ? 'PAUSED' : 'OK';
    expect(await row(id)).toMatchObject({ state, upstream_health: health });
  });
});

describe.concurrent('the Active version is', () => {
  test('the last approved one', async () => {
    const templateId = await createTemplate(tenant.workspaceId);
    const [first, second] = [await approved(templateId), await approved(templateId)];
    expect(await row(first)).toMatchObject({
      state: 'Superseded',
      superseded_at: expect.any(Date),
    });
    expect(await row(second)).toMatchObject({ state: 'Active', is_pinned: false });
  });

  test('an older one that an operator pinned, until the newest is activated', async () => {
    const templateId = await createTemplate(tenant.workspaceId);
    const [first, second] = [await approved(templateId), await approved(templateId)];
    await act(templateVersionActivate, { id: first });
    const third = await approved(templateId);
    expect(await row(first)).toMatchObject({ state: 'Active', is_pinned: true });
    expect([await stateOf(second), await stateOf(third)]).toEqual(['Superseded', 'Approved']);
    await act(templateVersionActivate, { id: third });
    expect(await row(third)).toMatchObject({ state: 'Active', is_pinned: false });
    expect(await stateOf(await approved(templateId))).toBe('Active');
  });

  test('one per channel and language', async () => {
    const templateId = await createTemplate(tenant.workspaceId);
    const trees = [
      { channel: 'messaging_app', language: 'en' },
      { channel: 'messaging_app', language: 'hi' },
      { channel: 'sms', language: 'en' },
    ] as const;
    for (const tree of trees) {
      const { id } = await act(templateVersionCreate, { id: templateId, body: 'Hello.', ...tree });
      const { submissionId } = await act(templateVersionSubmit, { id });
      await judge({ submissionId, verdict: 'APPROVED' });
      expect(await row(id)).toMatchObject({ state: 'Active', number: 1, ...tree });
    }
  });

  test('exactly one of two concurrent activations succeeds, every time', async () => {
    const templateId = await createTemplate(tenant.workspaceId);
    const ids = [
      await approved(templateId),
      await approved(templateId),
      await approved(templateId),
    ];
    await Promise.all(
      Array.from({ length: 12 }, (_, at) => act(templateVersionActivate, { id: ids[at % 3]! })),
    );
    const states = await Promise.all(ids.map(stateOf));
    expect(states).toEqual(expect.arrayContaining(['Active', 'Superseded']));
    expect(states.filter(state => state === 'Superseded')).toHaveLength(2);
  });
});

test('the history has every step and its actor', async () => {
  const templateId = await createTemplate(tenant.workspaceId);
  const { id, submissionId } = await submitted(templateId);
  await judge({ submissionId, verdict: 'APPROVED' });
  await approved(templateId);
  const steps = await sql(
    `SELECT concat_ws(' ', cause, from_state, '->', to_state, 'by', actor_id) AS step
     FROM template_transitions WHERE version_id = $1 ORDER BY created_at, id`,
    [id],
  );
  expect(steps.map(({ step }) => step)).toEqual([
    'create -> Draft by user-1',
    'submit Draft -> Submitted by user-1',
    'approve Submitted -> Approved by approver',
    'activate Approved -> Active by approver',
    'supersede Active -> Superseded by approver',
  ]);
});
