import { Alert, Code, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useRef, useState } from 'react';
import { graphql } from '../../graph/graphql.ts';
import { CopyIcon } from '../../pieces/CopyIcon.tsx';
import { confirm } from '../../pieces/confirm.tsx';
import { useAction } from '../../pieces/use-action.tsx';
import type { SdkKey } from './keys-query.ts';

const ROTATE = graphql(`
  mutation KeyRotate($id: ID!, $input: SdkKeyRotateInput!) {
    sdkKeyRotate(id: $id, input: $input) {
      sdkKey { id writeKey }
      replacedKey { id expiresAt }
      userErrors { message field }
    }
  }
`);

/** How long apps that are out there have to take the new one. */
const OVERLAPS = [
  { value: '0', label: 'Expires immediately' },
  { value: '3600', label: 'Expires in 1 hour' },
  { value: '86400', label: 'Expires in 1 day' },
  { value: '604800', label: 'Expires in 1 week' },
  { value: '2592000', label: 'Expires in 30 days' },
];
const OVERLAP_DEFAULT = '86400';

/** Asks when the old key expires, then rotates. Passes the new key. */
export function useRotation(
  { id, name, writeKey }: SdkKey,
  onRotated: (writeKey: string) => void,
): () => void {
  const { run } = useAction(ROTATE);
  const overlap = useRef(OVERLAP_DEFAULT);
  const rotate = async () => {
    const overlapSeconds = Number(overlap.current);
    const sdkKey = (await run({ id, input: { overlapSeconds } }))?.sdkKeyRotate?.sdkKey;
    if (!sdkKey) return;
    showNewKey(name, sdkKey.writeKey);
    onRotated(sdkKey.writeKey);
  };
  return () => {
    overlap.current = OVERLAP_DEFAULT;
    confirm({
      title: `Rotate “${name}”`,
      confirm: 'Rotate key',
      children: (
        <OverlapChoice
          writeKey={writeKey}
          onChange={value => {
            overlap.current = value;
          }}
        />
      ),
      onConfirm: () => void rotate(),
    });
  };
}

type OverlapChoiceProps = {
  readonly writeKey: string;
  readonly onChange: (seconds: string) => void;
};

function OverlapChoice({ writeKey, onChange }: OverlapChoiceProps) {
  const [overlap, setOverlap] = useState(OVERLAP_DEFAULT);
  return (
    <Stack gap="sm">
      <Text size="sm">
        Creates a new key with the same settings as <Code>{writeKey}</Code>.
      </Text>
      <Select
        label="Old key"
        data={OVERLAPS}
        value={overlap}
        allowDeselect={false}
        data-autofocus
        onChange={value => {
          const chosen = value ?? OVERLAP_DEFAULT;
          setOverlap(chosen);
          onChange(chosen);
        }}
      />
      {overlap === '0' ? (
        <Alert role="status" color="yellow" variant="outline">
          Apps with the old key stop working immediately: their events are rejected.
        </Alert>
      ) : (
        <Text size="sm" role="status">
          The old key keeps working until it expires, so that you can change the apps that use it.
        </Text>
      )}
    </Stack>
  );
}

/** Long enough to copy the key; the list has it too. */
const SHOWN_MS = 20_000;

function showNewKey(name: string, writeKey: string): void {
  notifications.show({
    title: `“${name}” was rotated`,
    message: (
      <CopyIcon text={writeKey} label="new key">
        <Code>{writeKey}</Code>
      </CopyIcon>
    ),
    autoClose: SHOWN_MS,
  });
}
