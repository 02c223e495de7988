import { Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { inCount } from '../in-words.ts';
import { JsonText } from '../json/JsonText.tsx';
import { placeOf } from './place-of.ts';
import type { Sent } from './sent.ts';

type SentPayloadProps = { readonly sent: Pick<Sent, 'body' | 'fullBytes' | 'refusal'> };

/** The JSON of an event as it was sent; if it was rejected, with the error at its place. */
export function SentPayload({ sent: { body, fullBytes, refusal } }: SentPayloadProps) {
  const mark = useMemo(() => refusal && placeOf(refusal), [refusal]);
  return (
    <Stack gap="xs">
      <JsonText text={body} label="Payload" mark={mark} />
      {fullBytes !== undefined && (
        <Text size="sm" c="dimmed">
          Truncated. The payload has {inCount(fullBytes)} bytes in total.
        </Text>
      )}
    </Stack>
  );
}
