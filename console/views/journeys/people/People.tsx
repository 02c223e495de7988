import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import { State } from '../../../pieces/State.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { UserLink } from '../../../pieces/UserLink.tsx';
import { When } from '../../../pieces/When.tsx';
import type { Journey } from '../journey-query.ts';
import { PERSON_STATES, PERSON_TONES, type PersonState } from '../journey-words.ts';
import { PersonDrawer } from './PersonDrawer.tsx';
import { PEOPLE, type Person } from './people-query.ts';
import { nameOf, stepInWords, versionsInWords } from './person-words.ts';

type PeopleProps = {
  readonly journey: Journey;
  /** Each number reads the people again. */
  readonly refreshes: number;
};

export function People({ journey, refreshes }: PeopleProps) {
  const [state, setState] = useState<PersonState | ''>('');
  const [openedId, setOpenedId] = useState<string>();
  return (
    <Card
      title="People"
      isFlush
      actions={
        <Select
          aria-label="State"
          size="xs"
          w={150}
          data={[
            { value: '', label: 'Any state' },
            ...PERSON_STATES.map(one => ({ value: one, label: inPlainWords(one) })),
          ]}
          value={state}
          onChange={value => setState((value ?? '') as PersonState | '')}
          allowDeselect={false}
        />
      }
    >
      <PagedTable
        key={refreshes}
        label="People in the journey"
        document={PEOPLE}
        variables={{ id: journey.id, state: state === '' ? null : state }}
        connectionOf={({ journey }) => journey?.enrolments}
        typename="Enrolment"
        keyOf={({ id }) => id}
        columns={columnsOf(journey, setOpenedId)}
        empty={<Nobody journey={journey} state={state} onAll={() => setState('')} />}
      />
      <PersonDrawer
        journey={journey}
        enrolmentId={openedId}
        onClose={() => setOpenedId(undefined)}
      />
    </Card>
  );
}

function columnsOf(journey: Journey, onOpen: (id: string) => void): Column<Person>[] {
  return [
    {
      title: 'User',
      cell: person =>
        person.contact === null ? (
          <Text size="sm" c="dimmed">
            Deleted contact
          </Text>
        ) : (
          <UserLink userId={person.contact.userId} />
        ),
    },
    {
      title: 'State',
      isWide: true,
      cell: ({ state }) => <State name={state} tone={PERSON_TONES[state]} />,
    },
    { title: 'Step', cell: ({ nodeId }) => stepInWords(journey, nodeId) },
    { title: 'Versions', isWide: true, cell: person => <Versions person={person} /> },
    {
      title: 'Entered',
      isWide: true,
      cell: ({ enteredAt }) => <When at={enteredAt} isRelative />,
    },
    {
      title: 'Details',
      cell: person => (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => onOpen(person.id)}
          aria-label={`Open ${nameOf(person)}`}
        >
          Open
        </Button>
      ),
    },
  ];
}

function Versions({ person }: { readonly person: Person }) {
  const versions = versionsInWords(person);
  if (versions.length === 0)
    return (
      <Text size="sm" c="dimmed">
        None
      </Text>
    );
  const isChanged = person.versions.some(({ override }) => override !== null);
  return (
    <Stack gap={2}>
      {versions.map(version => (
        <Text key={version} size="sm">
          {version}
        </Text>
      ))}
      {isChanged && (
        <Group>
          <State name="OVERRIDE" tone="waiting" label="Override" />
        </Group>
      )}
    </Stack>
  );
}

type NobodyProps = {
  readonly journey: Journey;
  readonly state: PersonState | '';
  readonly onAll: () => void;
};

function Nobody({ journey: { status, entrySegment }, state, onAll }: NobodyProps) {
  if (state !== '')
    return (
      <Empty title={`No people are ${inPlainWords(state).toLowerCase()}`} icon={IconUsers}>
        <Anchor component="button" type="button" onClick={onAll}>
          Show all states
        </Anchor>
      </Empty>
    );
  return (
    <Empty title="No one has entered yet" icon={IconUsers}>
      {status === 'DRAFT'
        ? 'People can enter once the journey is started.'
        : entrySegment === null
          ? 'Enrol people to add them.'
          : `New members of the segment “${entrySegment.name}” and people you enrol enter.`}
    </Empty>
  );
}
