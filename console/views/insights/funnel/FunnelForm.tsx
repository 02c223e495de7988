import { ActionIcon, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { AddButton, EventFields } from '../../../pieces/event-match/EventFields.tsx';
import { ANY_EVENT, type EventDraft } from '../../../pieces/event-match/event-draft.ts';
import { PropertyInput } from '../../../pieces/event-match/PropertyInput.tsx';
import { RemoveButton } from '../../../pieces/RemoveButton.tsx';
import { RangeFilter } from '../../../pieces/range/RangeFilter.tsx';
import type { Range } from '../../../pieces/range/range.ts';
import { useAddedFocus } from '../../../pieces/use-added-focus.ts';
import {
  EXCLUSIONS_MAX,
  type FunnelSettings,
  isChosen,
  LIMITS,
  STEPS_MAX,
  STEPS_MIN,
  WINDOWS,
} from './funnel-settings.ts';

type FunnelFormProps = {
  readonly settings: FunnelSettings;
  readonly range: Range | undefined;
  readonly onChange: (part: Partial<FunnelSettings>) => void;
};

export function FunnelForm({ settings, range, onChange }: FunnelFormProps) {
  const { steps, exclusions, windowSeconds, breakdown } = settings;
  return (
    <Stack component="search" gap="lg" aria-label="Report settings">
      <Steps
        steps={steps}
        // Another funnel has other drop-offs.
        onChange={next => onChange({ steps: next, droppedAfter: 0 })}
      >
        <Exclusions
          exclusions={exclusions}
          onChange={next => onChange({ exclusions: next, droppedAfter: 0 })}
        />
      </Steps>
      <Group gap="md" align="flex-end">
        <Select
          label="Conversion window"
          data={WINDOWS.map(({ seconds, label }) => ({ value: String(seconds), label }))}
          value={String(windowSeconds)}
          onChange={value => onChange({ windowSeconds: Number(value) })}
          allowDeselect={false}
          w={250}
        />
        <PropertyInput
          label="Break down by"
          placeholder="None"
          eventName={steps[0]?.name ?? ''}
          value={breakdown}
          onChange={value => onChange({ breakdown: value })}
          w={220}
        />
        <RangeFilter
          chosen={settings.range}
          limits={LIMITS}
          range={range}
          onChange={chosen => onChange({ range: chosen })}
        />
      </Group>
    </Stack>
  );
}

type StepsProps = {
  readonly steps: readonly EventDraft[];
  readonly onChange: (steps: readonly EventDraft[]) => void;
  /** Beside the button that adds a step. */
  readonly children: ReactNode;
};

/** On wide screens in two columns, so that the report below them is in view. */
function Steps({ steps, onChange, children }: StepsProps) {
  const { list, focusAdded } = useAddedFocus();
  const add = useRef<HTMLButtonElement>(null);
  const focusNextEmpty = (at: number) => {
    const empty = steps.findIndex((step, other) => other !== at && !isChosen(step));
    const field = list.current?.children[empty]?.querySelector('input');
    (field ?? add.current)?.focus();
  };
  const swapWithNext = (at: number) =>
    onChange(steps.with(at, steps[at + 1]!).with(at + 1, steps[at]!));
  return (
    <Stack gap="xs">
      <Text size="sm" fw={550}>
        Steps, in order
      </Text>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" verticalSpacing="xs" ref={list}>
        {steps.map((step, at) => (
          <StepRow
            key={at}
            at={at}
            step={step}
            count={steps.length}
            onChange={next => onChange(steps.with(at, next))}
            onEntered={() => focusNextEmpty(at)}
            onMoveDown={() => swapWithNext(at)}
            onRemove={() => onChange(steps.toSpliced(at, 1))}
          />
        ))}
      </SimpleGrid>
      <Group gap="xs" align="flex-start">
        <AddButton
          ref={add}
          isDisabled={steps.length >= STEPS_MAX}
          onAdd={() => {
            onChange([...steps, ANY_EVENT]);
            focusAdded();
          }}
        >
          {steps.length >= STEPS_MAX ? `At most ${STEPS_MAX} steps` : 'Add a step'}
        </AddButton>
        {children}
      </Group>
      <Text size="xs" c="dimmed">
        Each person counts once at each step that they reach, in this order and within the
        conversion window. Events without a user ID count under their anonymous ID.
      </Text>
    </Stack>
  );
}

type StepRowProps = {
  readonly at: number;
  readonly step: EventDraft;
  /** Of the steps. */
  readonly count: number;
  readonly onChange: (step: EventDraft) => void;
  readonly onEntered: () => void;
  readonly onMoveDown: () => void;
  readonly onRemove: () => void;
};

function StepRow(props: StepRowProps) {
  const { at, step, count, onChange, onEntered, onMoveDown, onRemove } = props;
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Text size="sm" c="dimmed" w={18} ta="right" lh="36px" aria-hidden>
        {at + 1}
      </Text>
      <EventFields
        label={`Step ${at + 1}`}
        placeholder="Choose an event"
        value={step}
        onChange={onChange}
        onEntered={onEntered}
      >
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={`Move step ${at + 1} down`}
          disabled={at === count - 1}
          onClick={onMoveDown}
          visibleFrom="xs"
        >
          <IconArrowDown size={16} />
        </ActionIcon>
        <RemoveButton label={`step ${at + 1}`} disabled={count <= STEPS_MIN} onClick={onRemove} />
      </EventFields>
    </Group>
  );
}

type ExclusionsProps = {
  readonly exclusions: readonly EventDraft[];
  readonly onChange: (exclusions: readonly EventDraft[]) => void;
};

function Exclusions({ exclusions, onChange }: ExclusionsProps) {
  const { list, focusAdded } = useAddedFocus();
  return (
    <Stack gap="xs" flex={exclusions.length === 0 ? undefined : '1 0 100%'}>
      {exclusions.length > 0 && (
        <Text size="sm" fw={550}>
          Exclude people who do this between steps
        </Text>
      )}
      <Stack gap="xs" ref={list} display={exclusions.length === 0 ? 'none' : undefined}>
        {exclusions.map((event, at) => (
          <EventFields
            key={at}
            label={`Excluded event ${at + 1}`}
            placeholder="Choose an event"
            value={event}
            onChange={next => onChange(exclusions.with(at, next))}
          >
            <RemoveButton
              label={`excluded event ${at + 1}`}
              onClick={() => onChange(exclusions.toSpliced(at, 1))}
            />
          </EventFields>
        ))}
      </Stack>
      <AddButton
        isDisabled={exclusions.length >= EXCLUSIONS_MAX}
        onAdd={() => {
          onChange([...exclusions, ANY_EVENT]);
          focusAdded();
        }}
      >
        {exclusions.length >= EXCLUSIONS_MAX
          ? `At most ${EXCLUSIONS_MAX} excluded events`
          : 'Exclude an event'}
      </AddButton>
    </Stack>
  );
}
