// A workspace with templates and a journey, operated through the API's own actions.

import { v7 as uuidv7 } from 'uuid';
import { journeyActivate, journeyCreate } from '../../../graphql-api/journeys/journey.actions.ts';
import type { JourneyNode } from '../../../graphql-api/journeys/nodes.ts';
import type { AppDeps } from '../../../graphql-api/platform/context.ts';
import { Rejected } from '../../../graphql-api/platform/rejected.ts';
import { type Action, runAction } from '../../../graphql-api/platform/run-action.ts';
import {
  applyVerdict,
  type VerdictOutcome,
} from '../../../graphql-api/templates/version.apply-verdict.ts';
import { templateVersionCreate } from '../../../graphql-api/templates/version.create.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { contextOf } from '../harness/deps.ts';
import {
  approve,
  type Model,
  type ModelNode,
  type ModelVersion,
  WAIT_MS,
  WITHOUT_CODE,
} from './model.ts';

export type World = {
  readonly deps: AppDeps;
  readonly databaseUrl: string;
  readonly tenant: Tenant;
  readonly templateIds: readonly string[];
  readonly userIds: readonly string[];
  readonly query: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
  /** Returns OK or the code of the refusal. */
  readonly act: <I, O>(action: Action<I, O>, input: I) => Promise<Outcome<O>>;
};

export type Outcome<O> =
  | { readonly code: 'OK'; readonly result: O }
  | { readonly code: string; readonly result: undefined; readonly facts: unknown };

export const PEOPLE = 3;
const TEMPLATES = 2;

export async function createWorld(deps: AppDeps, databaseUrl: string): Promise<World> {
  const tenant = await createTenant({ databaseUrl });
  const query: World['query'] = (text, values) => sql(text, values ?? [], databaseUrl);
  const act: World['act'] = async (action, input) => {
    const context = contextOf(deps, tenant);
    try {
      return { code: 'OK', result: await runAction(context, action, input) };
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      const [first] = error.rejections;
      return { code: first!.code, result: undefined, facts: first!.facts };
    }
  };
  const templateIds = Array.from({ length: TEMPLATES }, () => uuidv7());
  const userIds = Array.from({ length: PEOPLE }, (_, index) => `person-${index}`);
  await query(
    `INSERT INTO contacts (id, workspace_id, user_id, traits)
     SELECT id, $1, user_id, traits FROM unnest($2::uuid[], $3::text[], $4::jsonb[]) AS row (id, user_id, traits)`,
    [
      tenant.workspaceId,
      userIds.map(() => uuidv7()),
      userIds,
      userIds.map((_, index) =>
        JSON.stringify({ name: 'Asha', ...(index !== WITHOUT_CODE && { code: 7 }) }),
      ),
    ],
  );
  return { deps, databaseUrl, tenant, templateIds, userIds, query, act };
}

export function must<O>(outcome: Outcome<O>): O {
  if (outcome.result === undefined) throw new Error(`refused: ${outcome.code}`);
  return outcome.result;
}

export async function addVersion(
  world: World,
  model: Model,
  template: number,
  { needs, isForced }: { readonly needs: 'name' | 'code'; readonly isForced: boolean },
): Promise<string> {
  const number = model.versions.filter(each => each.template === template).length + 1;
  const { id } = must(
    await world.act(templateVersionCreate, {
      id: world.templateIds[template]!,
      channel: 'messaging_app',
      language: 'en',
      category: 'utility',
      body: `Dear {{${needs}}}, this is text number ${number} of many.`,
      forceRollout: isForced,
    }),
  );
  model.versions.push({ ...draft(id, template, number), needs, isForced });
  return id;
}

export function decide(
  { deps }: World,
  submissionId: string,
  verdict: 'APPROVED' | 'REJECTED',
): Promise<VerdictOutcome> {
  return deps.database.asSystem(em =>
    applyVerdict(
      { em, deps, actorId: 'approver', audit: () => Promise.resolve() },
      { submissionId, verdict, reason: 'NONE' },
    ),
  );
}

/** Creates an Active version for each template, and a journey that sends both. */
export async function furnish(world: World, model: Model): Promise<void> {
  const { workspaceId } = world.tenant;
  for (const [template, templateId] of world.templateIds.entries()) {
    const [id, submissionId] = [uuidv7(), uuidv7()];
    // In SQL, because this setup runs for every sequence; the actions are covered by the sequences.
    await world.query(FURNISH, [id, templateId, workspaceId, submissionId, new Date(model.nowMs)]);
    await world.query(BECOME('Submitted'), [id]);
    await world.query(BECOME('Approved'), [id]);
    await world.query(BECOME('Active'), [id]);
    model.submissions.push({ id: submissionId, versionId: id, state: 'APPROVED' });
    model.versions.push({ ...draft(id, template, 1), submissionId });
    approve(model, model.versions.at(-1)!);
  }
  await addJourney(world, model);
}

const FURNISH = `
  WITH template AS (
    INSERT INTO templates (id, workspace_id, name, created_by) VALUES ($2, $3, 'walked', 'test')
  ), version AS (
    INSERT INTO template_versions (id, template_id, workspace_id, channel, language, number, category,
      body, variables, content_hash, change_source, created_by, submission_id, approved_at, activated_at)
    VALUES ($1, $2, $3, 'messaging_app', 'en', 1, 'utility', 'Dear {{name}}, this is the first text.',
      '[{"name": "name", "type": "text", "isRequired": true, "fallback": null, "sample": "Asha"}]',
      'walked', 'CREATED', 'test', $4, $5, $5)
  )
  INSERT INTO template_submissions (id, workspace_id, template_id, version_id, channel, state,
    submitted_by, submitted_at, decided_at, sla_due_at)
  VALUES ($4, $3, $2, $1, 'messaging_app', 'APPROVED', 'test', $5, $5, $5)`;

const BECOME = (state: string) => `UPDATE template_versions SET state = '${state}' WHERE id = $1`;

function draft(id: string, template: number, number: number): ModelVersion {
  return {
    id,
    template,
    number,
    needs: 'name',
    isForced: false,
    state: 'Draft',
    isEdited: false,
    health: 'OK',
    submissionId: undefined,
    approvedAtMs: 0,
    activatedAtMs: 0,
    isPinnedByOperator: false,
  };
}

/** If a version is given, the first node names it. */
export async function addJourney(world: World, model: Model, versionId?: string): Promise<void> {
  const template = (id: string, of: number): ModelNode => ({
    id,
    kind: 'send',
    template: of,
    ...(id === 's1' && versionId !== undefined && { versionId }),
  });
  const wait = (id: string): ModelNode => ({ id, kind: 'wait', template: -1 });
  const nodes = [
    template('s1', 0),
    wait('w1'),
    template('s2', 1),
    template('s3', 0),
    wait('w2'),
    template('s4', 1),
    { id: 'end', kind: 'end', template: -1 } as const,
  ];
  const { id } = must(
    await world.act(journeyCreate, { name: 'j', nodes: wireNodes(world, nodes) }),
  );
  must(await world.act(journeyActivate, { id, version: 1 }));
  model.journeys.push({ id, nodes, status: 'ACTIVE', version: 2 });
}

function wireNodes({ templateIds }: World, nodes: readonly ModelNode[]): JourneyNode[] {
  return nodes.map((node, index) => {
    const next = nodes[index + 1]?.id ?? '';
    if (node.kind === 'end') return { id: node.id, kind: 'end' };
    if (node.kind === 'wait') return { id: node.id, kind: 'wait', seconds: WAIT_MS / 1000, next };
    return {
      id: node.id,
      kind: 'send',
      templateId: templateIds[node.template]!,
      channel: 'messaging_app',
      language: 'en',
      ...(node.versionId !== undefined && { versionId: node.versionId }),
      next,
    };
  });
}
