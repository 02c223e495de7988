// The requests to the API, and the equivalent statements in Postgres.

import { v7 as uuidv7 } from 'uuid';
import { encodeNodeId } from '../graphql-api/platform/graph/node-id.ts';
import type { Statement } from './plain-sql.ts';
import type { Stack } from './stack.ts';

export type ApiScenario = {
  /** For `--only`. */
  readonly key: (typeof API_SCENARIO_KEYS)[number];
  readonly name: string;
  readonly document: string;
  readonly variables: (count: number) => Readonly<Record<string, unknown>>;
  readonly statements: (count: number) => readonly Statement[];
};

export const API_SCENARIO_KEYS = ['row', 'page', 'overview', 'change'] as const;

const KEYS = 1_000;
const WORKSPACES = 10;
const PAGE = 50;
/** The columns of a key, in the order of its table. */
const KEY_COLUMNS = `id, workspace_id, name, write_key, minute_cap, hour_cap, origins, revoked_at, created_at,
  expires_at, rotated_from_id, last_used_at, created_by`;
const WORKSPACE_COLUMNS = `id, organization_id, cell_id, name, in_app_daily_max, in_app_interval_seconds_min, created_at`;
const KEY_FIELDS = 'id name writeKey minuteCap hourCap isActive createdAt';

/** Creates keys, each the successor of another key, and sibling workspaces; returns the scenarios. */
export async function apiScenarios(stack: Stack): Promise<ApiScenario[]> {
  const { sql, tenant } = stack;
  const keyIds = Array.from({ length: KEYS }, () => uuidv7());
  await sql(
    `INSERT INTO sdk_keys (id, workspace_id, name, write_key, minute_cap, rotated_from_id, created_at)
     SELECT id, $1, 'Key ' || number, 'wk_bench_' || lpad(number::text, 16, '0'), 1000,
            lag(id) OVER (ORDER BY number), now() + number * interval '1 second'
     FROM unnest($2::uuid[]) WITH ORDINALITY AS keys (id, number)`,
    [tenant.workspaceId, keyIds],
  );
  await sql(
    `INSERT INTO workspaces (id, organization_id, cell_id, name)
     SELECT gen_random_uuid(), organization_id, cell_id, 'Workspace ' || number
     FROM workspaces, generate_series(2, $2::int) AS number WHERE id = $1`,
    [tenant.workspaceId, WORKSPACES],
  );
  await sql('ANALYZE');
  return scenariosOf(stack, keyIds);
}

export function scenariosOf(
  stack: Pick<Stack, 'tenant'>,
  keyIds: readonly string[],
): ApiScenario[] {
  return [row(stack, keyIds), page(stack), overview(stack), update(stack, keyIds)];
}

function row(
  { tenant: { workspaceId } }: Pick<Stack, 'tenant'>,
  keyIds: readonly string[],
): ApiScenario {
  return {
    key: 'row',
    name: 'one row by id',
    document: `query ($id: ID!) { node(id: $id) { __typename ... on SdkKey { ${KEY_FIELDS} } } }`,
    variables: count => ({ id: encodeNodeId('SdkKey', pick(keyIds, count)) }),
    statements: count => [
      [
        `SELECT ${KEY_COLUMNS} FROM sdk_keys WHERE id IN ($1) AND workspace_id = $2`,
        [pick(keyIds, count), workspaceId],
      ],
    ],
  };
}

function page({ tenant: { workspaceId } }: Pick<Stack, 'tenant'>): ApiScenario {
  const newest = `SELECT id FROM sdk_keys WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${PAGE}`;
  return {
    key: 'page',
    name: `a page of ${PAGE} keys, each with the key that it replaces`,
    document: `query ($first: Int!) {
      sdkKeys(first: $first) {
        nodes { ${KEY_FIELDS} rotatedFrom { id name } }
        pageInfo { hasNextPage endCursor }
      }
    }`,
    variables: () => ({ first: PAGE }),
    statements: () => [
      [
        `SELECT ${KEY_COLUMNS} FROM sdk_keys WHERE workspace_id = $1
         ORDER BY created_at DESC, id DESC LIMIT ${PAGE + 1}`,
        [workspaceId],
      ],
      [
        `SELECT ${KEY_COLUMNS} FROM sdk_keys WHERE workspace_id = $1
         AND id IN (SELECT rotated_from_id FROM sdk_keys WHERE id IN (${newest}))`,
        [workspaceId],
      ],
    ],
  };
}

function overview({ tenant: { organizationId, workspaceId } }: Pick<Stack, 'tenant'>): ApiScenario {
  const workspace: Statement = [
    `SELECT ${WORKSPACE_COLUMNS} FROM workspaces WHERE organization_id = $1 AND id = $2`,
    [organizationId, workspaceId],
  ];
  return {
    key: 'overview',
    name: 'an overview of the viewer',
    document: `query {
      viewer {
        userId roles
        organization { id name ingressEventsPerMinute workspaces(first: ${WORKSPACES}) { nodes { id name } } }
        workspace { id name cell { slug } createdAt }
      }
    }`,
    variables: () => ({}),
    statements: () => [
      [
        'SELECT id, name, ingress_events_per_minute, created_at FROM organizations WHERE id = $1',
        [organizationId],
      ],
      workspace,
      [`${workspace[0]} ORDER BY created_at DESC, id DESC LIMIT ${WORKSPACES + 1}`, workspace[1]],
      [
        'SELECT cells.* FROM cells JOIN workspaces ON cell_id = cells.id WHERE workspaces.id = $1',
        [workspaceId],
      ],
    ],
  };
}

function update(stack: Pick<Stack, 'tenant'>, keyIds: readonly string[]): ApiScenario {
  const { organizationId, workspaceId } = stack.tenant;
  const audit = `INSERT INTO audit_log
    (id, organization_id, workspace_id, actor_id, action, subject_type, subject_id, before, after, request_id)
    VALUES ($1, $2, $3, 'bench', 'sdk_key.update', 'sdk_key', $4, $5, $6, 'bench')`;
  const settings = (name: string) =>
    JSON.stringify({ name, minuteCap: 1000, hourCap: null, origins: [] });
  const one: Statement[0] = `SELECT ${KEY_COLUMNS} FROM sdk_keys WHERE id = $1 AND workspace_id = $2`;
  return {
    key: 'change',
    name: 'a change, audited and returned',
    document: `mutation ($id: ID!, $input: SdkKeyUpdateInput!) {
      sdkKeyUpdate(id: $id, input: $input) { sdkKey { ${KEY_FIELDS} } userErrors { code message } }
    }`,
    variables: count => ({
      id: encodeNodeId('SdkKey', pick(keyIds, count)),
      input: { name: `Key ${count}` },
    }),
    statements: count => {
      const id = pick(keyIds, count);
      return [
        [`${one} FOR UPDATE`, [id, workspaceId]],
        ['UPDATE sdk_keys SET name = $2 WHERE id = $1', [id, `Key -${count}`]],
        [audit, [uuidv7(), organizationId, workspaceId, id, settings('a'), settings('b')]],
        [one, [id, workspaceId]],
      ];
    },
  };
}

function pick(ids: readonly string[], count: number): string {
  return ids[count % ids.length]!;
}
