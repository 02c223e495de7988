import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { type EventRow, rows } from '../harness/warehouse.ts';
import type { Kind } from './published-clients.ts';

type Call = {
  readonly event?: string;
  readonly name?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly traits?: Readonly<Record<string, unknown>>;
  readonly groupId?: string;
  readonly previousId?: string;
};

export const CALLS_PATH = join(import.meta.dirname, 'calls.json');
export const CALLS = JSON.parse(readFileSync(CALLS_PATH, 'utf8')) as Readonly<
  Record<Kind, Call>
> & { readonly userId: string };

/**
 * Expects one row per call in the workspace, with the values that were passed, and no other rows.
 */
export async function expectCalls(workspaceId: string, kinds: readonly Kind[]): Promise<void> {
  const found = await eventually(async () => {
    const all = await rows<EventRow>(
      'SELECT * FROM events WHERE workspace_id = {workspaceId:UUID}',
      { workspaceId },
    );
    expect(all.map(({ type }) => type).toSorted()).toEqual([...kinds].toSorted());
    return all;
  });
  for (const row of found) expectCall(row, CALLS[row.type as Kind]);
}

function expectCall(row: EventRow, call: Call): void {
  const { event = '', name = '', properties, traits, groupId, previousId } = call;
  expect({ event: row.event, name: row.name, user_id: row.user_id }, row.type).toEqual({
    event,
    name,
    user_id: CALLS.userId,
  });
  expect(row.message_id).not.toBe('');
  expect(row.anonymous_id).not.toBe('');
  expect(row.session_id).not.toBe('');
  const extra = JSON.parse(row.extra || '{}') as Record<string, unknown>;
  if (properties !== undefined) expect(JSON.parse(row.properties)).toMatchObject(properties);
  if (traits !== undefined) expect(JSON.parse(row.traits)).toMatchObject(traits);
  if (groupId !== undefined) expect(extra).toMatchObject({ groupId });
  if (previousId !== undefined) expect(extra).toMatchObject({ previousId });
}
