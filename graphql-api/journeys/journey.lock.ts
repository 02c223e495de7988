import { LockMode } from '@mikro-orm/postgresql';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { JourneyDefinition } from './definition.entity.ts';
import { Journey } from './journey.entity.ts';
import type { JourneyNode } from './nodes.ts';

/** Locks the workspace's journey: no contact enters or advances while it changes. */
export async function lockJourney({ em, viewer }: ActionScope, id: string): Promise<Journey> {
  const where = { id, workspaceId: workspaceOf(viewer) };
  const journey = await em.findOne(Journey, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  return (
    journey ?? reject('NOT_FOUND', { field: ['id'], message: 'No journey exists with this ID.' })
  );
}

export function requireJourneyVersion(journey: Journey, version: number): void {
  if (journey.version === version) return;
  reject('JOURNEY_CHANGED', { field: ['version'], facts: { version: journey.version } });
}

/** Returns the nodes for contacts who enter now. */
export async function currentNodes(
  { em }: Pick<ActionScope, 'em'>,
  journey: Pick<Journey, 'id' | 'definitionNumber'>,
): Promise<{ readonly definitionId: string; readonly nodes: readonly JourneyNode[] }> {
  const where = { journeyId: journey.id, number: journey.definitionNumber };
  const definition = await em.findOneOrFail(JourneyDefinition, where);
  return { definitionId: definition.id, nodes: definition.nodes as JourneyNode[] };
}

/** Sets the status, increases the version and writes the audit log. */
export async function changeJourneyStatus(
  { em, deps, audit }: ActionScope,
  journey: Journey,
  status: Journey['status'],
  action: `journey.${string}`,
): Promise<void> {
  const before = { status: journey.status };
  journey.status = status;
  journey.version += 1;
  journey.updatedAt = new Date(deps.clock.nowMs());
  await em.flush();
  await audit({
    action,
    subjectType: 'journey',
    subjectId: journey.id,
    before,
    after: { status },
  });
}
