import { Select, Stack, TextInput } from '@mantine/core';
import { Card } from '../../../pieces/Card.tsx';
import { Problem } from '../../../pieces/Problem.tsx';
import { sizeInWords, useSegments } from '../../../pieces/use-segments.ts';
import type { JourneyForm } from './use-journey-form.ts';

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
  const { segments, error, fetching, retry } = useSegments('id', draft.entrySegmentId);
  if (error !== undefined) return <Problem error={error} onRetry={retry} />;
  const options = (segments ?? []).map(one => ({
    value: one.id,
    label: `New members of “${one.name}” (${sizeInWords(one)})`,
  }));
  return (
    <Select
      label="Entry"
      description="Who enters once the journey is started. Current members of a segment don’t enter."
      data={[{ value: '', label: 'Enrolled people only' }, ...options]}
      value={draft.entrySegmentId}
      onChange={value => change({ entrySegmentId: value ?? '' })}
      allowDeselect={false}
      searchable
      disabled={segments === undefined && fetching}
      error={faultAt('', 'entrySegmentId')}
    />
  );
}
