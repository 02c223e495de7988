import { expect } from 'vitest';
import { eventText } from '../../harness/batch.ts';
import { postEvents } from '../../harness/batch-client.ts';
import { eventually } from '../../harness/eventually.ts';
import type { Answer } from '../../harness/http.ts';
import type { IngestProcess } from '../../harness/ingest-process.ts';
import type { Tenant } from '../../harness/tenant.ts';
import type { Api } from '../harness/api-process.ts';
import { tokenFor } from '../harness/tokens.ts';

/** Changes keys over GraphQL, and sends events with them. */
export function sdkKeyActions({
  api,
  ingest,
}: {
  readonly api: () => Api;
  readonly ingest: () => IngestProcess;
}) {
  /** Returns the selected fields of the mutation, which must succeed. */
  async function mutate(
    tenant: Tenant,
    name: string,
    args: { readonly id?: string; readonly input?: Readonly<Record<string, unknown>> },
    shown: string,
    roles: readonly ('owner' | 'platform_admin')[] = ['owner'],
  ): Promise<Record<string, Key>> {
    const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input!`;
    const declared = [args.id && '$id: ID!', args.input && `$input: ${type}`].filter(Boolean);
    const passed = [args.id && 'id: $id', args.input && 'input: $input'].filter(Boolean);
    const document = `mutation (${declared.join()}) {
    ${name}(${passed.join()}) { ${shown} userErrors { code message } }
  }`;
    const token = await tokenFor(tenant.organizationId, { roles: [...roles] });
    const answer = await api().graphql(document, { token, variables: args });
    const payload = answer.data?.[name] as Record<string, Key> & { userErrors: unknown[] };
    expect(payload?.userErrors, answer.text).toEqual([]);
    return payload;
  }

  function sendEvent(
    writeKey: string,
    { origin, count = 1 }: { origin?: string; count?: number } = {},
  ): Promise<Answer> {
    const events = Array.from({ length: count }, () => eventText());
    const headers = origin === undefined ? {} : { origin };
    return postEvents(ingest(), writeKey, events, {}, { headers });
  }

  async function until(status: number, ...sent: Parameters<typeof sendEvent>): Promise<void> {
    await eventually(async () => expect((await sendEvent(...sent)).status).toBe(status));
  }

  async function createKey(tenant: Tenant, input: Record<string, unknown> = {}): Promise<Key> {
    const made = await mutate(tenant, 'sdkKeyCreate', { input: { name: 'Shop', ...input } }, KEY);
    return made.sdkKey!;
  }
  return { mutate, sendEvent, until, createKey };
}

export type Key = {
  readonly id: string;
  readonly writeKey: string;
  readonly [field: string]: unknown;
};

export const KEY = 'sdkKey { id writeKey isActive expiresAt lastUsedAt }';
