import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPencil, IconPlugConnected, IconTrash } from '@tabler/icons-react';
import { graphql } from '../../../graph/graphql.ts';
import { confirm } from '../../../pieces/confirm.tsx';
import { MoreMenu } from '../../../pieces/MoreMenu.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';

const TEST = graphql(`
  mutation GatewayCredentialsTest {
    gatewayCredentialsTest { isAccepted code message userErrors { message field } }
  }
`);

const REMOVE = graphql(`
  mutation GatewayCredentialsRemove {
    gatewayCredentialsRemove { isRemoved userErrors { message field } }
  }
`);

const CHANGES = ['GatewayCredentials'];

export function AccountActions({ onChange }: { readonly onChange: () => void }) {
  const test = useAction(TEST, { changes: CHANGES });
  const remove = useAction(REMOVE, { done: 'The credentials are gone.', changes: CHANGES });
  if (!useMay('OWNER')) return null;
  const run = async () => {
    const tested = (await test.run({}))?.gatewayCredentialsTest;
    if (!tested) return;
    const { isAccepted, message } = tested;
    notifications.show({
      title: isAccepted ? 'The gateway knows them' : 'The gateway does not take them',
      message,
      color: isAccepted ? 'green' : 'red',
    });
  };
  const askToRemove = () =>
    confirm({
      title: 'Remove the credentials',
      confirm: 'Remove them',
      isDangerous: true,
      children:
        'They and their secrets are gone for good. You are paid through the platform’s account then, and what your own account still tells is refused.',
      onConfirm: () => void remove.run({}),
    });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlugConnected size={17} />}
        loading={test.isRunning}
        onClick={() => void run()}
      >
        Test them
      </Button>
      <MoreMenu label="More actions" widthPx={200}>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={onChange}>
          Change
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTrash size={16} />}
          c="var(--mantine-color-error)"
          onClick={askToRemove}
        >
          Remove
        </Menu.Item>
      </MoreMenu>
    </>
  );
}
