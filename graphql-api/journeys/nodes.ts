// What a journey may consist of: a few kinds of nodes, each of which names the one after it, without a
// way back, so that everybody comes to an end.

import { z } from 'zod';
import { campaignSchema } from '../../schema/campaign/campaign.ts';
import { requiredText, text } from '../../schema/values/text.ts';
import { TEMPLATE_CHANNELS } from '../templates/content.ts';

/** More than anybody can look over; a person who waits for nothing passes all of them in one go. */
export const NODES_MAX = 50;
/** What a person is pinned to is one row each. */
export const SEND_NODES_MAX = 20;
const NODE_ID_CHARACTERS_MAX = 64;
/** As long as that of a version. */
const LANGUAGE_CHARACTERS_MAX = 35;
/** A year; longer ones are another journey. */
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
  /** The version to pin in place of the Active one, while it can be sent or may yet be approved. */
  versionId: z.uuid().optional(),
  /** From which trait a variable takes its value, where that has another name. */
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
  /** How long it waits for an answer. */
  seconds: z.int().min(WIDGET_SECONDS_MIN).max(WAIT_SECONDS_MAX),
  /** Where a click leads, and everything that has no way of its own. */
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

/** The first one is where everybody enters. */
export const nodesSchema = z
  .array(z.preprocess(withoutNulls, node))
  // Zod runs refinements after a size that is refused, unless told to stop: faultOf needs a first node, and
  // follows the ways by recursion.
  .min(1, { abort: true })
  .max(NODES_MAX, { abort: true })
  .superRefine((nodes, context) => {
    const fault = faultOf(nodes);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  });

/** Where one may go from there, each once. */
export function successorsOf(from: JourneyNode): string[] {
  if (from.kind === 'end') return [];
  if (from.kind !== 'widget') return [from.next];
  const ways = [from.next, from.onDismissed, from.onExpired];
  return [...new Set(ways.filter(way => way !== undefined))];
}

function faultOf(nodes: readonly JourneyNode[]): string | undefined {
  const byId = new Map(nodes.map(each => [each.id, each]));
  if (byId.size < nodes.length) return 'must not have the same id twice.';
  if (nodes.filter(({ kind }) => kind === 'send').length > SEND_NODES_MAX)
    return `must not have more than ${SEND_NODES_MAX} send nodes.`;
  for (const each of nodes) {
    const missing = successorsOf(each).find(id => !byId.has(id));
    if (missing !== undefined) return `must have the node ${missing}, to which ${each.id} leads.`;
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
  if (isLoopFrom(nodes[0]!.id)) return 'must not lead back to a node that was passed.';
  const lost = nodes.find(({ id }) => !done.has(id));
  return lost && `must have a way from ${nodes[0]!.id} to ${lost.id}.`;
}

/** GraphQL has null for what is left out. */
function withoutNulls(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}
