import { Button, Text } from '@mantine/core';
import { IconRefresh, IconTrash } from '@tabler/icons-react';
import { confirm } from '../../../pieces/confirm.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { useAction } from '../../../pieces/use-action.tsx';
import { CHOSEN_MAX, DISCARD, RETRY } from './rows-query.ts';

type RowActionsProps = { readonly ids: readonly string[]; readonly onDone: () => void };

const OPTIONS = {
  changes: ['OutboxRow'],
  messages: {
    NOT_FOUND:
      'Some of these rows were sent or discarded in the meantime, so none were changed now.',
  },
};

/** Sends rows again, or deletes them. */
export function RowActions({ ids, onDone }: RowActionsProps) {
  const retry = useAction(RETRY, {
    ...OPTIONS,
    done: 'Queued. Rows that are rejected again reappear here.',
  });
  const discard = useAction(DISCARD, { ...OPTIONS, done: 'Discarded.' });
  if (ids.length > CHOSEN_MAX) return <Text size="sm">Select at most {inCount(CHOSEN_MAX)}.</Text>;
  const run = async (action: typeof retry | typeof discard) => {
    if (await action.run({ ids: [...ids] })) onDone();
  };
  const askToDiscard = () =>
    confirm({
      title: ids.length === 1 ? 'Discard the row' : `Discard ${inCount(ids.length)} rows`,
      confirm: 'Discard',
      isDangerous: true,
      children:
        'They are deleted without being stored in the warehouse, so reports never include them. This can’t be undone.',
      onConfirm: () => void run(discard),
    });
  return (
    <>
      <Button
        size="xs"
        leftSection={<IconRefresh size={16} />}
        loading={retry.isRunning}
        onClick={() => void run(retry)}
      >
        Retry
      </Button>
      <Button
        size="xs"
        variant="default"
        c="var(--mantine-color-error)"
        leftSection={<IconTrash size={16} />}
        loading={discard.isRunning}
        onClick={askToDiscard}
      >
        Discard
      </Button>
    </>
  );
}
