import { Anchor, Group, Stack, Text } from '@mantine/core';
import { IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { CopyIcon } from '../../../pieces/CopyIcon.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { Page } from '../../../pieces/Page.tsx';
import { useRepeat } from '../../../pieces/use-repeat.ts';
import { When } from '../../../pieces/When.tsx';
import { ruleInWords } from '../rule/rule-in-words.ts';
import { SegmentState } from '../SegmentState.tsx';
import { SEGMENTS, TO_SEGMENTS } from '../segment-paths.ts';
import { SEGMENT, type Segment } from '../segment-query.ts';
import { Members } from './Members.tsx';
import { SegmentActions } from './SegmentActions.tsx';

/** An evaluation takes seconds. */
const EVALUATING_MS = 2_000;

export function SegmentPage({ id }: { readonly id: string }) {
  const asked = useQuery({ query: SEGMENT, variables: { id } });
  const segment = asked[0].data?.segment;
  useRepeat(asked[1], segment && isEvaluating(segment) ? EVALUATING_MS : undefined);
  return (
    <Asked asked={asked} label="Loading the segment">
      {({ segment }) =>
        segment === null ? (
          <Empty title="Segment not found" icon={IconUsersGroup}>
            It may belong to another workspace.{' '}
            <Anchor component={Link} href={SEGMENTS} inherit>
              All segments
            </Anchor>
          </Empty>
        ) : (
          <Shown segment={segment} />
        )
      }
    </Asked>
  );
}

function isEvaluating({ evaluatedAt, archivedAt, fault }: Segment): boolean {
  return evaluatedAt === null && archivedAt === null && fault === null;
}

function Shown({ segment }: { readonly segment: Segment }) {
  const { name, rule, archivedAt, evaluatedAt } = segment;
  return (
    <Page
      title={name}
      back={TO_SEGMENTS}
      about={<SegmentState segment={segment} />}
      actions={<SegmentActions segment={segment} />}
    >
      <Stack gap="lg">
        <Card title="Rule">
          <Text style={{ overflowWrap: 'anywhere' }}>{ruleInWords(rule)}</Text>
        </Card>
        <Card title="Details">
          <Details segment={segment} />
        </Card>
        {archivedAt === null && <Members key={evaluatedAt} segment={segment} />}
      </Stack>
    </Page>
  );
}

function Details({ segment }: { readonly segment: Segment }) {
  const { audienceId, memberCount, evaluatedAt, archivedAt, fault, createdAt, updatedAt } = segment;
  return (
    <Facts
      facts={[
        ['People', evaluatedAt === null || archivedAt ? null : inCount(memberCount)],
        ['Evaluated', <When key="evaluated" at={evaluatedAt} never="Not yet" isRelative />],
        ['Last failure', fault && faultInWords(fault)],
        [
          'ID in audiences',
          <CopyIcon key="id" text={audienceId} label="the ID in audiences">
            <Text span size="sm" className="mono" style={{ overflowWrap: 'anywhere' }}>
              {audienceId}
            </Text>
          </CopyIcon>,
        ],
        ['Created', <When key="created" at={createdAt} />],
        ['Updated', <When key="changed" at={updatedAt} isRelative />],
        ['Archived', archivedAt && <When key="archived" at={archivedAt} />],
      ]}
    />
  );
}

function faultInWords(code: string) {
  const words =
    code === 'SEGMENT_TOO_LARGE'
      ? 'More people match than a segment can have. Make the rule stricter.'
      : 'The members were not changed. Evaluation will be retried.';
  return (
    <Group gap="xs">
      <Text span inherit>
        {words}
      </Text>
      <Text span size="xs" c="dimmed" className="mono">
        {code}
      </Text>
    </Group>
  );
}
