import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { CodeBlock } from '../../pieces/CodeBlock.tsx';
import { curlLine } from '../../pieces/curl-line.ts';
import type { SdkKey } from './keys-query.ts';

/** A command to paste into a terminal, and where its events appear. */
export function TryKey({ sdkKey }: { readonly sdkKey: SdkKey }) {
  return (
    <Stack>
      <Text size="sm">
        Paste this into a terminal: it sends one event, which{' '}
        <Anchor component={Link} href="/live" inherit>
          the live view
        </Anchor>{' '}
        shows at once.
      </Text>
      <CodeBlock
        label="curl command"
        code={curlLine(location.origin, sdkKey.writeKey, new Date())}
      />
      <Text size="sm" c="dimmed">
        An answer of 200 means that the event is safe on disk.
      </Text>
    </Stack>
  );
}
