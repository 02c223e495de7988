// Advances the due enrolments of a journey as far as possible, with all their sends and widgets, in
// one transaction. If the process dies, the transaction has no effect.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../../platform/context.ts';
import type { SendNode, WidgetNode } from '../nodes.ts';
import { type Position, walk } from '../walk.ts';
import { type Choice, chooseVersion, type Values } from './choose-version.ts';
import { type DuePerson, loadDue } from './load-due.ts';
import { loadPins } from './load-pins.ts';
import { loadTraits } from './load-traits.ts';
import { writePositions, writeWidgets } from './write-positions.ts';
import { AUDIT_ONLY, type Sender, writeSends } from './write-sends.ts';

/**
 * Large enough to amortize the statements, small enough to finish within a fraction of a second.
 */
export const PEOPLE_MAX = 1_000;

export type Send = {
  readonly person: DuePerson;
  readonly node: SendNode;
  readonly choice: Choice;
  readonly traits: Values;
};

export type Widget = {
  readonly person: DuePerson;
  readonly node: WidgetNode;
  readonly untilMs: number;
};

type Advanced = {
  readonly people: number;
  readonly sends: number;
};

type AdvanceDeps = Pick<AppDeps, 'clock' | 'newId' | 'database'>;

export async function advanceJourney(
  deps: AdvanceDeps,
  journeyId: string,
  sender: Sender = AUDIT_ONLY,
): Promise<Advanced> {
  return deps.database.asSystem(em => advanceIn(em, deps, journeyId, sender));
}

async function advanceIn(
  em: EntityManager,
  deps: AdvanceDeps,
  journeyId: string,
  sender: Sender,
): Promise<Advanced> {
  const nowMs = deps.clock.nowMs();
  const people = await loadDue(em, journeyId, new Date(nowMs), PEOPLE_MAX);
  if (people.length === 0) return { people: 0, sends: 0 };
  const pins = await loadPins(em, people);
  const traits = await loadTraits(em, people, pins);
  const sends: Send[] = [];
  const widgets: Widget[] = [];
  const positions = people.map(person => {
    const known = traits.get(person.contactId) ?? {};
    const from: Position = { nodeId: person.nodeId, state: person.state, nextAtMs: nowMs };
    return walk(pins.nodes.get(person.definitionId)!, from, nowMs, {
      send(node) {
        const choice = chooseVersion(pins, person, node, known, nowMs);
        sends.push({ person, node, choice, traits: known });
        return choice.kind !== 'hold';
      },
      showWidget: (node, untilMs) => widgets.push({ person, node, untilMs }),
    });
  });
  const sent = await writeSends(em, deps, sends, sender);
  await writeWidgets(em, widgets, nowMs);
  await writePositions(em, people, positions, nowMs);
  return { people: people.length, sends: sent };
}
