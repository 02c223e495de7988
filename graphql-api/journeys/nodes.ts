// The structure of a journey: a few kinds of nodes, each naming its successors. Cycles are not
// allowed, so that every enrolment ends.

import { z } from 'zod';
import { campaignSchema } from '../../schema/campaign/campaign.ts';
import { requiredText, text } from '../../schema/values/text.ts';
import { TEMPLATE_CHANNELS } from '../templates/content.ts';

/** More nodes could not be reviewed. A contact who waits nowhere passes all of them in one pass. */
const NODES_MAX = 50;
/** Each send node adds one pin row to a snapshot. */
const SEND_NODES_MAX = 20;
const NODE_ID_CHARACTERS_MAX = 64;
/** The same limit as for a template version. */
const LANGUAGE_CHARACTERS_MAX = 35;
/** One year. */
const WAIT_SECONDS_MAX = 365 * 24 * 60 * 60;
const WIDGET_SECONDS_MIN = 60;

const widget = campaignSchema.shape;
const nodeId = requiredText(NODE_ID_CHARACTERS_MAX);

const sendNode = z.strictObject({
  id: nodeId,
  kind: z.literal('send'),
  templateId: z.uuid(),
  channel: z.enum(TEMPLATE_CHANNELS),
  language: requiredText(LANGUAGE_CHARACTERS_MAX),
  /** The version to pin instead of the Active one, if it is sendable or still submitted. */
  versionId: z.uuid().optional(),
  /** Maps a variable to its trait, if the names differ. */
  variables: z.record(requiredText(NODE_ID_CHARACTERS_MAX), requiredText()).optional(),
  next: nodeId,
});

const widgetNode = z.strictObject({
  id: nodeId,
  kind: z.literal('widget'),
  name: text().default(''),
  type: widget.type,
  surfaces: widget.surfaces.default([]),
  content: widget.content,
  priority: widget.priority.default(0),
  consentPurpose: widget.consentPurpose.default('marketing'),
  isCapExempt: z.boolean().default(false),
  /** The time until the widget expires. */
  seconds: z.int().min(WIDGET_SECONDS_MIN).max(WAIT_SECONDS_MAX),
  /** The next node after a click, and the default for the other outcomes. */
  next: nodeId,
  onDismissed: nodeId.optional(),
  onExpired: nodeId.optional(),
});

const waitNode = z.strictObject({
  id: nodeId,
  kind: z.literal('wait'),
  seconds: z.int().min(1).max(WAIT_SECONDS_MAX),
  next: nodeId,
});

const endNode = z.strictObject({ id: nodeId, kind: z.literal('end') });

const node = z.discriminatedUnion('kind', [sendNode, widgetNode, waitNode, endNode]);
export type JourneyNode = z.output<typeof node>;
export type SendNode = z.output<typeof sendNode>;
export type WidgetNode = z.output<typeof widgetNode>;

/** The first node is the entry. */
export const nodesSchema = z
  .array(z.preprocess(withoutNulls, node))
  // By default Zod runs refinements even after a failed size check. faultOf requires a first node
  // and recurses over the edges, so both checks abort.
  .min(1, { abort: true })
  .max(NODES_MAX, { abort: true })
  .superRefine((nodes, context) => {
    const fault = faultOf(nodes);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  });

/** The distinct successors of a node. */
export function successorsOf(from: JourneyNode): string[] {
  if (from.kind === 'end') return [];
  if (from.kind !== 'widget') return [from.next];
  const ways = [from.next, from.onDismissed, from.onExpired];
  return [...new Set(ways.filter(way => way !== undefined))];
}

function faultOf(nodes: readonly JourneyNode[]): string | undefined {
  const byId = new Map(nodes.map(each => [each.id, each]));
  if (byId.size < nodes.length) return 'must not contain duplicate IDs.';
  if (nodes.filter(({ kind }) => kind === 'send').length > SEND_NODES_MAX)
    return `must have at most ${SEND_NODES_MAX} send nodes.`;
  for (const each of nodes) {
    const missing = successorsOf(each).find(id => !byId.has(id));
    if (missing !== undefined)
      return `must contain the node ${missing}, to which ${each.id} refers.`;
  }
  const onTheWay = new Set<string>();
  const done = new Set<string>();
  const isLoopFrom = (id: string): boolean => {
    if (onTheWay.has(id)) return true;
    if (done.has(id)) return false;
    onTheWay.add(id);
    const found = successorsOf(byId.get(id)!).some(isLoopFrom);
    onTheWay.delete(id);
    done.add(id);
    return found;
  };
  if (isLoopFrom(nodes[0]!.id)) return 'must not contain a cycle.';
  const lost = nodes.find(({ id }) => !done.has(id));
  return lost && `must contain a path from ${nodes[0]!.id} to ${lost.id}.`;
}

/** GraphQL passes null for omitted fields. */
function withoutNulls(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}
