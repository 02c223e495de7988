import { Group, Select } from '@mantine/core';
import { RemoveButton } from '../../../../pieces/RemoveButton.tsx';
import { sizeInWords, useSegments } from '../../../../pieces/use-segments.ts';
import type { SegmentCondition } from './audience-draft.ts';

const CHOICES = [
  { value: 'in', label: 'Is in the segment' },
  { value: 'out', label: 'Is not in the segment' },
];

type SegmentFieldsProps = {
  readonly label: string;
  readonly condition: SegmentCondition;
  /** Whether a missing segment is an error. */
  readonly isChecked: boolean;
  readonly onChange: (next: SegmentCondition) => void;
  readonly onRemove: () => void;
};

/** Whether the person is in a segment. */
export function SegmentFields(props: SegmentFieldsProps) {
  const { label, condition, isChecked, onChange, onRemove } = props;
  const { segmentId, isMember } = condition;
  const { segments, error } = useSegments('audienceId', segmentId);
  const options = (segments ?? []).map(one => ({
    value: one.audienceId,
    label: `${one.name} (${sizeInWords(one)})`,
  }));
  const isListed = segmentId === '' || options.some(({ value }) => value === segmentId);
  return (
    <Group gap="xs" align="flex-start" role="group" aria-label={label}>
      <Select
        aria-label={`${label}: membership`}
        data={CHOICES}
        value={isMember ? 'in' : 'out'}
        onChange={value => onChange({ ...condition, isMember: value !== 'out' })}
        allowDeselect={false}
        flex="1 1 170px"
      />
      <Select
        aria-label={`${label}: segment`}
        placeholder={segments?.length === 0 ? 'There are no segments yet' : 'Segment'}
        data={isListed ? options : [...options, { value: segmentId, label: segmentId }]}
        value={segmentId === '' ? null : segmentId}
        onChange={value => onChange({ ...condition, segmentId: value ?? '' })}
        searchable
        error={
          error ? 'The segments could not be loaded' : isChecked && segmentId === '' && 'Choose one'
        }
        flex="2 1 200px"
      />
      <RemoveButton label={label} onClick={onRemove} />
    </Group>
  );
}
