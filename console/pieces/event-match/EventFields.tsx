import { ActionIcon, Button, Group, Stack, Tooltip } from '@mantine/core';
import { IconFilterPlus } from '@tabler/icons-react';
import type { ReactNode, Ref } from 'react';
import { useAddedFocus } from '../use-added-focus.ts';
import { EventNameInput } from './EventNameInput.tsx';
import { type EventDraft, FILTERS_MAX, type FilterDraft, NEW_FILTER } from './event-draft.ts';
import { FilterFields } from './FilterFields.tsx';

type EventFieldsProps = {
  /** Such as "Step 1". */
  readonly label: string;
  readonly value: EventDraft;
  readonly onChange: (next: EventDraft) => void;
  readonly placeholder?: string;
  /** After Enter has chosen the event. */
  readonly onEntered?: () => void;
  /** Fields and buttons at the end of the first line. */
  readonly children?: ReactNode;
};

/** An event by its name, and filters on its values. */
export function EventFields(props: EventFieldsProps) {
  const { label, value, onChange, onEntered, placeholder = 'Any event', children } = props;
  const { name, filters } = value;
  const { list, focusAdded } = useAddedFocus();
  const change = (next: readonly FilterDraft[]) => onChange({ ...value, filters: next });
  return (
    <Stack gap="xs" flex={1} miw={0}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <EventNameInput
          label={label}
          placeholder={placeholder}
          value={name}
          onChange={next => onChange({ ...value, name: next })}
          onEntered={onEntered}
        />
        <Tooltip label="Add a filter">
          <ActionIcon
            variant="default"
            size={36}
            aria-label={`Add a filter to ${label.toLowerCase()}`}
            disabled={filters.length >= FILTERS_MAX}
            onClick={() => {
              change([...filters, NEW_FILTER]);
              focusAdded();
            }}
          >
            <IconFilterPlus size={17} />
          </ActionIcon>
        </Tooltip>
        {children}
      </Group>
      <Stack gap="xs" ref={list} display={filters.length === 0 ? 'none' : undefined}>
        {filters.map((filter, at) => (
          <FilterFields
            key={at}
            label={`${label}, filter ${at + 1}`}
            eventName={name}
            filter={filter}
            onChange={next => change(filters.with(at, next))}
            onRemove={() => change(filters.toSpliced(at, 1))}
          />
        ))}
      </Stack>
    </Stack>
  );
}

type AddButtonProps = {
  readonly isDisabled: boolean;
  readonly onAdd: () => void;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly children: ReactNode;
};

/** Below a list of events. */
export function AddButton({ isDisabled, onAdd, ref, children }: AddButtonProps) {
  return (
    <Button
      ref={ref}
      variant="default"
      size="xs"
      disabled={isDisabled}
      onClick={onAdd}
      style={{ alignSelf: 'start' }}
    >
      {children}
    </Button>
  );
}
