import { confirm } from '../../../pieces/confirm.tsx';
import type { Refusal } from '../../../pieces/use-action.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { peopleOf } from '../people-of.ts';
import { ACTIVATE, FORCE, SUBMIT } from '../version-mutations.ts';
import type { RolloutFormProps } from './RolloutForm.tsx';

/** Whether people in flight keep what they hold, or get the version at their next send. */
export type Policy = 'keep' | 'move';

type RolloutChoice = RolloutFormProps & {
  readonly policy: Policy;
  /** The journey in which people are moved; null for all journeys. */
  readonly journeyId: string | null;
};

type RolloutRun = {
  /** Asks once more where people would be moved. */
  readonly run: () => void;
  readonly isRunning: boolean;
  readonly refusals: readonly Refusal[];
};

export function useRollout(choice: RolloutChoice): RolloutRun {
  const { version, deed, impact, policy, onClose } = choice;
  const { id, number } = version;
  const shown = { isFormShowing: true };
  const submit = useAction(SUBMIT, { ...shown, done: `Version ${number} was submitted.` });
  const activate = useAction(ACTIVATE, { ...shown, done: `Version ${number} is active.` });
  const force = useAction(FORCE, {
    ...shown,
    done: 'Everyone receives this version at their next send.',
  });
  const isForced = policy === 'move';
  const submitIt = () => {
    const { revision: expectedRevision, forceRollout } = version;
    const isEdited = forceRollout !== isForced;
    const edit = { expectedRevision, forceRollout: isForced };
    // The submitted draft is the reviewed one, apart from this edit.
    const revision = isEdited ? expectedRevision + 1 : expectedRevision;
    return submit.run({ id, isEdited, edit, submit: { expectedRevision: revision } });
  };
  const deeds = {
    submit: submitIt,
    activate: () => activate.run({ id, isForced }),
    force: () => force.run({ id, input: { journeyId: choice.journeyId } }),
  };
  const act = async () => {
    if (await deeds[deed]()) onClose();
  };
  const run = () => {
    if (!isForced || impact.inFlightCount === 0) return void act();
    confirm({
      title: `Move ${peopleOf(impact.inFlightCount).toLowerCase()}`,
      confirm: 'Move people',
      isDangerous: true,
      children: `They receive version ${number} at their next send instead of their pinned version. Messages that are already sent can’t be undone.`,
      onConfirm: () => void act(),
    });
  };
  const all = [submit, activate, force];
  return {
    run,
    isRunning: all.some(({ isRunning }) => isRunning),
    refusals: all.flatMap(({ refusals }) => refusals),
  };
}
