import type { TemplateVersion } from './version.entity.ts';
import type { TemplateScope } from './version.move.ts';

/** Applies `forceRollout` when the channel accepts the version: the pins of others are released. */
export async function becomeSendable(
  { em, deps, actorId, audit }: TemplateScope,
  version: TemplateVersion,
): Promise<void> {
  if (!version.forceRollout) return;
  const released = await deps.pinning.releasePins(em, {
    toVersionId: version.id,
    journeyId: null,
    releasedBy: actorId,
    cause: 'FORCE_ROLLOUT',
    at: new Date(deps.clock.nowMs()),
  });
  await audit({
    action: 'template.rollout_force',
    subjectType: 'template_version',
    subjectId: version.id,
    after: { scope: 'ALL', journeyId: null, released },
  });
}
