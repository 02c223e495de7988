import { describe, expect, test } from 'vitest';
import { type JourneyNode, nodesSchema } from '../../../graphql-api/journeys/nodes.ts';
import { HOLD_MS, nextOf, type Position, walk } from '../../../graphql-api/journeys/walk.ts';

const TEMPLATE_ID = '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10';
const send = (id: string, next: string) =>
  ({ id, kind: 'send', templateId: TEMPLATE_ID, channel: 'sms', language: 'en', next }) as const;
const wait = (id: string, next: string) => ({ id, kind: 'wait', seconds: 60, next }) as const;
const widget = (id: string, ways: { next: string; onDismissed?: string; onExpired?: string }) =>
  ({ id, kind: 'widget', type: 'modal', content: {}, seconds: 60, ...ways }) as const;
const end = { id: 'end', kind: 'end' } as const;

function faults(nodes: readonly unknown[]): readonly string[] {
  return nodesSchema.safeParse(nodes).error?.issues.map(({ message }) => message) ?? [];
}

describe('the nodes of a journey', () => {
  test('may branch and meet again', () => {
    const ways = { next: 'a', onDismissed: 'b', onExpired: 'end' };
    expect(faults([widget('w', ways), send('a', 'end'), send('b', 'end'), end])).toEqual([]);
  });

  test('are at least one and at most 50', () => {
    expect(faults([])).toEqual([expect.stringContaining('>=1')]);
    const chain = Array.from({ length: 20_000 }, (_, index) => wait(`${index}`, `${index + 1}`));
    expect(faults([...chain, { id: '20000', kind: 'end' }])).toEqual([
      expect.stringContaining('<=50'),
    ]);
  });

  test('lead only to existing nodes', () => {
    expect(faults([send('a', 'b')])).toEqual(['must contain the node b, to which a refers.']);
  });

  test('contain no cycle', () => {
    const message = 'must not contain a cycle.';
    expect(faults([send('a', 'b'), wait('b', 'a')])).toEqual([message]);
  });

  test('are all reachable', () => {
    expect(faults([send('a', 'end'), wait('b', 'end'), end])).toEqual([
      'must contain a path from a to b.',
    ]);
  });

  test('have unique IDs', () => {
    expect(faults([wait('a', 'end'), wait('a', 'end'), end])).toEqual([
      'must not contain duplicate IDs.',
    ]);
  });

  test('are at most 50, including at most 20 send nodes', () => {
    const chain = (make: (id: string, next: string) => unknown, count: number) => [
      ...Array.from({ length: count }, (_, at) =>
        make(`n${at}`, at + 1 < count ? `n${at + 1}` : 'end'),
      ),
      end,
    ];
    expect(faults(chain(wait, 49))).toEqual([]);
    expect(faults(chain(wait, 50))).toHaveLength(1);
    expect(faults(chain(send, 20))).toEqual([]);
    expect(faults(chain(send, 21))).toEqual(['must have at most 20 send nodes.']);
  });
});

describe('a walk', () => {
  const nodes = nodesSchema.parse([
    send('s1', 's2'),
    send('s2', 'wait'),
    wait('wait', 'widget'),
    widget('widget', { next: 'end', onExpired: 's3' }),
    send('s3', 'end'),
    end,
  ]);
  const byId = new Map<string, JourneyNode>(nodes.map(node => [node.id, node]));
  const go = (from: Omit<Position, 'nextAtMs'>, refused: readonly string[] = []) => {
    const done: string[] = [];
    const to = walk(byId, { ...from, nextAtMs: 0 }, 1000, {
      send: ({ id }) => {
        if (refused.includes(id)) return false;
        done.push(id);
        return true;
      },
      showWidget: ({ id }, untilMs) => done.push(`${id} until ${untilMs}`),
    });
    return { done, to };
  };

  test('passes all nodes without a wait, and stops at the first one with a wait', () => {
    expect(go({ nodeId: 's1', state: 'READY' })).toEqual({
      done: ['s1', 's2'],
      to: { nodeId: 'wait', state: 'WAITING', nextAtMs: 61_000 },
    });
  });

  test('continues after the wait', () => {
    expect(go({ nodeId: 'wait', state: 'WAITING' })).toEqual({
      done: ['widget until 61000'],
      to: { nodeId: 'widget', state: 'WAITING', nextAtMs: 61_000 },
    });
  });

  test('takes the path for an expired widget', () => {
    expect(go({ nodeId: 'widget', state: 'WAITING' })).toEqual({
      done: ['s3'],
      to: { nodeId: 'end', state: 'COMPLETED', nextAtMs: null },
    });
  });

  test('stays at a node without a sendable version, after the earlier sends', () => {
    expect(go({ nodeId: 's1', state: 'READY' }, ['s2'])).toEqual({
      done: ['s1'],
      to: { nodeId: 's2', state: 'READY', nextAtMs: 1000 + HOLD_MS },
    });
  });

  test('outcomes of a widget without their own path lead to the next node', () => {
    const node = byId.get('widget')!;
    expect(nextOf(node, 'CLICKED')).toBe('end');
    expect(nextOf(node, 'DISMISSED')).toBe('end');
    expect(nextOf(node, 'EXPIRED')).toBe('s3');
  });
});
