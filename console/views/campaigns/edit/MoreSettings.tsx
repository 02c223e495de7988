import {
  Box,
  Button,
  Checkbox,
  Group,
  NumberInput,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { Card } from '../../../pieces/Card.tsx';
import { type Draft, draftOf } from './campaign-input.ts';
import type { FormProps } from './form-props.ts';

/** In the order of the form. */
const FIELDS = [
  'startsAt',
  'endsAt',
  'totalMax',
  'intervalSecondsMin',
  'windowMax',
  'windowSeconds',
  'priority',
] as const;

/** The optional settings: closed at first if all are as in a new campaign. A fault opens them. */
export function MoreSettings(props: FormProps) {
  const { draft, refusalOf } = props;
  const isRefused = FIELDS.some(field => refusalOf(field) !== undefined);
  const [wasRefused, setWasRefused] = useState(isRefused);
  const [isOpen, setIsOpen] = useState(() => isRefused || isSet(draft));
  if (isRefused !== wasRefused) {
    setWasRefused(isRefused);
    if (isRefused) setIsOpen(true);
  }
  const id = useId();
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
          onClick={() => setIsOpen(!isOpen)}
          aria-expanded={isOpen}
          aria-controls={id}
        >
          More settings
        </Button>
        <Text size="sm" c="dimmed">
          Schedule, how often one person sees it, and priority
        </Text>
      </Group>
      {/*
        Not removed while it is closed: its fields keep what was typed. The browser shows what is wrong
        with a field only if the field is visible.
      */}
      <Box id={id} display={isOpen ? undefined : 'none'} onInvalidCapture={() => setIsOpen(true)}>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
          <Schedule {...props} />
          <HowOften {...props} />
        </SimpleGrid>
      </Box>
    </Stack>
  );
}

function isSet(draft: Draft): boolean {
  return settingsOf(draft) !== settingsOf(draftOf(undefined));
}

function settingsOf({ startsAt, endsAt, caps, endsOn, priority, isCapExempt }: Draft): string {
  const ends = [...endsOn].sort();
  return JSON.stringify([startsAt, endsAt, caps, ends, priority, isCapExempt]);
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
      placeholder="No limit"
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
          description="If a person can see several campaigns, the one with the highest priority comes first."
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
