// Reads the views that analysts read.

import { createClient } from '@clickhouse/client';
import { expect, inject } from 'vitest';
import { eventually } from './eventually.ts';

export type EventRow = {
  workspace_id: string;
  property_id: string;
  sdk_key_id: string;
  type: string;
  event: string;
  name: string;
  message_id: string;
  anonymous_id: string;
  user_id: string;
  session_id: string;
  timestamp: string;
  timestamp_text: string;
  sent_at: string;
  sent_at_text: string;
  received_at: string;
  corrected_at: string;
  properties: string;
  traits: string;
  context: string;
  extra: string;
  batch_context: string;
  batch_extra: string;
};

export type RejectedRow = {
  workspace_id: string;
  property_id: string;
  sdk_key_id: string;
  endpoint: string;
  code: string;
  message: string;
  message_id: string;
  batch_index: number;
  body: string;
  sent_at_text: string;
  batch_context: string;
  received_at: string;
};

let client: ReturnType<typeof createClient> | undefined;

export function warehouse() {
  client ??= createClient({
    url: inject('clickhouseUrl'),
    // Returns times as ISO 8601 text, to compare them with what was sent.
    clickhouse_settings: { date_time_output_format: 'iso' },
  });
  return client;
}

export async function rows<T>(
  query: string,
  parameters: Record<string, unknown> = {},
): Promise<T[]> {
  const result = await warehouse().query({
    query,
    query_params: parameters,
    format: 'JSONEachRow',
  });
  return result.json<T>();
}

export async function countEvents(workspaceId: string): Promise<number> {
  const [row] = await rows<{ found: string | number }>(
    'SELECT count() AS found FROM events WHERE workspace_id = {workspaceId:UUID}',
    { workspaceId },
  );
  return Number(row?.found);
}

/** Waits for `count` rejected events of a workspace and returns them by position. */
export async function rejectedEvents(workspaceId: string, count: number): Promise<RejectedRow[]> {
  return eventually(async () => {
    const found = await rows<RejectedRow>(
      `SELECT * FROM rejected_events WHERE workspace_id = {workspaceId:UUID}
       ORDER BY batch_index, code, body`,
      { workspaceId },
    );
    expect(found.length).toBe(count);
    return found;
  });
}
