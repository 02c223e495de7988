import { Button, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { IconDoorExit } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { ENROLMENT_TONES } from '../../../pieces/enrolment-words.ts';
import { Facts } from '../../../pieces/Facts.tsx';
import { State } from '../../../pieces/State.tsx';
import { UserLink } from '../../../pieces/UserLink.tsx';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import type { Journey } from '../journey-query.ts';
import { HeldVersion } from './HeldVersion.tsx';
import { PERSON, type Person } from './people-query.ts';
import { inStepOrder, stepInWords } from './person-words.ts';
import { useRemovePerson } from './use-remove-person.ts';

type PersonDrawerProps = {
  readonly journey: Journey;
  /** Undefined if nobody is selected. */
  readonly enrolmentId: string | undefined;
  readonly onClose: () => void;
};

export function PersonDrawer({ journey, enrolmentId, onClose }: PersonDrawerProps) {
  const asked = useQuery({
    query: PERSON,
    variables: { id: enrolmentId ?? '' },
    pause: enrolmentId === undefined,
  });
  return (
    <Drawer
      opened={enrolmentId !== undefined}
      onClose={onClose}
      title="Person in the journey"
      size="md"
    >
      {enrolmentId !== undefined && (
        <Asked asked={asked} label="Loading the person">
          {({ enrolment }) =>
            enrolment === null ? (
              <Empty title="Not found">The person may have been erased.</Empty>
            ) : (
              <Detail journey={journey} person={enrolment} onRemoved={onClose} />
            )
          }
        </Asked>
      )}
    </Drawer>
  );
}

type DetailProps = { readonly journey: Journey; readonly person: Person };

function Detail({ journey, person, onRemoved }: DetailProps & { readonly onRemoved: () => void }) {
  const isOwner = useMay('OWNER');
  const { contact, state, nodeId, enteredAt, endedAt } = person;
  const versions = inStepOrder(journey, person.versions);
  const mayChange = isOwner && endedAt === null;
  return (
    <Stack gap="lg">
      <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
        {contact === null ? 'Deleted contact' : <UserLink userId={contact.userId} />}
      </Title>
      <Facts
        facts={[
          ['State', <State key="state" name={state} tone={ENROLMENT_TONES[state]} />],
          ['Step', stepInWords(journey, nodeId)],
          ['Moves on', movesOn(journey, person)],
          ['Entered', <When key="entered" at={enteredAt} />],
          ['Left', endedAt === null ? null : <When key="left" at={endedAt} />],
        ]}
      />
      <Stack gap="sm">
        <Title order={3} size="h6">
          Versions
        </Title>
        {versions.length === 0 && (
          <Text size="sm" c="dimmed">
            The journey sends no messages, so no versions are pinned.
          </Text>
        )}
        {versions.map(held => (
          <HeldVersion
            key={held.nodeId}
            journey={journey}
            person={person}
            held={held}
            mayChange={mayChange}
          />
        ))}
      </Stack>
      {mayChange && <Exit person={person} journey={journey} onDone={onRemoved} />}
    </Stack>
  );
}

function movesOn({ status }: Journey, { state, nextAt, endedAt }: Person) {
  if (status === 'PAUSED' && endedAt === null) {
    if (state !== 'WAITING') return 'When the journey is resumed.';
    return (
      <>
        When the journey is resumed. End of the wait: <When at={nextAt} isDated />
      </>
    );
  }
  return nextAt === null ? null : <When at={nextAt} isRelative />;
}

type ExitProps = DetailProps & { readonly onDone: () => void };

function Exit({ journey, person, onDone }: ExitProps) {
  const { ask, isRunning } = useRemovePerson(journey, person, onDone);
  return (
    <Group>
      <Button
        variant="default"
        leftSection={<IconDoorExit size={17} />}
        loading={isRunning}
        onClick={ask}
      >
        Remove from the journey
      </Button>
    </Group>
  );
}
