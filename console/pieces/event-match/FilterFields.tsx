import { Group, Select, TagsInput, TextInput } from '@mantine/core';
import { RemoveButton } from '../RemoveButton.tsx';
import {
  type FilterDraft,
  filterFault,
  hasValue,
  OPERATORS,
  type Operator,
  VALUES_MAX,
} from './event-draft.ts';
import { PropertyInput } from './PropertyInput.tsx';

type FilterFieldsProps = {
  readonly label: string;
  readonly eventName: string;
  readonly filter: FilterDraft;
  readonly onChange: (next: FilterDraft) => void;
  readonly onRemove: () => void;
};

const CHOICES = Object.entries(OPERATORS).map(([value, label]) => ({ value, label }));

/** A filter on one value of an event. */
export function FilterFields(props: FilterFieldsProps) {
  const { label, eventName, filter, onChange, onRemove } = props;
  const { property, operator } = filter;
  const fault = filterFault(filter);
  return (
    <Group gap="xs" align="flex-start" pl={{ base: 0, sm: 'lg' }} role="group" aria-label={label}>
      <PropertyInput
        eventName={eventName}
        aria-label={`${label}: property`}
        placeholder="Property"
        value={property}
        onChange={next => onChange({ ...filter, property: next })}
        error={fault?.field === 'property' && fault.message}
        flex="2 1 140px"
      />
      <Select
        aria-label={`${label}: comparison`}
        data={CHOICES}
        value={operator}
        onChange={next => onChange({ ...filter, operator: (next ?? operator) as Operator })}
        allowDeselect={false}
        flex="1 1 120px"
      />
      {hasValue(operator) && (
        <ValueInput {...props} error={fault?.field === 'value' && fault.message} />
      )}
      <RemoveButton label={label} onClick={onRemove} />
    </Group>
  );
}

type ValueInputProps = Pick<FilterFieldsProps, 'label' | 'filter' | 'onChange'> & {
  readonly error: string | false;
};

function ValueInput({ label, filter, onChange, error }: ValueInputProps) {
  const props = { 'aria-label': `${label}: value`, placeholder: 'Value', error, flex: '2 1 120px' };
  if (filter.operator === 'in')
    return (
      <TagsInput
        {...props}
        value={[...filter.values]}
        maxTags={VALUES_MAX}
        onChange={values => onChange({ ...filter, values })}
      />
    );
  return (
    <TextInput
      {...props}
      value={filter.values[0] ?? ''}
      onChange={({ currentTarget }) => onChange({ ...filter, values: [currentTarget.value] })}
    />
  );
}
