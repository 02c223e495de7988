import { Textarea } from '@mantine/core';

type JsonFieldProps = {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** The API's error message for the field. */
  readonly error?: string | undefined;
  readonly isRequired?: boolean;
};

const ROWS_MIN = 4;
const ROWS_MAX = 18;

/** A JSON text field that shows syntax errors during input. */
export function JsonField(props: JsonFieldProps) {
  const { label, description, value, onChange, error, isRequired = false } = props;
  return (
    <Textarea
      label={label}
      description={description}
      required={isRequired}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={jsonFault(value) ?? error}
      autosize
      minRows={ROWS_MIN}
      maxRows={ROWS_MAX}
      spellCheck={false}
      autoCapitalize="off"
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
    />
  );
}

/** Why it is no JSON; undefined where it is, or where there is nothing. */
export function jsonFault(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `Not valid JSON: ${(error as Error).message}`;
  }
}

/** Null where there is nothing. Only for text without a fault. */
export function jsonOf(text: string): unknown {
  return text.trim() === '' ? null : JSON.parse(text);
}

export function inJson(value: unknown): string {
  return value === null || value === undefined ? '' : JSON.stringify(value, null, 2);
}
