// How far a person gets in one go: from where they are, through all nodes that hold nobody up.

import type { JourneyNode, SendNode, WidgetNode } from './nodes.ts';

export type Position = {
  readonly nodeId: string;
  /** READY: the node's work is to be done. WAITING: it is done, and something is waited for. */
  readonly state: 'READY' | 'WAITING' | 'COMPLETED';
  /** When to look again; null while only a signal, or nothing, lets the person go on. */
  readonly nextAtMs: number | null;
};

export type Work = {
  /** Whether it was sent; if not, the person stays there for a while. */
  readonly send: (node: SendNode) => boolean;
  readonly showWidget: (node: WidgetNode, untilMs: number) => void;
};

export type WidgetOutcome = 'CLICKED' | 'DISMISSED' | 'EXPIRED';

/** A template without anything that could be sent is an operator's to mend: soon, but not at once. */
export const HOLD_MS = 5 * 60_000;

/** The position must be due; `work` is told what there is to do, in its order. */
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

/** Where a person goes who waits there; `outcome` is what became of a widget. */
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
