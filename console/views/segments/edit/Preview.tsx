import { Group, Loader, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../../../graph/graphql.ts';
import { Card } from '../../../pieces/Card.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { problemOf, useRetry } from '../../../pieces/problem.ts';

const PREVIEW = graphql(`
  query SegmentPreview($rule: JSON!) {
    segmentPreview(rule: $rule) { people }
  }
`);

/** Whether the input has paused: each count reads the events. */
const TYPING_MS = 600;

/** How many people match the rule while it is edited. */
export function Preview({ rule }: { readonly rule: unknown }) {
  const [text] = useDebouncedValue(JSON.stringify(rule) ?? '', TYPING_MS);
  const variables = useMemo(() => ({ rule: text === '' ? null : JSON.parse(text) }), [text]);
  const [{ data, error, fetching }, ask] = useQuery({
    query: PREVIEW,
    variables,
    pause: text === '',
  });
  useRetry(error, () => ask({ requestPolicy: 'network-only' }));
  const isCurrent = text === (JSON.stringify(rule) ?? '') && !fetching;
  return (
    <Card title="People who match now">
      <Group gap="sm" role="status" mih={28}>
        {text === '' && <Text c="dimmed">Complete the rule to count them.</Text>}
        {text !== '' && !isCurrent && (
          <>
            <Loader size="xs" aria-hidden />
            <Text c="dimmed">Counting…</Text>
          </>
        )}
        {text !== '' && isCurrent && error && <Text>{refusalInWords(error)}</Text>}
        {text !== '' && isCurrent && !error && data?.segmentPreview && (
          <Text fw={650}>{inPeople(data.segmentPreview.people)}</Text>
        )}
      </Group>
    </Card>
  );
}

function inPeople(people: number): string {
  return people === 1 ? '1 person' : `${inCount(people)} people`;
}

function refusalInWords(error: Parameters<typeof problemOf>[0]): string {
  const { title, detail, code } = problemOf(error, true);
  if (code === 'SEGMENT_TOO_LARGE')
    return 'More people match than a segment can have. Make the rule stricter.';
  return code === 'BAD_USER_INPUT'
    ? `The rule can’t be used yet: ${detail}`
    : `${title}. ${detail}`;
}
