import type { ObjectRef } from '@pothos/core';
import type { SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberNode } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { changed, mutation } from '../platform/graph/mutation.ts';
import { analystLoginCreate, analystLoginRevoke, passwordOf } from './analyst-login.actions.ts';
import {
  analystLoginCreateContract,
  analystLoginRevokeContract,
} from './analyst-login.contract.ts';
import {
  ANALYST_LOGIN_STATES,
  type AnalystLogin,
  analystLoginState,
} from './analyst-login.entity.ts';
import { analystLogins, analystUrl } from './analyst-login.reads.ts';

const analystLoginById = loaderById(analystLogins.byIds);

const AnalystLoginStateEnum = describedEnum(
  'AnalystLoginState',
  'The state of an analyst login.',
  ANALYST_LOGIN_STATES,
);

const AnalystLoginRef: ObjectRef<SchemaTypes, AnalystLogin> = memberNode(
  'AnalystLogin',
  analystLoginById,
  {
    description:
      'A ClickHouse user for analysts and their tools, with read-only access to the workspace’s rows.',
    fields: t => ({
      ...expose(t, 'String!', {
        name: 'The name of the login.',
        userName: 'The ClickHouse user name.',
      }),
      state: t.field({
        type: AnalystLoginStateEnum,
        nullable: false,
        description: 'The state of the login in ClickHouse.',
        resolve: analystLoginState,
      }),
      url: t.string({
        description: 'The URL of ClickHouse’s HTTP interface; null if none is configured.',
        resolve: (login, _args, { context }) => analystUrl(context, login),
      }),
      ...expose(t, 'String', {
        database:
          'The name of the login’s ClickHouse database; null until the login exists in ClickHouse.',
      }),
      ...expose(t, 'DateTime!', { createdAt: 'When the login was created.' }),
      ...expose(t, 'DateTime', {
        revokedAt: 'When the login was revoked; null if it has not been revoked.',
      }),
    }),
  },
);

const AnalystLoginConnection = connectionType('AnalystLogin', AnalystLoginRef);

pageQuery('analystLogins', {
  type: AnalystLoginConnection,
  description: 'The analyst logins in the viewer’s workspace, including revoked ones.',
  page: analystLogins.page,
});

mutation({
  name: 'analystLoginCreate',
  description:
    'Creates an analyst login. It becomes usable about a second later. Its password is returned only by this mutation.',
  access: 'owner',
  input: t => ({
    name: t.string({
      required: true,
      description: 'The name of the login, for example the name of the tool that uses it.',
    }),
  }),
  contract: analystLoginCreateContract,
  codes: ['TOO_MANY_ANALYST_LOGINS'],
  action: analystLoginCreate,
  payload: t => ({
    analystLogin: changed(t, AnalystLoginRef, analystLoginById, 'The new analyst login.'),
    password: t.string({
      description:
        'The password. Only this mutation returns it. A repeated call with the same idempotency key returns it again.',
      resolve: ({ result }, _args, { context }) => result && passwordOf(context.deps, result),
    }),
  }),
});

mutation({
  name: 'analystLoginRevoke',
  description:
    'Permanently revokes an analyst login. ClickHouse stops accepting the login within seconds. Idempotent.',
  access: 'owner',
  target: AnalystLoginRef,
  contract: analystLoginRevokeContract,
  codes: ['NOT_FOUND'],
  action: analystLoginRevoke,
  payload: t => ({
    analystLogin: changed(t, AnalystLoginRef, analystLoginById, 'The revoked analyst login.'),
  }),
});
