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

/** The sentence of a reason from its newest events; undefined if there are none. */
export function sentenceOf(samples: readonly { readonly message: string }[]): string | undefined {
  const messages = new Set(samples.map(({ message }) => message));
  const [first] = messages;
  return messages.size > 1 ? `For example: ${first}` : first;
}
