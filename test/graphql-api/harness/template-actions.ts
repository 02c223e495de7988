// Actions of operators and approvers on versions, without HTTP.

import { v7 as uuidv7 } from 'uuid';
import { recordChange } from '../../../graphql-api/platform/audit.ts';
import { type Action, runAction } from '../../../graphql-api/platform/run-action.ts';
import type { Role } from '../../../graphql-api/platform/viewer.ts';
import {
  applyVerdict,
  type Verdict,
  type VerdictOutcome,
} from '../../../graphql-api/templates/version.apply-verdict.ts';
import { templateVersionCreate } from '../../../graphql-api/templates/version.create.ts';
import type { TemplateScope } from '../../../graphql-api/templates/version.move.ts';
import { templateVersionSubmit } from '../../../graphql-api/templates/version.submit.ts';
import type { Tenant } from '../../harness/tenant.ts';
import { contextOf, type TestDeps } from './deps.ts';

export type TemplateActions = {
  readonly act: <I, O>(action: Action<I, O>, input: I, role?: Role) => Promise<O>;
  /** Runs work like the job that processes a webhook. */
  readonly asSystem: <T>(work: (scope: TemplateScope) => Promise<T>) => Promise<T>;
  readonly judge: (verdict: Verdict) => Promise<VerdictOutcome>;
  readonly draft: (templateId: string, body?: string) => Promise<string>;
  readonly submitted: (templateId: string) => Promise<{ id: string; submissionId: string }>;
  readonly approved: (templateId: string) => Promise<string>;
};

export function templateActions(deps: () => TestDeps, tenant: () => Tenant): TemplateActions {
  const act: TemplateActions['act'] = (action, input, role = 'owner') =>
    runAction(contextOf(deps(), tenant(), { roles: [role] }), action, input);
  const asSystem: TemplateActions['asSystem'] = work => {
    const { organizationId, workspaceId } = tenant();
    const viewer = { userId: 'approver', organizationId, workspaceId, roles: new Set<never>() };
    return deps().database.asSystem(em =>
      work({
        em,
        deps: deps(),
        actorId: 'approver',
        audit: change => recordChange({ em, viewer, deps: deps(), requestId: uuidv7() }, change),
      }),
    );
  };
  const judge: TemplateActions['judge'] = verdict =>
    asSystem(scope => applyVerdict(scope, verdict));
  const draft: TemplateActions['draft'] = async (id, body = 'Your order is on its way to you.') =>
    (await act(templateVersionCreate, { id, body })).id;
  const submitted: TemplateActions['submitted'] = async templateId =>
    act(templateVersionSubmit, { id: await draft(templateId) });
  return {
    act,
    asSystem,
    judge,
    draft,
    submitted,
    async approved(templateId) {
      const { id, submissionId } = await submitted(templateId);
      await judge({ submissionId, verdict: 'APPROVED' });
      return id;
    },
  };
}
