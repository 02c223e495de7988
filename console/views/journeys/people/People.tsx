import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconSearch, IconUsers } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import {
  ENROLMENT_STATES,
  ENROLMENT_TONES,
  type EnrolmentState,
  versionsInWords,
} from '../../../pieces/enrolment-words.ts';
import { FilterBar } from '../../../pieces/filters/FilterBar.tsx';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import { State } from '../../../pieces/State.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { UserLink } from '../../../pieces/UserLink.tsx';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import type { Journey } from '../journey-query.ts';
import { leaveRow } from './leave-row.ts';
import { PersonDrawer } from './PersonDrawer.tsx';
import { PEOPLE, type Person } from './people-query.ts';
import { inStepOrder, nameOf, stepInWords } from './person-words.ts';
import { useRemovePerson } from './use-remove-person.ts';

/** What the list can show: the people in the journey, all of them, or those in one state. */
type Shown = EnrolmentState | 'IN_FLIGHT' | 'ALL';

type PeopleProps = {
  readonly journey: Journey;
  /** Each number reads the people again. */
  readonly refreshes: number;
};

export function People({ journey, refreshes }: PeopleProps) {
  const [shown, setShown] = useState<Shown>('IN_FLIGHT');
  const [userId, setUserId] = useState('');
  const [openedId, setOpenedId] = useState<string>();
  return (
    <Card title="People" isFlush>
      <FilterBar label="Search by user ID" search={userId} onSearch={setUserId}>
        <StateFilter shown={shown} onChange={setShown} />
      </FilterBar>
      <PagedTable
        key={refreshes}
        label="People in the journey"
        document={PEOPLE}
        variables={{ ...variablesOf(journey, shown), ...(userId !== '' && { userId }) }}
        connectionOf={({ journey }) => journey?.enrolments}
        typename="Enrolment"
        keyOf={({ id }) => id}
        columns={columnsOf(journey, setOpenedId)}
        empty={
          <Nobody journey={journey} shown={shown} userId={userId} onAll={() => setShown('ALL')} />
        }
      />
      <PersonDrawer
        journey={journey}
        enrolmentId={openedId}
        onClose={() => setOpenedId(undefined)}
      />
    </Card>
  );
}

type StateFilterProps = {
  readonly shown: Shown;
  readonly onChange: (shown: Shown) => void;
};

function StateFilter({ shown, onChange }: StateFilterProps) {
  return (
    <Select
      aria-label="State"
      flex="1 1 130px"
      maw={{ sm: 180 }}
      data={[
        { value: 'IN_FLIGHT', label: 'In the journey' },
        { value: 'ALL', label: 'Any state' },
        ...ENROLMENT_STATES.map(one => ({ value: one, label: inPlainWords(one) })),
      ]}
      value={shown}
      onChange={value => onChange((value ?? shown) as Shown)}
      allowDeselect={false}
    />
  );
}

function variablesOf({ id }: Journey, shown: Shown) {
  if (shown === 'ALL') return { id };
  return shown === 'IN_FLIGHT' ? { id, isInFlight: true } : { id, state: shown };
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
      cell: ({ state }) => <State name={state} tone={ENROLMENT_TONES[state]} />,
    },
    { title: 'Step', cell: ({ nodeId }) => stepInWords(journey, nodeId) },
    {
      title: 'Versions',
      isWide: true,
      cell: person => <Versions journey={journey} person={person} />,
    },
    {
      title: 'Entered',
      isWide: true,
      cell: ({ enteredAt }) => <When at={enteredAt} isRelative />,
    },
    {
      title: 'Actions',
      cell: person => (
        <Group gap={4}>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => onOpen(person.id)}
            aria-label={`Open ${nameOf(person)}`}
          >
            Open
          </Button>
          {person.endedAt === null && <Remove journey={journey} person={person} />}
        </Group>
      ),
    },
  ];
}

type OfPerson = { readonly journey: Journey; readonly person: Person };

function Remove({ journey, person }: OfPerson) {
  const button = useRef<HTMLButtonElement>(null);
  const { ask, isRunning } = useRemovePerson(journey, person, () => leaveRow(button.current));
  if (!useMay('OWNER')) return null;
  return (
    <Button
      ref={button}
      size="compact-sm"
      variant="default"
      loading={isRunning}
      onClick={ask}
      aria-label={`Remove ${nameOf(person)}`}
    >
      Remove
    </Button>
  );
}

function Versions({ journey, person }: OfPerson) {
  const versions = versionsInWords(inStepOrder(journey, person.versions));
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
  readonly shown: Shown;
  /** Empty without a search. */
  readonly userId: string;
  readonly onAll: () => void;
};

function Nobody({ journey: { status, entrySegment }, shown, userId, onAll }: NobodyProps) {
  if (userId !== '')
    return (
      <Empty title={`No person found with the user ID “${userId}”`} icon={IconSearch}>
        The search finds whole user IDs.{' '}
        {shown !== 'ALL' && (
          <Anchor component="button" type="button" inherit onClick={onAll}>
            Search in all states
          </Anchor>
        )}
      </Empty>
    );
  if (shown !== 'ALL' && shown !== 'IN_FLIGHT')
    return (
      <Empty title={`No people are ${inPlainWords(shown).toLowerCase()}`} icon={IconUsers}>
        <Anchor component="button" type="button" onClick={onAll}>
          Show all states
        </Anchor>
      </Empty>
    );
  return (
    <Empty
      title={shown === 'ALL' ? 'No one has entered yet' : 'No one is in the journey'}
      icon={IconUsers}
    >
      {status === 'DRAFT'
        ? 'People can enter once the journey is started.'
        : entrySegment === null
          ? 'Enrol people to add them.'
          : `New members of the segment “${entrySegment.name}” and people you enrol enter.`}{' '}
      {shown === 'IN_FLIGHT' && status !== 'DRAFT' && (
        <Anchor component="button" type="button" inherit onClick={onAll}>
          Show people who left
        </Anchor>
      )}
    </Empty>
  );
}
