import { IconAlertTriangle } from '@tabler/icons-react';
import { inShort } from '../in-words.ts';
import { SuggestInput } from '../suggest/SuggestInput.tsx';
import { EVENT_NAME_DAYS, useEventNames } from './use-event-names.ts';
import { useUnknownName } from './use-unknown-name.ts';

type EventNameInputProps = {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (name: string) => void;
  readonly onEntered?: (() => void) | undefined;
};

/**
 * Suggests the events of the workspace, the most frequent first. Any other name can be typed, with a
 * warning if no event has it.
 */
export function EventNameInput(props: EventNameInputProps) {
  const { label, placeholder, value, onChange, onEntered } = props;
  const names = useEventNames() ?? [];
  const warning = useUnknownName(value);
  const totals = new Map(names.map(({ name, total }) => [name, total]));
  return (
    <SuggestInput
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onChange={onChange}
      onEntered={onEntered}
      suggestions={names.map(({ name }) => name)}
      noteOf={name => inEvents(totals.get(name) ?? 0)}
      listNote={`Number of events, not of people, in the ${EVENT_NAME_DAYS} days before this page was opened.`}
      description={warning && <Warning>{warning}</Warning>}
      descriptionProps={{ role: 'status' }}
      inputWrapperOrder={['input', 'description']}
      flex={1}
      miw={0}
    />
  );
}

function inEvents(total: number): string {
  return `${inShort(total)} ${total === 1 ? 'event' : 'events'}`;
}

function Warning({ children }: { readonly children: string }) {
  return (
    <>
      <IconAlertTriangle size={14} style={{ verticalAlign: -2 }} aria-hidden /> {children}
    </>
  );
}
