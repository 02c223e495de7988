import { confirm } from '../../../pieces/confirm.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import type { Journey } from '../journey-query.ts';
import { EXIT, type Person } from './people-query.ts';
import { nameOf } from './person-words.ts';

/** Asks before it removes the person from the journey. */
export function useRemovePerson(journey: Journey, person: Person, onDone?: () => void) {
  const name = nameOf(person);
  const { run, isRunning } = useAction(EXIT, { done: `${name} was removed from the journey.` });
  const remove = async () => {
    if (await run({ id: person.id })) onDone?.();
  };
  const ask = () =>
    confirm({
      title: `Remove ${name} from “${journey.name}”`,
      confirm: 'Remove from the journey',
      isDangerous: true,
      children:
        'They leave the journey immediately and receive nothing more from it. No one else is affected. If they are enrolled again, they start at the first step.',
      onConfirm: () => void remove(),
    });
  return { ask, isRunning };
}
