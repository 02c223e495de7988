import { Group, Select, TagsInput } from '@mantine/core';
import { RemoveButton } from '../RemoveButton.tsx';
import { SuggestInput } from '../suggest/SuggestInput.tsx';
import { Suggestion } from '../suggest/Suggestion.tsx';
import {
  TRAIT_OPERATORS,
  type TraitDraft,
  type TraitOperator,
  takesValue,
  traitFault,
  typesOf,
  VALUE_TYPES,
  type ValueType,
  withOperator,
} from './trait-draft.ts';
import { CONTACTS_READ, useKnownTraits, type ValueSuggestions } from './use-known-traits.ts';

type TraitFieldsProps = {
  readonly label: string;
  readonly condition: TraitDraft;
  /** Whether missing values are errors. */
  readonly isChecked: boolean;
  /** Of what the people are shown, if they are chosen for that. */
  readonly consentPurpose?: string | undefined;
  readonly onChange: (next: TraitDraft) => void;
  readonly onRemove: () => void;
};

const OPERATORS = Object.entries(TRAIT_OPERATORS).map(([value, label]) => ({ value, label }));
/** The maximum of the API. */
const VALUES_MAX = 200;

/** A comparison with a trait of the person. */
export function TraitFields(props: TraitFieldsProps) {
  const { label, condition, isChecked, consentPurpose, onChange, onRemove } = props;
  const { trait, operator, type } = condition;
  const found = traitFault(condition);
  const known = useKnownTraits(consentPurpose);
  const fault = isChecked ? found : undefined;
  return (
    <Group gap="xs" align="flex-start" role="group" aria-label={label}>
      <SuggestInput
        aria-label={`${label}: trait`}
        placeholder="Trait, such as plan"
        value={trait}
        onChange={next => onChange({ ...condition, trait: next })}
        suggestions={known.names}
        listNote={`Traits of the newest ${CONTACTS_READ} contacts. You can type any other trait.`}
        error={fault?.field === 'trait' && fault.message}
        flex="2 1 150px"
      />
      <Select
        aria-label={`${label}: comparison`}
        data={OPERATORS}
        value={operator}
        onChange={value => onChange(withOperator(condition, (value ?? operator) as TraitOperator))}
        allowDeselect={false}
        flex="1 1 130px"
      />
      {takesValue(operator) && (
        <>
          <Select
            aria-label={`${label}: type of the value`}
            data={typesOf(operator).map(value => ({ value, label: VALUE_TYPES[value] }))}
            value={type}
            onChange={value =>
              onChange({ ...condition, type: (value ?? type) as ValueType, values: [] })
            }
            allowDeselect={false}
            flex="1 1 120px"
          />
          <Values
            {...props}
            known={known.valuesOf(trait, type)}
            error={fault?.field === 'value' && fault.message}
          />
        </>
      )}
      <RemoveButton label={label} onClick={onRemove} />
    </Group>
  );
}

type ValuesProps = Pick<TraitFieldsProps, 'label' | 'condition' | 'onChange'> & {
  readonly known: ValueSuggestions;
  readonly error: string | false;
};

/** An operator that compares whole texts: the beginning of a known one is likely to mean it. */
const isWhole = ({ operator, type }: TraitDraft) =>
  type === 'text' && (operator === 'eq' || operator === 'ne');

function Values({ label, condition, onChange, known, error }: ValuesProps) {
  const { operator, type, values } = condition;
  const props = { 'aria-label': `${label}: value`, error, flex: '2 1 130px' };
  if (operator === 'in')
    return (
      <TagsInput
        {...props}
        placeholder="Values"
        data={[...known.suggestions]}
        renderOption={({ option: { value } }) => (
          <Suggestion text={value} note={known.noteOf(value)} />
        )}
        value={[...values]}
        maxTags={VALUES_MAX}
        // An Enter too many would submit the form.
        onKeyDown={event => {
          if (event.key === 'Enter' && event.currentTarget.value === '') event.preventDefault();
        }}
        onChange={next => onChange({ ...condition, values: next })}
      />
    );
  if (type === 'boolean')
    return (
      <Select
        {...props}
        placeholder="True or false"
        data={[
          { value: 'true', label: 'True' },
          { value: 'false', label: 'False' },
        ]}
        value={values[0] ?? null}
        onChange={value => onChange({ ...condition, values: value === null ? [] : [value] })}
      />
    );
  return (
    <SuggestInput
      {...props}
      placeholder={type === 'time' ? '2026-01-31' : 'Value'}
      value={values[0] ?? ''}
      onChange={value => onChange({ ...condition, values: [value] })}
      {...known}
      enterChooses={isWhole(condition) ? 'beginning' : 'same'}
    />
  );
}
