import { Alert, Anchor, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Card } from '../../../pieces/Card.tsx';
import { inJson, JsonField, jsonFault, jsonOf } from '../../../pieces/JsonField.tsx';
import { TraitFields } from '../../../pieces/trait-match/TraitFields.tsx';
import { NEW_TRAIT } from '../../../pieces/trait-match/trait-draft.ts';
import { useAddedFocus } from '../../../pieces/use-added-focus.ts';
import {
  CONDITIONS_MAX,
  type ConditionDraft,
  EVENT_CONDITIONS_MAX,
  isComplete,
  NEW_EVENT,
  type RuleDraft,
  ruleFault,
} from '../rule/rule-draft.ts';
import { jsonOfRule, ruleOfJson } from '../rule/rule-json.ts';
import { EventConditionFields } from './EventConditionFields.tsx';
import type { SegmentDraft } from './segment-draft.ts';

type RuleFieldsProps = {
  readonly draft: SegmentDraft;
  /** Whether missing values are errors. */
  readonly isChecked: boolean;
  readonly refusal: string | undefined;
  readonly onChange: (part: Partial<SegmentDraft>) => void;
};

export function RuleFields({ draft, isChecked, refusal, onChange }: RuleFieldsProps) {
  const { rule, json } = draft;
  if (json !== null)
    return (
      <Card title="Rule">
        <Stack gap="sm">
          <JsonField
            label="Rule as JSON"
            description='Conditions in {"and": […]}, {"or": […]} and {"not": {…}}: {"event": {"name": "Order Completed"}, "at_least": 2, "within_days": 30} and {"trait": "plan", "operator": "eq", "value": "pro"}.'
            isRequired
            value={json}
            onChange={text => onChange({ json: text })}
            error={isChecked && json.trim() === '' ? 'Enter a rule' : refusal}
          />
          <ToForm json={json} onChange={onChange} />
        </Stack>
      </Card>
    );
  const fault = ruleFault(rule);
  return (
    <Card title="Rule">
      <Stack gap="lg">
        <Conditions rule={rule} isChecked={isChecked} onChange={next => onChange({ rule: next })} />
        {fault !== undefined && (
          <Text size="sm" c="dimmed" role="status">
            {fault}
          </Text>
        )}
        {refusal !== undefined && (
          <Alert role="alert" color="red" variant="outline" title="This rule can’t be used">
            Check the names and values of its conditions.
          </Alert>
        )}
        {isComplete(rule) && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            ta="left"
            onClick={() => onChange({ json: inJson(jsonOfRule(rule)) })}
          >
            Edit as JSON, to nest conditions
          </Anchor>
        )}
      </Stack>
    </Card>
  );
}

type ToFormProps = Pick<RuleFieldsProps, 'onChange'> & { readonly json: string };

/** Back to the fields, if there are fields for all of it. */
function ToForm({ json, onChange }: ToFormProps) {
  const rule = jsonFault(json) === undefined ? ruleOfJson(jsonOf(json)) : undefined;
  if (rule === undefined) return null;
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ta="left"
      onClick={() => onChange({ rule, json: null })}
    >
      Edit as a form
    </Anchor>
  );
}

const JOINERS = [
  { value: 'and', label: 'All conditions' },
  { value: 'or', label: 'Any condition' },
];

type ConditionsProps = {
  readonly rule: RuleDraft;
  readonly isChecked: boolean;
  readonly onChange: (rule: RuleDraft) => void;
};

function Conditions({ rule, isChecked, onChange }: ConditionsProps) {
  const { joiner, conditions } = rule;
  const { list, focusAdded } = useAddedFocus();
  const change = (next: readonly ConditionDraft[]) => onChange({ ...rule, conditions: next });
  const add = (condition: ConditionDraft) => {
    change([...conditions, condition]);
    focusAdded();
  };
  const isFull = conditions.length >= CONDITIONS_MAX;
  const events = conditions.filter(({ kind }) => kind === 'event').length;
  return (
    <>
      <SegmentedControl
        aria-label="Match"
        data={JOINERS}
        value={joiner}
        onChange={value => onChange({ ...rule, joiner: value as RuleDraft['joiner'] })}
        style={{ alignSelf: 'start' }}
      />
      <Stack gap="lg" ref={list} display={conditions.length === 0 ? 'none' : undefined}>
        {conditions.map((condition, at) => (
          <ConditionFields
            key={at}
            label={`Condition ${at + 1}`}
            condition={condition}
            isChecked={isChecked}
            onChange={next => change(conditions.with(at, next))}
            onRemove={() => change(conditions.toSpliced(at, 1))}
          />
        ))}
      </Stack>
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={15} />}
          disabled={isFull || events >= EVENT_CONDITIONS_MAX}
          onClick={() => add(NEW_EVENT)}
        >
          Add an event
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={15} />}
          disabled={isFull}
          onClick={() => add(NEW_TRAIT)}
        >
          Add a trait
        </Button>
        {(isFull || events >= EVENT_CONDITIONS_MAX) && (
          <Text size="xs" c="dimmed">
            At most {CONDITIONS_MAX} conditions, of which {EVENT_CONDITIONS_MAX} are events.
          </Text>
        )}
      </Group>
    </>
  );
}

type ConditionFieldsProps = {
  readonly label: string;
  readonly condition: ConditionDraft;
  readonly isChecked: boolean;
  readonly onChange: (next: ConditionDraft) => void;
  readonly onRemove: () => void;
};

function ConditionFields({ condition, isChecked, ...props }: ConditionFieldsProps) {
  return condition.kind === 'event' ? (
    <EventConditionFields {...props} condition={condition} />
  ) : (
    <TraitFields {...props} condition={condition} isChecked={isChecked} />
  );
}
