import { z } from '@hono/zod-openapi';
import type { Context } from '../platform/context.ts';
import type { RestApp } from '../platform/rest/rest-app.ts';
import { changeRoute, listRoute } from '../platform/rest/routes.ts';
import { analystLoginCreate, analystLoginRevoke, passwordOf } from './analyst-login.actions.ts';
import {
  type AnalystLoginResource,
  analystLoginCreateBody,
  analystLoginResource,
  analystPassword,
} from './analyst-login.contract.ts';
import { type AnalystLogin, analystLoginState } from './analyst-login.entity.ts';
import { analystLogins, analystUrl } from './analyst-login.reads.ts';

const common = { tag: 'Analyst logins', isInWorkspace: true } as const;

export function analystLoginRoutes(app: RestApp): void {
  listRoute(app, {
    ...common,
    path: '/api/v1/analyst-logins',
    operationId: 'listAnalystLogins',
    summary: 'List the analyst logins of the workspace, newest first',
    description: 'Includes revoked logins.',
    item: analystLoginResource,
    items: 'A page of analyst logins.',
    page: async (context, request) => {
      const page = await analystLogins.page(context, request);
      const [first] = page.items;
      // All logins of a page belong to one workspace, so to one cell.
      const url = first ? await analystUrl(context, first) : null;
      return { ...page, items: page.items.map(login => Object.assign(login, { url })) };
    },
    show: login => analystLoginAnswer(login, login.url),
  });
  changeRoute(app, {
    ...common,
    path: '/api/v1/analyst-logins',
    operationId: 'createAnalystLogin',
    summary: 'Create an analyst login',
    description:
      'Creates a ClickHouse user with read access to the rows of the workspace. It becomes usable about a second later. Owners only.',
    body: analystLoginCreateBody,
    result: [
      'The new analyst login and its password.',
      { analyst_login: analystLoginResource, password: analystPassword },
    ],
    operation: 'analystLoginCreate',
    action: analystLoginCreate,
    input: ({ name }) => ({ name }),
    show: async (made, context) => ({
      ...(await analystLoginShown(made, context)),
      password: passwordOf(context.deps, made),
    }),
  });
  changeRoute(app, {
    ...common,
    path: '/api/v1/analyst-logins/{analyst_login_id}/revoke',
    operationId: 'revokeAnalystLogin',
    summary: 'Revoke an analyst login permanently',
    description: 'ClickHouse stops accepting the login within seconds. Idempotent. Owners only.',
    params: z.object({
      analyst_login_id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
    }),
    result: ['The revoked analyst login.', { analyst_login: analystLoginResource }],
    statuses: [404],
    operation: 'analystLoginRevoke',
    action: analystLoginRevoke,
    input: ({ analyst_login_id: id }) => ({ id }),
    show: analystLoginShown,
  });
}

async function analystLoginShown({ id }: { readonly id: string }, context: Context) {
  const [login] = await analystLogins.byIds(context, [id]);
  return { analyst_login: analystLoginAnswer(login!, await analystUrl(context, login!)) };
}

function analystLoginAnswer(login: AnalystLogin, url: string | null): AnalystLoginResource {
  return {
    id: login.id,
    name: login.name,
    user_name: login.userName,
    state: analystLoginState(login),
    url,
    database: login.database ?? null,
    created_at: login.createdAt.toISOString(),
    revoked_at: login.revokedAt?.toISOString() ?? null,
  };
}
