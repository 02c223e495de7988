import { Button, Stack } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { CodeBlock } from '../../../pieces/CodeBlock.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { inJson } from '../../../pieces/JsonField.tsx';
import { When } from '../../../pieces/When.tsx';
import type { DeadLetter } from './dead-letters-query.ts';
import { useRetry } from './use-retry.ts';

type OpenedLetterProps = {
  readonly letter: DeadLetter | undefined;
  readonly onClose: () => void;
};

/** The input of a failed job and its whole error. */
export function OpenedLetter({ letter, onClose }: OpenedLetterProps) {
  const { retry, isRunning } = useRetry();
  const run = async (id: string) => {
    if (await retry({ ids: [id] })) onClose();
  };
  return (
    <Dialog opened={letter !== undefined} onClose={onClose} size="lg" title={letter?.job}>
      {letter && (
        <Stack>
          <Facts
            facts={[
              ['Requested', <When key="asked" at={letter.askedAt} />],
              ['Failed', <When key="died" at={letter.diedAt} />],
              ['Attempts', inCount(letter.attempts)],
            ]}
          />
          <CodeBlock label="Error" code={letter.error} />
          {letter.data !== null && <CodeBlock label="Input" code={inJson(letter.data)} />}
          <Button
            leftSection={<IconRefresh size={17} />}
            loading={isRunning}
            onClick={() => void run(letter.id)}
          >
            Retry
          </Button>
        </Stack>
      )}
    </Dialog>
  );
}
