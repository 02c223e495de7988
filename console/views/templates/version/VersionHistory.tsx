import { Code, Group, Text, Timeline } from '@mantine/core';
import { useQuery } from 'urql';
import { graphql } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { State } from '../../../pieces/State.tsx';
import { When } from '../../../pieces/When.tsx';
import type { Version } from '../version-query.ts';
import { VERSION_STATES } from '../version-states.ts';

const HISTORY = graphql(`
  query TemplateVersionHistory($id: ID!) {
    templateVersion(id: $id) {
      id
      history { from to cause actorId at }
      submission { upstreamId upstreamName upstreamStatus reason }
    }
  }
`);

/** The states that a version came to, and through whom. */
export function VersionHistory({ version }: { readonly version: Version }) {
  const asked = useQuery({ query: HISTORY, variables: { id: version.id } });
  return (
    <Asked asked={asked} label="Loading history">
      {({ templateVersion }) => {
        const history = templateVersion?.history ?? [];
        const upstreamName = templateVersion?.submission?.upstreamName;
        return (
          <>
            <Timeline bulletSize={16} lineWidth={2} active={history.length}>
              {history.map(({ to, cause, actorId, at }) => (
                <Timeline.Item key={`${at} ${cause}`} title={CAUSES[cause] ?? inPlainWords(cause)}>
                  <Group gap="xs" mt={2}>
                    <State
                      name={to}
                      tone={VERSION_STATES[to].tone}
                      label={VERSION_STATES[to].label}
                    />
                    <Text size="sm" c="dimmed">
                      <When at={at} /> by {actorId}
                    </Text>
                  </Group>
                </Timeline.Item>
              ))}
            </Timeline>
            {upstreamName && (
              <Text size="sm" c="dimmed">
                Name at the approver: <Code>{upstreamName}</Code>.
              </Text>
            )}
          </>
        );
      }}
    </Asked>
  );
}

const CAUSES: Readonly<Record<string, string>> = {
  create: 'Created',
  restore: 'Created from an earlier version',
  submit: 'Submitted',
  cancel: 'Submission withdrawn',
  approve: 'Approved',
  reject: 'Rejected',
  activate: 'Activated',
  supersede: 'Superseded',
  discard: 'Discarded',
  archive: 'Archived with the template',
};
