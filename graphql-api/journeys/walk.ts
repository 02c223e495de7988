// Advances an enrolment in one pass: from its node through all nodes that require no waiting.

import type { JourneyNode, SendNode, WidgetNode } from './nodes.ts';

export type Position = {
  readonly nodeId: string;
  /** READY: the node is to be run. WAITING: it has run, and the enrolment waits. */
  readonly state: 'READY' | 'WAITING' | 'COMPLETED';
  /** When to look again; null if only a signal, or nothing, advances the enrolment. */
  readonly nextAtMs: number | null;
};

type Work = {
  /** Returns whether the message was sent. If not, the enrolment stays at the node for a while. */
  readonly send: (node: SendNode) => boolean;
  readonly showWidget: (node: WidgetNode, untilMs: number) => void;
};

type WidgetOutcome = 'CLICKED' | 'DISMISSED' | 'EXPIRED';

/**
 * An operator must fix a template without a sendable version, so retries are soon but not
 * immediate.
 */
export const HOLD_MS = 5 * 60_000;

/** The position must be due. Calls `work` for each action, in order. */
export function walk(
  nodes: ReadonlyMap<string, JourneyNode>,
  from: Position,
  nowMs: number,
  work: Work,
): Position {
  let node = nodeAt(nodes, from.nodeId);
  if (from.state === 'COMPLETED') return from;
  if (from.state === 'WAITING') node = nodeAt(nodes, nextOf(node, 'EXPIRED'));
  for (;;) {
    switch (node.kind) {
      case 'end':
        return { nodeId: node.id, state: 'COMPLETED', nextAtMs: null };
      case 'send':
        if (!work.send(node)) return { nodeId: node.id, state: 'READY', nextAtMs: nowMs + HOLD_MS };
        break;
      case 'wait':
        return { nodeId: node.id, state: 'WAITING', nextAtMs: nowMs + node.seconds * 1000 };
      case 'widget': {
        const untilMs = nowMs + node.seconds * 1000;
        work.showWidget(node, untilMs);
        return { nodeId: node.id, state: 'WAITING', nextAtMs: untilMs };
      }
    }
    node = nodeAt(nodes, node.next);
  }
}

/** Returns the successor of a node that an enrolment waits at. `outcome` applies to widgets. */
export function nextOf(node: JourneyNode, outcome: WidgetOutcome): string {
  if (node.kind === 'end') return node.id;
  if (node.kind !== 'widget' || outcome === 'CLICKED') return node.next;
  return (outcome === 'DISMISSED' ? node.onDismissed : node.onExpired) ?? node.next;
}

function nodeAt(nodes: ReadonlyMap<string, JourneyNode>, id: string): JourneyNode {
  const node = nodes.get(id);
  if (node === undefined) throw new Error(`the journey has no node ${id}`);
  return node;
}
