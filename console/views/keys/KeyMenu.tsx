import { Code, Menu } from '@mantine/core';
import { IconBan, IconPencil, IconRefresh, IconTerminal2 } from '@tabler/icons-react';
import { graphql } from '../../graph/graphql.ts';
import { confirm } from '../../pieces/confirm.tsx';
import { MoreMenu } from '../../pieces/MoreMenu.tsx';
import { useAction } from '../../pieces/use-action.tsx';
import { useMay } from '../../session/ViewerProvider.tsx';
import type { SdkKey } from './keys-query.ts';
import { useRotation } from './use-rotation.tsx';

const REVOKE = graphql(`
  mutation KeyRevoke($id: ID!) {
    sdkKeyRevoke(id: $id) { sdkKey { id isActive revokedAt } userErrors { message field } }
  }
`);

type KeyMenuProps = {
  readonly sdkKey: SdkKey;
  readonly onTry: () => void;
  readonly onEdit: () => void;
  readonly onRotated: (writeKey: string) => void;
};

export function KeyMenu({ sdkKey, onTry, onEdit, onRotated }: KeyMenuProps) {
  const isOwner = useMay('OWNER');
  const rotate = useRotation(sdkKey, onRotated);
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
