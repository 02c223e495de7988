import { Box, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { graphql } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inCount, inPlainWords } from '../../../pieces/in-words.ts';
import { JourneyLink } from '../../../pieces/JourneyLink.tsx';
import { State } from '../../../pieces/State.tsx';
import { Table } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { peopleOf } from '../people-of.ts';
import { versionPath } from '../template-paths.ts';
import type { Template, VersionRow } from '../template-query.ts';
import type { Version } from '../version-query.ts';
import { VERSION_STATES } from '../version-states.ts';

const PEOPLE = graphql(`
  query TemplateVersionPeople($id: ID!) {
    templateVersion(id: $id) {
      id
      pinsCheckedAt
      inFlight { inFlightCount journey { id name status } }
    }
  }
`);

type PeopleProps = {
  readonly template: Template;
  readonly version: Version;
  readonly siblings: readonly VersionRow[];
};

/** The people in flight on this version and the other versions, by journey. */
export function People({ template, version, siblings }: PeopleProps) {
  const asked = useQuery({ query: PEOPLE, variables: { id: version.id } });
  const held = siblings.filter(({ pinnedCount }) => pinnedCount > 0);
  return (
    <Stack gap="xl">
      {held.length > 0 && <Shares templateId={template.id} held={held} selectedId={version.id} />}
      <Asked asked={asked} label="Counting people">
        {({ templateVersion }) => {
          const journeys = templateVersion?.inFlight ?? [];
          if (journeys.length === 0)
            return (
              <Empty title="No people in flight on this version" icon={IconUsers}>
                People who enter a journey are pinned to the version that is active at that moment.
              </Empty>
            );
          return (
            <Stack gap="xs">
              <Title order={3} size="h6">
                {peopleOf(version.pinnedCount)} on version {version.number}
              </Title>
              <Table
                label="Journeys with people who hold this version"
                rows={journeys}
                keyOf={({ journey }) => journey?.id ?? ''}
                columns={[
                  {
                    title: 'Journey',
                    cell: ({ journey }) => journey && <JourneyLink journey={journey} />,
                  },
                  {
                    title: 'State',
                    cell: ({ journey }) =>
                      journey && (
                        <State
                          name={journey.status}
                          tone={journey.status === 'ACTIVE' ? 'good' : 'quiet'}
                          label={inPlainWords(journey.status)}
                        />
                      ),
                  },
                  {
                    title: 'In flight',
                    isNumber: true,
                    cell: ({ inFlightCount }) => inCount(inFlightCount),
                  },
                ]}
              />
              <Text size="xs" c="dimmed">
                Counted <When at={templateVersion?.pinsCheckedAt} isInSentence />
                {version.oldestPinAt !== null && (
                  <>
                    ; the first one entered <When at={version.oldestPinAt} isInSentence />
                  </>
                )}
                .
              </Text>
            </Stack>
          );
        }}
      </Asked>
    </Stack>
  );
}

type SharesProps = {
  readonly templateId: string;
  readonly held: readonly VersionRow[];
  readonly selectedId: string;
};

function Shares({ templateId, held, selectedId }: SharesProps) {
  const most = Math.max(...held.map(({ pinnedCount }) => pinnedCount));
  const all = held.reduce((sum, { pinnedCount }) => sum + pinnedCount, 0);
  return (
    <Stack gap="xs">
      <Title order={3} size="h6">
        {peopleOf(all)} in flight, by version
      </Title>
      {held.map(({ id, number, state, pinnedCount }) => (
        <Group key={id} gap="sm" wrap="nowrap">
          <Text
            component={Link}
            href={versionPath(templateId, id, 'people')}
            size="sm"
            fw={id === selectedId ? 700 : 500}
            c="inherit"
            w={36}
          >
            v{number}
          </Text>
          <Box flex={1}>
            <Progress
              value={(100 * pinnedCount) / most}
              size="lg"
              radius="sm"
              color={id === selectedId ? 'brand' : 'gray.6'}
              aria-label={`Version ${number}: ${peopleOf(pinnedCount)}`}
            />
          </Box>
          <Text size="sm" fw={600} ta="right" w={44}>
            {inCount(pinnedCount)}
          </Text>
          <Box w={96} visibleFrom="sm">
            <State
              name={state}
              tone={VERSION_STATES[state].tone}
              label={VERSION_STATES[state].label}
            />
          </Box>
        </Group>
      ))}
    </Stack>
  );
}
