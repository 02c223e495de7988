import { Select, Stack, TextInput } from '@mantine/core';
import { useQuery } from 'urql';
import { graphql } from '../../../graph/graphql.ts';
import { Card } from '../../../pieces/Card.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { Problem } from '../../../pieces/Problem.tsx';
import type { JourneyForm } from './use-journey-form.ts';

const SEGMENTS = graphql(`
  query EntrySegments {
    segments(first: 100) { nodes { id name memberCount evaluatedAt } }
  }
`);

export function Basics({ form }: { readonly form: JourneyForm }) {
  const { draft, change, faultAt } = form;
  return (
    <Card title="Basics">
      <Stack>
        <TextInput
          label="Name"
          description="Visible only to workspace members."
          required
          value={draft.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          error={faultAt('', 'name')}
        />
        <Entry form={form} />
      </Stack>
    </Card>
  );
}

function Entry({ form: { draft, change, faultAt } }: { readonly form: JourneyForm }) {
  const [{ data, error, fetching }, ask] = useQuery({ query: SEGMENTS });
  if (error !== undefined)
    return <Problem error={error} onRetry={() => ask({ requestPolicy: 'network-only' })} />;
  const segments = (data?.segments.nodes ?? []).map(({ id, name, memberCount, evaluatedAt }) => ({
    value: id,
    label: `New members of “${name}” (${evaluatedAt === null ? 'members not counted yet' : `${inCount(memberCount)} now`})`,
  }));
  return (
    <Select
      label="Entry"
      description="Who enters once the journey is started. Current members of a segment don’t enter."
      data={[{ value: '', label: 'Enrolled people only' }, ...segments]}
      value={draft.entrySegmentId}
      onChange={value => change({ entrySegmentId: value ?? '' })}
      allowDeselect={false}
      searchable
      disabled={data === undefined && fetching}
      error={faultAt('', 'entrySegmentId')}
    />
  );
}
