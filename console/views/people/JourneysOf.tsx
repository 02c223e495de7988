import { Group, Stack, Text } from '@mantine/core';
import { Card } from '../../pieces/Card.tsx';
import { ENROLMENT_TONES, versionsInWords } from '../../pieces/enrolment-words.ts';
import { JourneyLink } from '../../pieces/JourneyLink.tsx';
import { State } from '../../pieces/State.tsx';
import { When } from '../../pieces/When.tsx';
import type { Person } from './person-query.ts';

type Enrolment = Person['enrolments']['nodes'][number];

/** The journeys that a person is or was in, most recent first. They are removed on the journey's page. */
export function JourneysOf({ enrolments: { nodes, pageInfo } }: Pick<Person, 'enrolments'>) {
  return (
    <Card title="Journeys">
      {nodes.length === 0 ? (
        <Text size="sm" c="dimmed">
          Never entered a journey
        </Text>
      ) : (
        <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
          {nodes.map(enrolment => (
            <li key={enrolment.id}>
              <EnrolmentLine enrolment={enrolment} />
            </li>
          ))}
        </Stack>
      )}
      {pageInfo.hasNextPage && (
        <Text size="xs" c="dimmed" mt="md">
          Only the {nodes.length} most recent are shown.
        </Text>
      )}
    </Card>
  );
}

function EnrolmentLine({ enrolment }: { readonly enrolment: Enrolment }) {
  const { journey, state, enteredAt, endedAt, versions } = enrolment;
  const held = versionsInWords(versions).toSorted();
  const isPaused = endedAt === null && journey?.status === 'PAUSED';
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <Stack gap={0} miw={0} style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={600}>
          {journey ? <JourneyLink journey={journey} /> : 'Unknown journey'}
        </Text>
        <Text size="xs" c="dimmed">
          Entered <When at={enteredAt} isInSentence />
          {endedAt !== null && (
            <>
              , left <When at={endedAt} isInSentence />
            </>
          )}
          {isPaused && ', the journey is paused'}
        </Text>
        {held.length > 0 && (
          <Text size="xs" c="dimmed">
            {held.join(', ')}
          </Text>
        )}
      </Stack>
      <State name={state} tone={ENROLMENT_TONES[state]} />
    </Group>
  );
}
