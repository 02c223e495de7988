import type { EntityManager } from '@mikro-orm/postgresql';
import { DEFAULT_PATIENCE, type VerdictPatience } from '../verdict-due.ts';
import { ApprovalSettings } from './approval-settings.entity.ts';

/** Returns the alert deadlines of a workspace. */
export async function patienceOf(em: EntityManager, workspaceId: string): Promise<VerdictPatience> {
  return (await em.findOne(ApprovalSettings, { workspaceId })) ?? DEFAULT_PATIENCE;
}
