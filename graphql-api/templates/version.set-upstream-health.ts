import { isApprovedState, type UpstreamHealth } from './transitions.ts';
import { findLocked } from './version.lock.ts';
import type { TemplateScope } from './version.move.ts';

type HealthReport = {
  readonly versionId: string;
  readonly health: UpstreamHealth;
  /** When a pause ends on its own. */
  readonly until?: Date | null;
};

/**
 * Stores the health that a channel reports for a version it approved earlier. The state does not
 * change: a paused Active version stays Active but is not sent. Returns false if nothing changed or
 * the version is not sendable.
 */
export async function setUpstreamHealth(
  scope: TemplateScope,
  { versionId, health, until }: HealthReport,
): Promise<boolean> {
  const { em, deps, audit } = scope;
  const locked = await findLocked(scope, versionId);
  if (locked === undefined || !isApprovedState(locked.version.state)) return false;
  const { version } = locked;
  const healthUntil = health === 'PAUSED' ? (until ?? null) : null;
  const isKnown =
    version.upstreamHealth === health &&
    (version.healthUntil?.getTime() ?? null) === (healthUntil?.getTime() ?? null);
  if (isKnown) return false;
  const before = { upstreamHealth: version.upstreamHealth };
  version.upstreamHealth = health;
  version.healthUntil = healthUntil;
  version.updatedAt = new Date(deps.clock.nowMs());
  await em.flush();
  await audit({
    action: 'template_version.health',
    subjectId: versionId,
    before,
    after: { upstreamHealth: health, healthUntil: healthUntil?.toISOString() ?? null },
  });
  return true;
}
