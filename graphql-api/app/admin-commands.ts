// The commands of `npm run admin`.

import { isUuid } from '../../schema/values/uuid.ts';
import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { escapeLike } from '../platform/database/escape-like.ts';
import { kysely } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import { cellCreate, cellCreateContract } from '../tenancy/cell.actions.ts';
import {
  ERASE_AFTER_DAYS,
  organizationClose,
  organizationCloseContract,
} from '../tenancy/organization.close.ts';
import { organizationCreate, organizationCreateContract } from '../tenancy/organization.create.ts';
import type { Organization } from '../tenancy/organization.entity.ts';
import { platformOrganizations } from '../tenancy/organization.reads.ts';
import {
  platformSubjectContract,
  platformSubjectRestore,
  platformSubjectRevoke,
} from '../tenancy/subject.actions.ts';
import type { CommandName } from './admin-arguments.ts';
import type { Act } from './admin-command.ts';
import { finishMove, moveStatus, startMove, takeBackMove } from './admin-moves.ts';
import { exportOrganization } from './export-organization.ts';

/** The result of a command, for people and for machines. */
export type Said = {
  readonly text: string;
  readonly data: unknown;
  readonly exitCode?: number;
};

export type Run = {
  readonly act: Act;
  readonly context: Context;
  readonly options: Readonly<Record<string, string>>;
};

export const ADMIN_COMMANDS: Readonly<Record<CommandName, (run: Run) => Promise<Said>>> = {
  'org create': createOrganization,
  'org list': listOrganizations,
  'org export': async ({ context, options: { org, out } }) => {
    const organization = await organizationOf(context, org!);
    const manifest = await exportOrganization(context.deps, organization, out!);
    const rows = Object.values(manifest.tables).reduce((sum, count) => sum + count, 0);
    const text = `Exported ${rows} rows from ${Object.keys(manifest.tables).length} tables to ${out}. ${manifest.events}`;
    return { text, data: manifest };
  },
  'org close': closeOrganization,
  'cell add': addCell,
  'cell list': async ({ context }) => {
    const data = await readAcrossTenants(context, em =>
      kysely(em)
        .selectFrom('cells')
        .select(['id', 'slug', 'region', 'isEnabled', 'createdAt'])
        .orderBy('slug')
        .execute(),
    );
    return { text: table(data), data };
  },
  'cell move start': startMove,
  'cell move status': moveStatus,
  'cell move take-back': takeBackMove,
  'cell move finish': finishMove,
  'subject revoke': ({ act, options: { user = '', org } }) =>
    act(platformSubjectContract, platformSubjectRevoke, { userId: user, organizationId: org }).then(
      data => ({ text: `The tokens of ${user} will be refused within seconds.`, data }),
    ),
  'subject restore': ({ act, options: { user = '', org } }) =>
    act(platformSubjectContract, platformSubjectRestore, {
      userId: user,
      organizationId: org,
    }).then(data => ({ text: `The tokens of ${user} are accepted again.`, data })),
  'subject list': async ({ context, options: { org } }) => {
    const organization = org === undefined ? undefined : await organizationOf(context, org);
    const data = await readAcrossTenants(context, em =>
      kysely(em)
        .selectFrom('revoked_subjects')
        .select(['subject as userId', 'organizationId', 'revokedBy', 'createdAt'])
        .$if(organization !== undefined, query =>
          query.where('organizationId', '=', organization!.id),
        )
        .orderBy('createdAt', 'desc')
        .execute(),
    );
    return { text: table(data), data };
  },
};

async function createOrganization({ act, options }: Run): Promise<Said> {
  const { name = '', workspace, region } = options;
  const input = { name, workspaceName: workspace, region };
  const made = await act(organizationCreateContract, organizationCreate, input);
  const data = {
    organizationId: made.id,
    ...(made.workspace && {
      workspaceId: made.workspace.id,
      propertyId: made.workspace.propertyId,
      writeKey: made.workspace.writeKey,
    }),
  };
  return { text: table([data]), data };
}

async function listOrganizations({ context, options: { search } }: Run): Promise<Said> {
  const data = await readAcrossTenants(context, em =>
    kysely(em)
      .selectFrom('organizations')
      .select(['id', 'name', 'createdAt', 'closedAt', 'eraseAt', 'erasedAt'])
      .where('name', 'ilike', `%${escapeLike(search ?? '')}%`)
      .orderBy('createdAt', 'desc')
      .execute(),
  );
  return { text: table(data), data };
}

async function closeOrganization({ act, context, options }: Run): Promise<Said> {
  const { id, name } = await organizationOf(context, options.org!);
  if (options.confirm === undefined) {
    const text = `Closing ${name} (${id}) cannot be undone. Its tokens, SDK keys and analyst logins will be refused within seconds, and its webhooks, journeys and segments will stop. The personal data of its people will be erased after ${ERASE_AFTER_DAYS} days; payments, the ledger and the audit log will be kept. Nothing was changed. To close the organization, add --confirm ${JSON.stringify(name)}.`;
    return { text, data: { id, name, isClosed: false }, exitCode: 1 };
  }
  await act(organizationCloseContract, organizationClose, { id, confirm: options.confirm });
  const { closedAt, eraseAt } = await organizationOf(context, id);
  const text = `${name} was closed at ${closedAt!.toISOString()}. Its personal data will be erased after ${eraseAt!.toISOString()}.`;
  return { text, data: { id, name, isClosed: true, closedAt, eraseAt } };
}

async function addCell({ act, options }: Run): Promise<Said> {
  const { slug = '', region = '' } = options;
  const { id } = await act(cellCreateContract, cellCreate, { slug, region });
  const suffix = slug === 'default' ? '' : `_${slug.toUpperCase().replaceAll('-', '_')}`;
  const variables = [`CLICKHOUSE_URL${suffix}`, `ANALYST_URL${suffix}`];
  const text = `The cell ${slug} is registered. Before you create a workspace in ${region}, set ${variables[0]} for every ingest node, every API process and npm run migrate; run npm run migrate; then restart ingest and the API. Until then, ingest responds with 502 to requests for such a workspace. ${variables[1]} is optional and is used only by the API.`;
  return { text, data: { id, slug, region, variables } };
}

async function organizationOf(context: Context, id: string): Promise<Organization> {
  const [found] = isUuid(id) ? await platformOrganizations.byIds(context, [id]) : [];
  return (
    found ??
    reject('NOT_FOUND', {
      message: `No organization has the ID ${id}. Run "org list" to find the ID.`,
    })
  );
}

/** A line per row: `name: value`, for people. */
function table(rows: readonly Readonly<Record<string, unknown>>[]): string {
  if (rows.length === 0) return 'none';
  return rows
    .map(row =>
      Object.entries(row)
        .filter(([, value]) => value !== null)
        .map(
          ([name, value]) =>
            `${name}: ${value instanceof Date ? value.toISOString() : String(value)}`,
        )
        .join('  '),
    )
    .join('\n');
}
