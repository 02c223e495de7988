import {
  Combobox,
  type ComboboxStore,
  ScrollArea,
  Text,
  TextInput,
  type TextInputProps,
  useCombobox,
} from '@mantine/core';
import { type Ref, useEffect, useId, useState } from 'react';
import { Suggestion } from './Suggestion.tsx';
import { type EnterChooses, isChosen, suggested } from './suggested.ts';

type SuggestInputProps = Omit<TextInputProps, 'value' | 'onChange' | 'label'> & {
  readonly ref?: Ref<HTMLInputElement> | undefined;
  readonly label?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly suggestions: readonly string[];
  /** After Enter has chosen a suggestion. */
  readonly onEntered?: (() => void) | undefined;
  /** At the end of the line of a suggestion, such as a count. */
  readonly noteOf?: ((suggestion: string) => string | undefined) | undefined;
  /** Below the list: which suggestions it has. */
  readonly listNote?: string;
  /** Stricter for a value, since any text can be meant and Enter must not replace it. */
  readonly enterChooses?: EnterChooses;
};

/**
 * A text with suggestions. They are filtered by what is typed, and Enter chooses the highlighted one; other
 * text can be typed. All are listed when the field is opened, so that another can be chosen. Enter never
 * submits the form around it: it would save half of a value.
 */
export function SuggestInput(props: SuggestInputProps) {
  const { value, onChange, suggestions, enterChooses = 'containing', ...rest } = props;
  const { noteOf, listNote, onEntered, onFocus, ...field } = rest;
  const [isTyped, setIsTyped] = useState(false);
  const [first, setFirst] = useState<string>();
  const combobox = useCombobox({
    onDropdownClose: () => {
      setIsTyped(false);
      setFirst(undefined);
      combobox.resetSelectedOption();
    },
  });
  const options = isTyped ? suggested(suggestions, value) : suggestions;
  const isOpen = combobox.dropdownOpened && options.some(option => option !== value);
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={chosen => {
        onChange(chosen);
        combobox.closeDropdown();
      }}
    >
      {/* Until an arrow key selects another option. */}
      <Combobox.Target withExpandedAttribute {...(first && { 'aria-activedescendant': first })}>
        <TextInput
          {...field}
          value={value}
          onChange={({ currentTarget }) => {
            onChange(currentTarget.value);
            setIsTyped(true);
            combobox.openDropdown();
          }}
          onKeyDown={event => {
            if (event.key === 'Enter') event.preventDefault();
            if (event.key.startsWith('Arrow')) setFirst(undefined);
          }}
          onClick={() => combobox.openDropdown()}
          onFocus={event => {
            combobox.openDropdown();
            onFocus?.(event);
          }}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!isOpen}>
        <Options
          combobox={combobox}
          label={field['aria-label'] ?? field.label ?? ''}
          options={options}
          typed={value}
          isPreselected={isTyped && isChosen(options[0], value, enterChooses)}
          onPreselect={setFirst}
          onEntered={onEntered}
          noteOf={noteOf}
          listNote={listNote}
        />
      </Combobox.Dropdown>
    </Combobox>
  );
}

type OptionsProps = Pick<SuggestInputProps, 'noteOf' | 'onEntered'> & {
  readonly listNote: string | undefined;
  readonly combobox: ComboboxStore;
  readonly label: string;
  readonly options: readonly string[];
  readonly typed: string;
  /** Whether the first option is selected. */
  readonly isPreselected: boolean;
  /** With the ID of the option. */
  readonly onPreselect: (id: string | undefined) => void;
};

const HEIGHT_MAX_PX = 220;

function Options(props: OptionsProps) {
  const { combobox, label, options, typed, isPreselected, onPreselect, noteOf, listNote } = props;
  const { onEntered } = props;
  const noteId = useId();
  const [match] = options;
  useEffect(() => {
    combobox.resetSelectedOption();
    const id = isPreselected ? combobox.selectFirstOption() : null;
    onPreselect(id ?? undefined);
  }, [typed, isPreselected, match]);
  return (
    <>
      <Combobox.Options aria-label={label} aria-describedby={listNote && noteId}>
        <ScrollArea.Autosize mah={HEIGHT_MAX_PX} type="scroll">
          {options.map(option => (
            <Combobox.Option
              key={option}
              value={option}
              // The detail of a click is 0 if Enter caused it, not a pointer.
              onClick={({ detail }) => detail === 0 && onEntered?.()}
            >
              <Suggestion text={option} note={noteOf?.(option)} />
            </Combobox.Option>
          ))}
        </ScrollArea.Autosize>
      </Combobox.Options>
      {listNote !== undefined && (
        <Combobox.Footer id={noteId}>
          <Text size="xs" c="dimmed">
            {listNote}
          </Text>
        </Combobox.Footer>
      )}
    </>
  );
}
