import { confirm } from '../../../pieces/confirm.tsx';
import type { Reason } from '../../../pieces/RefusalLinks.tsx';
import { type Refusal, useAction } from '../../../pieces/use-action.tsx';
import type { Journey } from '../journey-query.ts';
import { peopleInWords } from '../journey-words.ts';
import { ACTIVATE, ARCHIVE, MESSAGES, PAUSE } from './journey-mutations.ts';
import { reasonsOf } from './start-refusals.ts';

type Start = {
  readonly ask: () => void;
  readonly refusals: readonly Refusal[];
  readonly reasons: readonly Reason[];
};

/** What a change of the status returns, which is shown before the journey is refetched. */
export type Changed = Pick<Journey, 'status' | 'version' | 'updatedAt'>;
type OnChanged = (changed: Changed | null | undefined) => void;

/** Starts a draft, or resumes a paused journey. */
export function useStart(journey: Journey, onChanged: OnChanged): Start {
  const { id, name, status, version, inFlightCount, entrySegment } = journey;
  const isNew = status === 'DRAFT';
  const { run, refusals } = useAction(ACTIVATE, {
    done: `“${name}” was ${isNew ? 'started' : 'resumed'}.`,
    isFormShowing: true,
    messages: MESSAGES,
    changes: ['Journey'],
  });
  const inside =
    inFlightCount > 0 &&
    `${peopleInWords(inFlightCount)} in the journey ${inFlightCount === 1 ? 'continues' : 'continue'} from the current step. Waits that ended in the meantime are over.`;
  const entry =
    entrySegment === null
      ? 'People enter only when you enrol them.'
      : `From now on, new members of the segment “${entrySegment.name}” enter. Current members don’t.`;
  const ask = () =>
    confirm({
      title: `${isNew ? 'Start' : 'Resume'} “${name}”`,
      confirm: isNew ? 'Start the journey' : 'Resume the journey',
      children: [inside, entry].filter(Boolean).join(' '),
      onConfirm: () =>
        void run({ id, input: { version } }).then(data =>
          onChanged(data?.journeyActivate?.journey),
        ),
    });
  return { ask, refusals, reasons: refusals.flatMap(refusal => reasonsOf(refusal, journey)) };
}

export function usePause({ id, name, inFlightCount }: Journey, onChanged: OnChanged): () => void {
  const { run } = useAction(PAUSE, { done: `“${name}” was paused.`, messages: MESSAGES });
  return () =>
    confirm({
      title: `Pause “${name}”`,
      confirm: 'Pause the journey',
      children: `Until you resume it, no one enters and nothing is sent. ${
        inFlightCount === 0
          ? 'No one is in the journey now.'
          : `${peopleInWords(inFlightCount)} in the journey ${inFlightCount === 1 ? 'stays' : 'stay'} at their current step. Waits keep counting down, and those that end meanwhile are over when you resume.`
      }`,
      onConfirm: () => void run({ id }).then(data => onChanged(data?.journeyPause?.journey)),
    });
}

export function useArchive({ id, name, inFlightCount }: Journey, onChanged: OnChanged): () => void {
  const { run } = useAction(ARCHIVE, { done: `“${name}” was archived.` });
  return () =>
    confirm({
      title: `Archive “${name}”`,
      confirm: 'Archive the journey',
      isDangerous: true,
      children: `${
        inFlightCount === 0
          ? 'No one is in the journey now.'
          : `${peopleInWords(inFlightCount)} in the journey ${inFlightCount === 1 ? 'leaves' : 'leave'} it within about a minute, and ${inFlightCount === 1 ? 'receives' : 'receive'} nothing more from it.`
      } This can’t be undone.`,
      onConfirm: () => void run({ id }).then(data => onChanged(data?.journeyArchive?.journey)),
    });
}
