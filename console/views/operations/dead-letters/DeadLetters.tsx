import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconMailOff, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { BulkBar } from '../../../pieces/BulkBar.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { confirm } from '../../../pieces/confirm.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { useChosen } from '../../../pieces/use-chosen.tsx';
import { useQueueKeys } from '../../../pieces/use-queue-keys.ts';
import { useRepeat } from '../../../pieces/use-repeat.ts';
import { When } from '../../../pieces/When.tsx';
import { DEAD_LETTERS, type DeadLetter, SHOWN_MAX } from './dead-letters-query.ts';
import { OpenedLetter } from './OpenedLetter.tsx';
import { useRetry } from './use-retry.ts';

const CONTEXT = { additionalTypenames: ['DeadLetter'] };
const VARIABLES = { first: SHOWN_MAX };
const FOLLOW_MS = 30_000;

/** Jobs whose last attempt failed: nothing happens to them until somebody retries them. */
export default function DeadLetters() {
  const [asked, again] = useQuery({
    query: DEAD_LETTERS,
    variables: VARIABLES,
    context: CONTEXT,
  });
  useRepeat(again, FOLLOW_MS);
  return (
    <Card title="Dead letters" isFlush>
      <Asked asked={[asked, again]} label="Loading dead letters">
        {({ deadLetters }) =>
          deadLetters.length === 0 ? (
            <Empty title="No dead letters" icon={IconMailOff}>
              Jobs that fail all of their attempts appear here. Retry them once the cause is fixed.
            </Empty>
          ) : (
            <Letters letters={deadLetters} />
          )
        }
      </Asked>
    </Card>
  );
}

function Letters({ letters }: { readonly letters: readonly DeadLetter[] }) {
  const [job, setJob] = useState<string | null>(null);
  const [opened, setOpened] = useState<DeadLetter>();
  const jobs = [...new Set(letters.map(letter => letter.job))].toSorted();
  const shown = jobs.includes(job ?? '') ? letters.filter(letter => letter.job === job) : letters;
  const chosen = useChosen(shown, letter => `${letter.job}: ${letter.error}`);
  const queue = useQueueKeys<HTMLDivElement>();
  const { retry, isRunning } = useRetry();
  const retryChosen = async () => {
    if (await retry({ ids: chosen.rows.map(({ id }) => id) })) chosen.clear();
  };
  return (
    <div ref={queue}>
      <Group px="lg" pb="sm" align="flex-end">
        <Select
          label="Job"
          placeholder="All jobs"
          data={jobs}
          value={shown === letters ? null : job}
          onChange={setJob}
          clearable
        />
        {shown !== letters && job !== null && <RetryAll job={job} />}
      </Group>
      <BulkBar count={chosen.rows.length}>
        <Button
          size="xs"
          leftSection={<IconRefresh size={16} />}
          loading={isRunning}
          onClick={() => void retryChosen()}
        >
          Retry
        </Button>
      </BulkBar>
      <Table
        label="Dead letters"
        rows={shown}
        keyOf={({ id }) => id}
        columns={[chosen.column, ...columns(setOpened)]}
      />
      {letters.length === SHOWN_MAX && (
        <Text size="sm" c="dimmed" px="lg" py="sm">
          These are the {inCount(SHOWN_MAX)} newest; there may be older ones.
        </Text>
      )}
      <OpenedLetter letter={opened} onClose={() => setOpened(undefined)} />
    </div>
  );
}

function columns(onOpen: (letter: DeadLetter) => void): readonly Column<DeadLetter>[] {
  return [
    {
      title: 'Job',
      cell: letter => (
        <Stack gap={0} align="flex-start">
          <Anchor
            component="button"
            type="button"
            size="sm"
            fw={600}
            ta="left"
            style={{ overflowWrap: 'anywhere' }}
            onClick={() => onOpen(letter)}
          >
            {letter.job}
          </Anchor>
          <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            {letter.error}
          </Text>
        </Stack>
      ),
    },
    {
      title: 'Attempts',
      isNumber: true,
      isWide: true,
      cell: ({ attempts }) => inCount(attempts),
    },
    { title: 'Requested', isWide: true, cell: ({ askedAt }) => <When at={askedAt} isRelative /> },
    { title: 'Failed', cell: ({ diedAt }) => <When at={diedAt} isRelative /> },
  ];
}

/** Also those of the job that are not shown. */
function RetryAll({ job }: { readonly job: string }) {
  const { retry, isRunning } = useRetry();
  const ask = () =>
    confirm({
      title: `Retry all failures of “${job}”`,
      confirm: 'Retry all',
      children: `The ${SHOWN_MAX} oldest are queued again, with a full set of attempts each. If the cause isn’t fixed, they fail again.`,
      onConfirm: () => void retry({ job }),
    });
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={17} />}
      loading={isRunning}
      onClick={ask}
    >
      Retry all for this job
    </Button>
  );
}
