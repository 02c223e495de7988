// Why a journey wasn't started, with links to the fields of its form.

import type { Reason } from '../../../pieces/RefusalLinks.tsx';
import type { Refusal } from '../../../pieces/use-action.tsx';
import { faultPath } from '../journey-paths.ts';
import type { Journey, Step } from '../journey-query.ts';
import { inOrder } from '../steps/step-order.ts';
import { KINDS, titleOf, versionForEntry } from '../steps/step-words.ts';

/** By the field of a step. */
export const STEP_MESSAGES = {
  templateId: 'This template was archived. Choose another one.',
  activeVersion:
    'No version is active in this channel and language. Choose another one, or activate a version of the template.',
};

export function reasonsOf({ message, path = [], code }: Refusal, journey: Journey): Reason[] {
  if (path.includes('entrySegmentId')) {
    const isGone = code === 'NOT_FOUND';
    return [
      {
        message: isGone ? 'This segment was archived. Choose another one.' : message,
        link: { label: 'Entry', href: faultPath(journey.id, 'entrySegmentId', code) },
      },
    ];
  }
  const steps = inOrder(journey.nodes);
  const incomplete = code === 'JOURNEY_INCOMPLETE' ? steps.filter(isIncomplete) : [];
  if (incomplete.length === 0) return [{ message }];
  return incomplete.map(step => {
    const field = step.template?.archivedAt === null ? 'activeVersion' : 'templateId';
    return {
      message: STEP_MESSAGES[field],
      link: {
        label: `${steps.indexOf(step) + 1}. ${KINDS[step.kind].label}: ${titleOf(step)}`,
        href: faultPath(journey.id, field, step.id),
      },
    };
  });
}

function isIncomplete(step: Step): boolean {
  return step.kind === 'SEND' && versionForEntry(step) === undefined;
}
