import {
  Checkbox,
  Group,
  NumberInput,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { Card } from '../../../pieces/Card.tsx';
import { JsonField, jsonFault, jsonOf } from '../../../pieces/JsonField.tsx';
import { refusalAt } from '../../../pieces/Refusals.tsx';
import { audienceInWords } from '../campaign-words.ts';
import type { FormProps } from './form-props.ts';

/** The audience, the schedule and the caps. */
export function Rules(props: FormProps) {
  return (
    <>
      <Whom {...props} />
      <HowOften {...props} />
    </>
  );
}

function Whom({ draft, refusals, onChange }: FormProps) {
  const isSound = jsonFault(draft.audience) === undefined;
  return (
    <Card title="For whom and when">
      <Stack>
        <JsonField
          label="Audience"
          description='By traits of a contact, such as {"and": [{"trait": "plan", "operator": "eq", "value": "pro"}]}, and by segments: {"segment_id": "…"}. None is everybody.'
          value={draft.audience}
          onChange={text => onChange({ audience: text })}
          error={refusalAt(refusals, 'audience')}
        />
        {isSound && (
          <Text size="sm" c="dimmed" role="status">
            That is: {audienceInWords(jsonOf(draft.audience))}
          </Text>
        )}
        <TextInput
          label="Consent"
          description="What a person must have agreed to."
          value={draft.consentPurpose}
          onChange={({ currentTarget }) => onChange({ consentPurpose: currentTarget.value })}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label="From"
            description="By your clock; none is its launch."
            type="datetime-local"
            value={draft.startsAt}
            onChange={({ currentTarget }) => onChange({ startsAt: currentTarget.value })}
          />
          <TextInput
            label="Until"
            description="None is until it is paused."
            type="datetime-local"
            value={draft.endsAt}
            onChange={({ currentTarget }) => onChange({ endsAt: currentTarget.value })}
          />
        </SimpleGrid>
      </Stack>
    </Card>
  );
}

function HowOften({ draft, onChange }: FormProps) {
  const { caps } = draft;
  const cap = (label: string, name: keyof typeof caps) => (
    <NumberInput
      label={label}
      placeholder="No cap"
      min={1}
      allowDecimal={false}
      thousandSeparator
      value={caps[name] ?? ''}
      onChange={next =>
        onChange({ caps: { ...caps, [name]: typeof next === 'number' ? next : null } })
      }
    />
  );
  return (
    <Card title="How often one person sees it">
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {cap('Times in all', 'totalMax')}
          {cap('Seconds between two', 'intervalSecondsMin')}
          {cap('Times in a window', 'windowMax')}
          {cap('Length of the window, seconds', 'windowSeconds')}
        </SimpleGrid>
        <Checkbox.Group
          label="Ends for a person with"
          value={[...draft.endsOn]}
          onChange={endsOn => onChange({ endsOn: endsOn as typeof draft.endsOn })}
        >
          <Group mt={6}>
            <Checkbox value="CLICKED" label="a click" />
            <Checkbox value="DISMISSED" label="a dismissal" />
          </Group>
        </Checkbox.Group>
        <NumberInput
          label="Priority"
          description="The highest comes first."
          allowDecimal={false}
          value={draft.priority}
          onChange={next => onChange({ priority: typeof next === 'number' ? next : 0 })}
        />
        <Switch
          label="Shown whatever the workspace’s caps say"
          checked={draft.isCapExempt}
          onChange={({ currentTarget }) => onChange({ isCapExempt: currentTarget.checked })}
        />
      </Stack>
    </Card>
  );
}
