import type { Change } from '../platform/audit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { TemplateTransition } from './transition.entity.ts';
import { nextState, type TemplateTrigger } from './transitions.ts';
import type { TemplateVersion } from './version.entity.ts';

/** Of a viewer's action, or of a job that applies what an approver said. */
export type TemplateScope = {
  readonly em: ActionScope['em'];
  readonly deps: Pick<ActionScope['deps'], 'clock' | 'newId' | 'pinning'>;
  readonly actorId: string;
  readonly audit: (change: Change) => Promise<void>;
};

export function templateScope({ em, deps, viewer, audit }: ActionScope): TemplateScope {
  return { em, deps, actorId: viewer.userId, audit };
}

const SUBMISSIONS: readonly TemplateTrigger[] = ['submit', 'cancel', 'approve', 'reject'];

/**
 * The one place where a version's state changes: by the table of transitions, written down in the
 * history and the audit log. Under the lock of its template.
 */
export async function moveVersion(
  scope: TemplateScope,
  version: TemplateVersion,
  trigger: TemplateTrigger,
  facts: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { em, deps } = scope;
  const from = version.state;
  const to = nextState(from, trigger) ?? refuseState(version, trigger);
  const now = new Date(deps.clock.nowMs());
  version.state = to;
  version.updatedAt = now;
  // At once, so that the one Active version has left before another comes.
  await em.flush();
  await em.insert(TemplateTransition, {
    id: deps.newId(),
    workspaceId: version.workspaceId,
    versionId: version.id,
    fromState: from,
    toState: to,
    cause: trigger,
    actorId: scope.actorId,
    submissionId: SUBMISSIONS.includes(trigger) ? (version.submissionId ?? null) : null,
    createdAt: now,
  });
  await scope.audit({
    action: `template_version.${trigger}`,
    subjectType: 'template_version',
    subjectId: version.id,
    before: { state: from },
    after: { state: to, ...facts },
  });
}

export function refuseState({ state }: TemplateVersion, trigger: TemplateTrigger): never {
  return reject('TEMPLATE_VERSION_STATE', {
    field: ['id'],
    message: `The version is ${state}; ${REFUSALS[trigger]}`,
    facts: { state },
  });
}

const REFUSALS: Readonly<Record<TemplateTrigger, string>> = {
  submit: 'only a Draft is submitted.',
  cancel: 'only what is Submitted is taken back.',
  approve: 'only what is Submitted is approved.',
  reject: 'only what is Submitted is rejected.',
  activate: 'only an Approved or a Superseded one becomes Active.',
  supersede: 'only the Active one is superseded.',
  discard: 'only a Draft or a Rejected one is discarded.',
  archive: 'it was archived before.',
};
