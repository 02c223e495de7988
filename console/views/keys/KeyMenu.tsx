import { Code, Menu, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBan, IconPencil, IconRefresh, IconTerminal2 } from '@tabler/icons-react';
import { useRef } from 'react';
import { graphql } from '../../graph/graphql.ts';
import { CopyIcon } from '../../pieces/CopyIcon.tsx';
import { confirm } from '../../pieces/confirm.tsx';
import { MoreMenu } from '../../pieces/MoreMenu.tsx';
import { useAction } from '../../pieces/use-action.tsx';
import { useMay } from '../../session/ViewerProvider.tsx';
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

const REVOKE = graphql(`
  mutation KeyRevoke($id: ID!) {
    sdkKeyRevoke(id: $id) { sdkKey { id isActive revokedAt } userErrors { message field } }
  }
`);

type KeyMenuProps = {
  readonly sdkKey: SdkKey;
  readonly onTry: () => void;
  readonly onEdit: () => void;
};

export function KeyMenu({ sdkKey, onTry, onEdit }: KeyMenuProps) {
  const isOwner = useMay('OWNER');
  const rotate = useRotation(sdkKey);
  const revoke = useRevocation(sdkKey);
  if (!sdkKey.isActive) return null;
  return (
    <MoreMenu label={`Actions for ${sdkKey.name}, ${sdkKey.writeKey}`} widthPx={200} isQuiet>
      <Menu.Item leftSection={<IconTerminal2 size={16} />} onClick={onTry}>
        Test event code
      </Menu.Item>
      {isOwner && (
        <>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
            Edit
          </Menu.Item>
          {sdkKey.replacedBy === null && (
            <Menu.Item leftSection={<IconRefresh size={16} />} onClick={rotate}>
              Rotate
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconBan size={16} />}
            c="var(--mantine-color-error)"
            onClick={revoke}
          >
            Revoke
          </Menu.Item>
        </>
      )}
    </MoreMenu>
  );
}

/** How long apps that are out there have to take the new one. */
const OVERLAPS = [
  { value: '0', label: 'Expires immediately' },
  { value: '3600', label: 'Expires in 1 hour' },
  { value: '86400', label: 'Expires in 1 day' },
  { value: '604800', label: 'Expires in 1 week' },
  { value: '2592000', label: 'Expires in 30 days' },
];
const OVERLAP_DEFAULT = '86400';

function useRotation({ id, name }: SdkKey): () => void {
  const { run } = useAction(ROTATE);
  const overlap = useRef(OVERLAP_DEFAULT);
  const rotate = async () => {
    const overlapSeconds = Number(overlap.current);
    const sdkKey = (await run({ id, input: { overlapSeconds } }))?.sdkKeyRotate?.sdkKey;
    if (sdkKey) showNewKey(name, sdkKey.writeKey);
  };
  return () => {
    overlap.current = OVERLAP_DEFAULT;
    confirm({
      title: `Rotate “${name}”`,
      confirm: 'Rotate key',
      children: (
        <Stack gap="sm">
          <Text size="sm">
            Creates a new key with the same settings. The old key keeps working until it expires, so
            that you can change the apps that use it.
          </Text>
          <Select
            label="Old key"
            data={OVERLAPS}
            defaultValue={OVERLAP_DEFAULT}
            allowDeselect={false}
            onChange={value => {
              overlap.current = value ?? OVERLAP_DEFAULT;
            }}
          />
        </Stack>
      ),
      onConfirm: () => void rotate(),
    });
  };
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

function useRevocation({ id, name, writeKey }: SdkKey): () => void {
  const { run } = useAction(REVOKE, { done: `“${name}” was revoked.` });
  return () =>
    confirm({
      title: `Revoke “${name}”`,
      confirm: 'Revoke key',
      isDangerous: true,
      children: (
        <>
          Events sent with <Code>{writeKey}</Code> are rejected within about a second. This can’t be
          undone.
        </>
      ),
      onConfirm: () => void run({ id }),
    });
}
