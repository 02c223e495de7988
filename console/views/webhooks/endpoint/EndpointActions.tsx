import { Button, Menu } from '@mantine/core';
import {
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { confirm } from '../../../pieces/confirm.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { MoreMenu } from '../../../pieces/MoreMenu.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import type { Endpoint } from '../endpoint-query.ts';
import { nameOf } from '../endpoint-words.ts';
import { useTest } from '../use-test.ts';
import { WEBHOOKS } from '../webhook-paths.ts';
import { EndpointForm } from './EndpointForm.tsx';
import { ReplayForm } from './ReplayForm.tsx';
import { RotateForm } from './RotateForm.tsx';
import { useDelete, useDisable, useEnable } from './use-endpoint-deeds.ts';

type Opened = 'edit' | 'replay' | 'rotate';

const TITLES: Record<Opened, string> = {
  edit: 'Edit endpoint',
  replay: 'Resend deliveries',
  rotate: 'Rotate secret',
};

export function EndpointActions({ endpoint }: { readonly endpoint: Endpoint }) {
  const [opened, setOpened] = useState<Opened>();
  const [, go] = useLocation();
  const { test, isRunning } = useTest(endpoint.id, id => go(WEBHOOKS.delivery(id)));
  const close = () => setOpened(undefined);
  if (!useMay('OWNER')) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconSend size={16} />}
        loading={isRunning}
        onClick={test}
      >
        Send test
      </Button>
      {endpoint.state === 'ENABLED' && (
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          onClick={() => setOpened('replay')}
        >
          Resend deliveries …
        </Button>
      )}
      <EndpointMenu endpoint={endpoint} onOpen={setOpened} />
      <Dialog
        opened={opened !== undefined}
        onClose={close}
        size="lg"
        title={opened && TITLES[opened]}
      >
        {opened === 'edit' && <EndpointForm endpoint={endpoint} onChanged={close} />}
        {opened === 'replay' && <ReplayForm endpoint={endpoint} onDone={close} />}
        {opened === 'rotate' && <RotateForm endpoint={endpoint} />}
      </Dialog>
    </>
  );
}

type EndpointMenuProps = {
  readonly endpoint: Endpoint;
  readonly onOpen: (what: Opened) => void;
};

function EndpointMenu({ endpoint, onOpen }: EndpointMenuProps) {
  const isEnabled = endpoint.state === 'ENABLED';
  const { enable } = useEnable(endpoint.id);
  const { disable, remove } = useConfirmed(endpoint);
  return (
    <MoreMenu label="More actions" widthPx={220}>
      <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onOpen('edit')}>
        Edit
      </Menu.Item>
      <Menu.Item leftSection={<IconKey size={16} />} onClick={() => onOpen('rotate')}>
        Rotate secret
      </Menu.Item>
      <Menu.Divider />
      {isEnabled ? (
        <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={disable}>
          Disable
        </Menu.Item>
      ) : (
        <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={enable}>
          Enable
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<IconTrash size={16} />}
        c="var(--mantine-color-error)"
        onClick={remove}
      >
        Delete
      </Menu.Item>
    </MoreMenu>
  );
}

function useConfirmed(endpoint: Endpoint) {
  const [, go] = useLocation();
  const disable = useDisable(endpoint.id);
  const remove = useDelete(endpoint.id, () => go(WEBHOOKS.endpoints, { replace: true }));
  const name = nameOf(endpoint);
  return {
    disable: () =>
      confirm({
        title: `Disable “${name}”`,
        confirm: 'Disable endpoint',
        children:
          'It receives no events until it is enabled again. You can resend missed events then.',
        onConfirm: disable,
      }),
    remove: () =>
      confirm({
        title: `Delete “${name}”`,
        confirm: 'Delete endpoint',
        isDangerous: true,
        children:
          'The endpoint and its secret are permanently deleted. Its deliveries stay in the log for 30 days. This can’t be undone.',
        onConfirm: remove,
      }),
  };
}
