import { Button, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { IconDoorExit } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { confirm } from '../../../pieces/confirm.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { State } from '../../../pieces/State.tsx';
import { UserLink } from '../../../pieces/UserLink.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import type { Journey } from '../journey-query.ts';
import { PERSON_TONES } from '../journey-words.ts';
import { HeldVersion } from './HeldVersion.tsx';
import { EXIT, PERSON, type Person } from './people-query.ts';
import { nameOf, stepInWords } from './person-words.ts';

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
              <Detail journey={journey} person={enrolment} />
            )
          }
        </Asked>
      )}
    </Drawer>
  );
}

function Detail({ journey, person }: { readonly journey: Journey; readonly person: Person }) {
  const isOwner = useMay('OWNER');
  const { contact, state, nodeId, nextAt, enteredAt, endedAt, versions } = person;
  const mayChange = isOwner && endedAt === null;
  return (
    <Stack gap="lg">
      <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
        {contact === null ? 'Deleted contact' : <UserLink userId={contact.userId} />}
      </Title>
      <Facts
        facts={[
          ['State', <State key="state" name={state} tone={PERSON_TONES[state]} />],
          ['Step', stepInWords(journey, nodeId)],
          ['Moves on', nextAt === null ? null : <When key="next" at={nextAt} isRelative />],
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
      {mayChange && <Exit person={person} journey={journey} />}
    </Stack>
  );
}

function Exit({ journey, person }: { readonly journey: Journey; readonly person: Person }) {
  const name = nameOf(person);
  const { run, isRunning } = useAction(EXIT, { done: `${name} left the journey.` });
  const ask = () =>
    confirm({
      title: `Remove ${name} from “${journey.name}”`,
      confirm: 'Remove from the journey',
      isDangerous: true,
      children:
        'They leave the journey immediately and receive nothing more from it. No one else is affected. If they are enrolled again, they start at the first step.',
      onConfirm: () => void run({ id: person.id }),
    });
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
