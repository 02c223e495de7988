import { Checkbox, Group, NumberInput, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { Card } from '../../../pieces/Card.tsx';
import { AudienceFields } from './audience/AudienceFields.tsx';
import { givenAudience } from './audience/audience-draft.ts';
import { LiveReach } from './audience/LiveReach.tsx';
import type { FormProps } from './form-props.ts';

/** The audience, the schedule and the caps. */
export function Rules(props: FormProps) {
  return (
    <>
      <Whom {...props} />
      <Schedule {...props} />
      <HowOften {...props} />
    </>
  );
}

function Whom({ draft, isChecked, refusalOf, onChange }: FormProps) {
  const { audience, consentPurpose } = draft;
  return (
    <Card title="For whom">
      <Stack>
        <LiveReach audience={givenAudience(audience)} consentPurpose={consentPurpose} />
        <AudienceFields
          audience={audience}
          isChecked={isChecked}
          refusal={refusalOf('audience')}
          onChange={next => onChange({ audience: next })}
        />
        <TextInput
          label="Consent"
          description="The purpose that a person must have agreed to, such as marketing. Content for service and transactional is shown unless a person has objected."
          required
          value={consentPurpose}
          onChange={({ currentTarget }) => onChange({ consentPurpose: currentTarget.value })}
          error={refusalOf('consentPurpose')}
        />
      </Stack>
    </Card>
  );
}

const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

function Schedule({ draft, refusalOf, onChange }: FormProps) {
  return (
    <Card title="When">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="From"
          description={`In the time zone ${TIME_ZONE}. Empty for its launch.`}
          type="datetime-local"
          value={draft.startsAt}
          onChange={({ currentTarget }) => onChange({ startsAt: currentTarget.value })}
          error={refusalOf('startsAt')}
        />
        <TextInput
          label="Until"
          description={`In the time zone ${TIME_ZONE}. Empty for no end.`}
          type="datetime-local"
          value={draft.endsAt}
          onChange={({ currentTarget }) => onChange({ endsAt: currentTarget.value })}
          error={refusalOf('endsAt')}
        />
      </SimpleGrid>
    </Card>
  );
}

function HowOften({ draft, refusalOf, onChange }: FormProps) {
  const { caps } = draft;
  const cap = (label: string, name: keyof typeof caps) => (
    <NumberInput
      label={label}
      placeholder="No cap"
      min={1}
      allowDecimal={false}
      thousandSeparator
      error={refusalOf(name)}
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
          label="Stop showing it to a person after"
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
          error={refusalOf('priority')}
          value={draft.priority}
          onChange={next => onChange({ priority: typeof next === 'number' ? next : 0 })}
        />
        <Switch
          label="Ignore the workspace’s frequency caps"
          checked={draft.isCapExempt}
          onChange={({ currentTarget }) => onChange({ isCapExempt: currentTarget.checked })}
        />
      </Stack>
    </Card>
  );
}
