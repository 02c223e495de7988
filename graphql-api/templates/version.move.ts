import type { Change } from '../platform/audit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { TemplateTransition } from './transition.entity.ts';
import { nextState, type TemplateTrigger } from './transitions.ts';
import type { TemplateVersion } from './version.entity.ts';

/** The scope of a viewer's action, or of a job that applies a verdict. */
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
 * The only function that changes the state of a version. It checks the table of transitions and
 * writes the history and the audit log. Requires the template's lock.
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
  version.state = to;
  version.updatedAt = new Date(deps.clock.nowMs());
  // Flushed now, so that the previous Active version is superseded before the next one is
  // activated.
  await em.flush();
  await recordTransition(scope, version, {
    fromState: from,
    toState: to,
    cause: trigger,
    submissionId: SUBMISSIONS.includes(trigger) ? (version.submissionId ?? null) : null,
  });
  await scope.audit({
    action: `template_version.${trigger}`,
    subjectId: version.id,
    before: { state: from },
    after: { state: to, ...facts },
  });
}

type Transition = Pick<TemplateTransition, 'fromState' | 'toState' | 'cause' | 'submissionId'>;

export async function recordTransition(
  { em, deps, actorId }: Omit<TemplateScope, 'audit'>,
  { id: versionId, workspaceId }: Pick<TemplateVersion, 'id' | 'workspaceId'>,
  transition: Transition,
): Promise<void> {
  const createdAt = new Date(deps.clock.nowMs());
  const id = deps.newId();
  await em.insert(TemplateTransition, {
    ...transition,
    id,
    workspaceId,
    versionId,
    actorId,
    createdAt,
  });
}

export function refuseState({ state }: TemplateVersion, trigger: TemplateTrigger): never {
  return reject('TEMPLATE_VERSION_STATE', {
    field: ['id'],
    message: `The version is ${state}. ${REFUSALS[trigger]}`,
    facts: { state },
  });
}

const REFUSALS: Readonly<Record<TemplateTrigger, string>> = {
  submit: 'Only a Draft can be submitted.',
  cancel: 'Only a Submitted version can be canceled.',
  approve: 'Only a Submitted version can be approved.',
  reject: 'Only a Submitted version can be rejected.',
  activate: 'Only an Approved or Superseded version can be activated.',
  supersede: 'Only the Active version can be superseded.',
  discard: 'Only a Draft or a Rejected version can be discarded.',
  archive: 'It cannot be archived again.',
};
