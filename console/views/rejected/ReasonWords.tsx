import { Text } from '@mantine/core';

type ReasonWordsProps = {
  readonly code: string;
  /** The sentence of an event with the code; undefined until it is known. */
  readonly message: string | undefined;
};

/** A reason by its code, and the sentence that explains it. */
export function ReasonWords({ code, message }: ReasonWordsProps) {
  return (
    <>
      {code}
      {message !== undefined && (
        <Text span display="block" size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
      )}
    </>
  );
}

/** The sentence of a reason from the different messages of its events; undefined if there are none. */
export function sentenceOf([message, ...others]: readonly string[]): string | undefined {
  return others.length > 0 ? `Several causes, for example: ${message}` : message;
}
