// The documented operations, and a request with the examples of one.

import { expect } from 'vitest';
import { printedOpenApi } from '../../../graphql-api/app/rest.ts';
import { type Answer, send } from '../../harness/http.ts';
import { tokenFor } from '../harness/tokens.ts';

type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: { readonly example?: unknown };
};
type Example = { readonly example?: unknown };
export type Operation = {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': Example } };
  readonly responses: Readonly<Record<string, unknown>>;
};

const DOCUMENT = JSON.parse(printedOpenApi()) as {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>;
};
export const OPERATIONS: readonly Operation[] = Object.entries(DOCUMENT.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
);

/** The caller and its IDs. */
export type Scene = {
  readonly organizationId?: string;
  readonly role?: 'owner' | 'platform_admin';
  readonly ids?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: (body: string) => Record<string, string>;
};

export function operationOf(id: string): Operation {
  return OPERATIONS.find(({ operationId }) => operationId === id)!;
}

/** Sends the documented example of an operation. */
export async function sendExampleTo(
  baseUrl: string,
  operation: Operation,
  scene: Scene,
): Promise<Answer> {
  const { method, parameters = [], requestBody } = operation;
  const { organizationId, role = 'owner', ids = {}, query = {} } = scene;
  const url = new URL(
    baseUrl + operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name),
  );
  const headers: Record<string, string> = {};
  for (const { name, in: place, schema } of parameters) {
    if (schema.example === undefined || name === 'X-Workspace-ID') continue;
    if (place === 'query') url.searchParams.set(name, textOf(schema.example));
    if (place === 'header') headers[name] = textOf(schema.example);
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const example = requestBody?.content['application/json'].example;
  if (requestBody !== undefined) expect(example).toBeDefined();
  const body = example === undefined ? undefined : JSON.stringify(example);
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (organizationId !== undefined) headers.authorization = await bearer(organizationId, role);
  return send(url.href, {
    method: method.toUpperCase(),
    headers: { ...headers, ...scene.headers?.(body ?? '') },
    ...(body !== undefined && { body }),
  });
}

async function bearer(organizationId: string, role: 'owner' | 'platform_admin'): Promise<string> {
  const ttlSeconds = 20 * 365 * 24 * 60 * 60;
  return `Bearer ${await tokenFor(organizationId, { roles: [role], ttlSeconds })}`;
}

/** The example as it is written in a URL or a header. */
function textOf(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example);
}
