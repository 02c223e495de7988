// Calls mutations by name, for tests of their effects.

import { expect } from 'vitest';
import type { Role } from '../../../graphql-api/platform/viewer.ts';
import type { Tenant } from '../../harness/tenant.ts';
import type { Api, GraphqlAnswer } from './api-process.ts';
import { tokenFor } from './tokens.ts';

export type UserError = {
  readonly code: string;
  readonly field: readonly string[] | null;
  readonly message: string;
};

export type MutationArguments = {
  readonly id?: string;
  readonly input?: Readonly<Record<string, unknown>>;
};

export type Asker = { readonly api: Api; readonly tenant: Tenant; readonly role?: Role };

/** Returns the complete response; checks nothing. */
export async function tryMutation(
  { api, tenant, role = 'owner' }: Asker,
  name: string,
  args: MutationArguments,
  shown: string,
): Promise<GraphqlAnswer> {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input!`;
  const declared = [args.id && '$id: ID!', args.input && `$input: ${type}`].filter(Boolean);
  const passed = [args.id && 'id: $id', args.input && 'input: $input'].filter(Boolean);
  const inBrackets = (texts: readonly unknown[]) => (texts.length === 0 ? '' : `(${texts.join()})`);
  const document = `mutation ${inBrackets(declared)} {
    ${name}${inBrackets(passed)} { ${shown} userErrors { code field message } }
  }`;
  const token = await tokenFor(tenant.organizationId, { roles: [role] });
  return api.graphql(document, { token, variables: args });
}

/** Returns the selected fields of the mutation, which must succeed. */
export async function mutate<T>(
  asker: Asker,
  name: string,
  args: MutationArguments,
  shown: string,
): Promise<T> {
  const answer = await tryMutation(asker, name, args, shown);
  const payload = answer.data?.[name] as T & { readonly userErrors: readonly UserError[] };
  expect(payload?.userErrors, answer.text).toEqual([]);
  return payload;
}

/** Returns the error codes with their subjects; the mutation must be refused. */
export async function refusals(
  asker: Asker,
  name: string,
  args: MutationArguments,
): Promise<string[]> {
  const answer = await tryMutation(asker, name, args, '__typename');
  expect(answer.errors, answer.text).toBeUndefined();
  const { userErrors } = answer.data![name] as { userErrors: readonly UserError[] };
  return userErrors.map(({ code, field }) => `${code} ${field?.join('.') ?? ''}`.trim());
}

export async function ask<T>(
  { api, tenant, role = 'owner' }: Asker,
  document: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<T> {
  const token = await tokenFor(tenant.organizationId, { roles: [role] });
  const answer = await api.graphql(document, { token, variables });
  expect(answer.errors, answer.text).toBeUndefined();
  return answer.data as T;
}
