import { Group, NumberInput, Select, Stack } from '@mantine/core';
import { EventFields } from '../../../pieces/event-match/EventFields.tsx';
import { RemoveButton } from '../../../pieces/RemoveButton.tsx';
import {
  conditionFault,
  type EventCondition,
  FREQUENCIES,
  type Frequency,
} from '../rule/rule-draft.ts';

type EventConditionFieldsProps = {
  readonly label: string;
  readonly condition: EventCondition;
  readonly onChange: (next: EventCondition) => void;
  readonly onRemove: () => void;
};

const CHOICES: { value: Frequency; label: string }[] = [
  { value: 'least', label: 'Did at least' },
  { value: 'most', label: 'Did at most' },
  { value: 'never', label: 'Did not do' },
];

/** What people did, how often, and in which time. */
export function EventConditionFields(props: EventConditionFieldsProps) {
  const { label, condition, onChange, onRemove } = props;
  const { event, frequency, count, days } = condition;
  const fault = conditionFault(condition);
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <EventFields
        label={label}
        value={event}
        onChange={next => onChange({ ...condition, event: next })}
      >
        <RemoveButton label={label} onClick={onRemove} />
      </EventFields>
      <Group gap="xs" align="flex-start">
        <Select
          aria-label={`${label}: how often`}
          data={CHOICES}
          value={frequency}
          onChange={value =>
            onChange({ ...condition, frequency: (value ?? frequency) as Frequency })
          }
          allowDeselect={false}
          w={150}
        />
        {frequency !== 'never' && (
          <NumberInput
            aria-label={`${label}: times ${FREQUENCIES[frequency]}`}
            suffix={count === 1 ? ' time' : ' times'}
            min={0}
            allowDecimal={false}
            clampBehavior="none"
            value={count}
            onChange={value =>
              onChange({ ...condition, count: typeof value === 'number' ? value : '' })
            }
            error={fault?.field === 'count' && fault.message}
            w={120}
          />
        )}
        <NumberInput
          aria-label={`${label}: in the last days`}
          prefix="in the last "
          suffix={days === 1 ? ' day' : ' days'}
          min={1}
          allowDecimal={false}
          clampBehavior="none"
          value={days}
          onChange={value =>
            onChange({ ...condition, days: typeof value === 'number' ? value : '' })
          }
          error={fault?.field === 'days' && fault.message}
          w={190}
        />
      </Group>
    </Stack>
  );
}
