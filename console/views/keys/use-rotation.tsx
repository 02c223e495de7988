import { Alert, Code, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useRef, useState } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../../graph/graphql.ts';
import { CopyIcon } from '../../pieces/CopyIcon.tsx';
import { confirm } from '../../pieces/confirm.tsx';
import { OverlapSelect } from '../../pieces/OverlapSelect.tsx';
import { useAction } from '../../pieces/use-action.tsx';
import { When } from '../../pieces/When.tsx';
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

/** The list may be older than the last use. */
const LAST_USE = graphql(`
  query KeyLastUse($id: ID!) {
    node(id: $id) { __typename ... on SdkKey { id lastUsedAt } }
  }
`);

/** Apps that are out there have a day to take the new one. */
const OVERLAP_SECONDS_DEFAULT = 86_400;

/** Asks when the old key expires, then rotates. Passes the new key. */
export function useRotation(sdkKey: SdkKey, onRotated: (writeKey: string) => void): () => void {
  const { id, name } = sdkKey;
  const { run } = useAction(ROTATE);
  const overlap = useRef(OVERLAP_SECONDS_DEFAULT);
  const rotate = async () => {
    const input = { overlapSeconds: overlap.current };
    const made = (await run({ id, input }))?.sdkKeyRotate?.sdkKey;
    if (!made) return;
    showNewKey(name, made.writeKey);
    onRotated(made.writeKey);
  };
  return () => {
    overlap.current = OVERLAP_SECONDS_DEFAULT;
    confirm({
      title: `Rotate “${name}”`,
      confirm: 'Rotate key',
      children: (
        <Rotation
          sdkKey={sdkKey}
          onChange={seconds => {
            overlap.current = seconds;
          }}
        />
      ),
      onConfirm: () => void rotate(),
    });
  };
}

type RotationProps = {
  readonly sdkKey: SdkKey;
  readonly onChange: (overlapSeconds: number) => void;
};

function Rotation({ sdkKey, onChange }: RotationProps) {
  const { id, writeKey, lastUsedAt } = sdkKey;
  const [seconds, setSeconds] = useState(OVERLAP_SECONDS_DEFAULT);
  const [{ data }] = useQuery({ query: LAST_USE, variables: { id } });
  const fresh = data?.node?.__typename === 'SdkKey' ? data.node : undefined;
  return (
    <Stack gap="sm">
      <Text size="sm">
        Creates a new key with the same settings as <Code>{writeKey}</Code>. Change the apps that
        use the old key before it expires.
      </Text>
      <Text size="sm">
        Old key last used: <When at={fresh?.lastUsedAt ?? lastUsedAt} never="Never" isRelative />
      </Text>
      <OverlapSelect
        of="key"
        seconds={seconds}
        onChange={chosen => {
          setSeconds(chosen);
          onChange(chosen);
        }}
      />
      {seconds === 0 && (
        <Alert role="status" color="yellow" variant="outline">
          Apps with the old key stop working immediately: their events are rejected.
        </Alert>
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
