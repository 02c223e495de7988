// The steps as the API takes them.

import {
  type DraftStep,
  type JourneyDraft,
  NEXT,
  resolved,
  SAME,
  secondsOf,
} from './journey-draft.ts';
import type { StepInput } from './journey-mutations.ts';

/** Only for a draft without faults. */
export function stepInputsOf({ steps, endId }: JourneyDraft): StepInput[] {
  const inputs = steps.map((step, at) => {
    const to = (target: string) => resolved(steps, at, target) ?? endId;
    return { id: step.id, kind: step.kind, next: to(step.next), ...fieldsOf(step, to) };
  });
  return [...inputs, { id: endId, kind: 'END' }];
}

function fieldsOf(step: DraftStep, to: (target: string) => string): Partial<StepInput> {
  switch (step.kind) {
    case 'SEND': {
      const { templateId, channel, language, versionId } = step;
      const renamed = Object.entries(step.variables).filter(
        ([variable, trait]) => trait.trim() !== '' && trait !== variable,
      );
      return {
        templateId,
        channel,
        language,
        ...(versionId !== '' && { versionId }),
        ...(renamed.length > 0 && { variables: Object.fromEntries(renamed) }),
      };
    }
    case 'WAIT':
      return { seconds: secondsOf(step.duration) };
    case 'WIDGET': {
      const { type, content, duration, onDismissed, onExpired, settings } = step;
      return {
        type,
        content,
        seconds: secondsOf(duration),
        ...(onDismissed !== SAME && { onDismissed: to(onDismissed) }),
        ...(onExpired !== SAME && { onExpired: to(onExpired) }),
        ...(settings && {
          ...settings,
          surfaces: [...settings.surfaces],
          priority: settings.priority === '' ? 0 : settings.priority,
        }),
      };
    }
  }
}

/** Whether saving must replace the steps: without it, stored widgets keep their settings. */
export function isChanged(draft: JourneyDraft, opened: JourneyDraft): boolean {
  return JSON.stringify(stepInputsOf(draft)) !== JSON.stringify(stepInputsOf(opened));
}

/** A later step, or the end; a widget that closes can also continue as after a click. */
export function isLater(steps: readonly DraftStep[], at: number, target: string): boolean {
  const to = resolved(steps, at, target);
  return to === undefined || target === NEXT || steps.findIndex(({ id }) => id === to) > at;
}
