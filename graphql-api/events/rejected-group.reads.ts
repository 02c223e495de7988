// Counts rejected events by code, endpoint, event name, SDK key and SDK version, so that events with
// the same cause are shown and replayed together.

import type { Context } from '../platform/context.ts';
import { ask } from '../platform/warehouse/ask.ts';
import { requireText } from '../platform/warehouse/event-filter.ts';
import {
  LIST_DAYS_MAX,
  type ReportRange,
  requireRange,
  within,
} from '../platform/warehouse/report-range.ts';

export type RejectedGroup = {
  readonly key: string;
  readonly code: string;
  readonly endpoint: string;
  readonly event: string;
  readonly sdkKeyId: string;
  readonly sdk: string;
  readonly count: number;
  readonly firstSeenAtMs: number;
  readonly lastSeenAtMs: number;
  readonly messages: readonly string[];
};

export const GROUPS_MAX = 100;
/** Enough to recognize the causes. */
export const MESSAGES_MAX = 3;
/** The most frequent messages of the rows. Approximate, so that it takes little memory. */
export const MESSAGES = `topK(${MESSAGES_MAX})(message)`;

/** Empty if the field is missing. A body can be anything, also invalid JSON. */
const field = (...path: readonly string[]) =>
  `JSONExtractString(body, ${path.map(name => `'${name}'`).join()})`;
const NAMES = ['event', 'name', 'campaign_id', 'type', 'event_type', 'response_type'];
/** The first that is not empty. Each field read parses the body again, so the rest is read only if needed. */
const EVENT = NAMES.map(name => field(name)).reduceRight(
  (rest, text) => `if(${text} != '', ${text}, ${rest})`,
);
const LIBRARY = ['name', 'version'].map(name => field('context', 'library', name));
const SDK = `arrayStringConcat(arrayFilter(text -> text != '', [${LIBRARY.join()}]), ' ')`;
const KEY = `hex(sipHash128(endpoint, ${EVENT}, toString(sdk_key_id), ${SDK}))`;

/** A condition: the row belongs to the group with the key {group}. */
export const IN_GROUP = `${KEY} = {group:String}`;

export async function rejectedGroups(
  context: Context,
  { range, code }: { readonly range: ReportRange; readonly code?: string | null | undefined },
): Promise<readonly RejectedGroup[]> {
  requireText(code);
  return ask<RejectedGroup>(
    context,
    `SELECT any(${KEY}) AS key, code, endpoint, ${EVENT} AS event, sdk_key_id, ${SDK} AS sdk,
            count() AS count, toUnixTimestamp64Milli(min(received_at)) AS first_seen_at_ms,
            toUnixTimestamp64Milli(max(received_at)) AS last_seen_at_ms, ${MESSAGES} AS messages
     FROM rejected_events
     WHERE workspace_id = {workspaceId:UUID} AND ${within('received_at')}
       ${code == null ? '' : 'AND code = {code:String}'}
     GROUP BY code, endpoint, event, sdk_key_id, sdk
     ORDER BY count DESC, code, event, key LIMIT ${GROUPS_MAX}`,
    { ...requireRange(range, LIST_DAYS_MAX), code },
  );
}
