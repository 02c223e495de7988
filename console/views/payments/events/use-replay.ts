import { confirm } from '../../../pieces/confirm.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { type ListedEvent, REPLAY_EVENTS } from './events-query.ts';

/** Replays an event after a confirmation, because its effects can move money. */
export function useReplay({ id, type }: Pick<ListedEvent, 'id' | 'type'>) {
  const { run, isRunning } = useAction(REPLAY_EVENTS, { done: 'It is tried again.' });
  const replay = () =>
    confirm({
      title: 'Try the event again',
      confirm: 'Try it again',
      children: `${type} takes effect as if it came now: payments and wallets may change, and webhooks go out. What took effect before is not done twice.`,
      onConfirm: () => void run({ ids: [id] }),
    });
  return { replay, isRunning };
}
