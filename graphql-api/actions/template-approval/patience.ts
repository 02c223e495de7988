import type { EntityManager } from '@mikro-orm/postgresql';
import { ApprovalSettings } from '../../../schema/entities/approval-settings.ts';
import {
  DEFAULT_PATIENCE,
  type VerdictPatience,
} from '../../../schema/rules/templates/verdict-due.ts';

/** After how long without a verdict the operators of a workspace are told. */
export async function patienceOf(em: EntityManager, workspaceId: string): Promise<VerdictPatience> {
  return (await em.findOne(ApprovalSettings, { workspaceId })) ?? DEFAULT_PATIENCE;
}
