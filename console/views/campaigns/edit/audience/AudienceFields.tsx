import { Anchor, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { inJson, JsonField, jsonFault, jsonOf } from '../../../../pieces/JsonField.tsx';
import { TraitFields } from '../../../../pieces/trait-match/TraitFields.tsx';
import { NEW_TRAIT } from '../../../../pieces/trait-match/trait-draft.ts';
import { useAddedFocus } from '../../../../pieces/use-added-focus.ts';
import {
  type AudienceCondition,
  type AudienceDraft,
  CONDITIONS_MAX,
  conditionsOf,
  givenAudience,
  NEW_SEGMENT_CONDITION,
} from './audience-draft.ts';
import { SegmentFields } from './SegmentFields.tsx';

type AudienceFieldsProps = {
  readonly audience: AudienceDraft;
  /** Whether missing values are errors. */
  readonly isChecked: boolean;
  readonly consentPurpose: string;
  readonly refusal: string | undefined;
  readonly onChange: (audience: AudienceDraft) => void;
};

export function AudienceFields(props: AudienceFieldsProps) {
  const { audience, refusal, onChange } = props;
  const given = givenAudience(audience);
  if (audience.json !== null)
    return (
      <>
        <JsonField
          label="Audience as JSON"
          description='Conditions in {"and": […]}, {"or": […]} and {"not": {…}}: {"trait": "plan", "operator": "eq", "value": "pro"} and {"segment_id": "…"}. Empty is everybody.'
          value={audience.json}
          onChange={json => onChange({ ...audience, json })}
          error={refusal}
        />
        <ToForm json={audience.json} onChange={onChange} />
      </>
    );
  return (
    <>
      <Conditions {...props} />
      {refusal !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" tabIndex={-1} data-fault>
          {refusal}
        </Text>
      )}
      {audience.conditions.length > 0 && given !== undefined && (
        <LinkButton onClick={() => onChange({ ...audience, json: inJson(given) })}>
          Edit as JSON, to nest conditions
        </LinkButton>
      )}
    </>
  );
}

type ToFormProps = Pick<AudienceFieldsProps, 'onChange'> & { readonly json: string };

/** Back to the fields, if there are fields for all of it. */
function ToForm({ json, onChange }: ToFormProps) {
  const audience = jsonFault(json) === undefined ? conditionsOf(jsonOf(json)) : undefined;
  if (audience === undefined) return null;
  return <LinkButton onClick={() => onChange(audience)}>Edit as a form</LinkButton>;
}

type LinkButtonProps = { readonly onClick: () => void; readonly children: string };

function LinkButton({ onClick, children }: LinkButtonProps) {
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      style={{ alignSelf: 'start' }}
      onClick={onClick}
    >
      {children}
    </Anchor>
  );
}

const JOINERS = [
  { value: 'and', label: 'All conditions' },
  { value: 'or', label: 'Any condition' },
];

function Conditions({ audience, isChecked, consentPurpose, onChange }: AudienceFieldsProps) {
  const { joiner, conditions } = audience;
  const change = (next: readonly AudienceCondition[]) =>
    onChange({ ...audience, conditions: next });
  const { list, focusAdded } = useAddedFocus();
  const add = (condition: AudienceCondition) => {
    change([...conditions, condition]);
    focusAdded();
  };
  const isFull = conditions.length >= CONDITIONS_MAX;
  return (
    <>
      {conditions.length === 0 && (
        <Text size="sm">Everybody. Add a condition to show it to fewer people.</Text>
      )}
      {conditions.length > 1 && (
        <SegmentedControl
          aria-label="People must meet"
          data={JOINERS}
          value={joiner}
          onChange={value => onChange({ ...audience, joiner: value as AudienceDraft['joiner'] })}
          style={{ alignSelf: 'start' }}
        />
      )}
      <Stack ref={list} display={conditions.length === 0 ? 'none' : undefined}>
        {conditions.map((condition, at) => {
          const props = {
            label: `Condition ${at + 1}`,
            isChecked,
            onChange: (next: AudienceCondition) => change(conditions.with(at, next)),
            onRemove: () => change(conditions.toSpliced(at, 1)),
          };
          return condition.kind === 'trait' ? (
            <TraitFields
              key={at}
              {...props}
              condition={condition}
              consentPurpose={consentPurpose || undefined}
            />
          ) : (
            <SegmentFields key={at} {...props} condition={condition} />
          );
        })}
      </Stack>
      <Group gap="xs">
        <AddButton isDisabled={isFull} onAdd={() => add(NEW_TRAIT)}>
          Add a trait
        </AddButton>
        <AddButton isDisabled={isFull} onAdd={() => add(NEW_SEGMENT_CONDITION)}>
          Add a segment
        </AddButton>
      </Group>
    </>
  );
}

type AddButtonProps = {
  readonly isDisabled: boolean;
  readonly onAdd: () => void;
  readonly children: string;
};

function AddButton({ isDisabled, onAdd, children }: AddButtonProps) {
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconPlus size={15} />}
      disabled={isDisabled}
      onClick={onAdd}
    >
      {children}
    </Button>
  );
}
