import { Menu } from '@mantine/core';
import { IconGauge, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { confirm } from '../../../pieces/confirm.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { MoreMenu } from '../../../pieces/MoreMenu.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { type Cell, UPDATE } from './cells-query.ts';

type CellMenuProps = { readonly cell: Cell; readonly onLimit: () => void };

export function CellMenu({ cell, onLimit }: CellMenuProps) {
  const { id, slug, isEnabled } = cell;
  const disable = useAction(UPDATE, { done: `“${slug}” was disabled.` });
  const enable = useAction(UPDATE, { done: `“${slug}” was enabled.` });
  const ask = () =>
    confirm({
      title: `Disable “${slug}”`,
      confirm: 'Disable cell',
      isDangerous: true,
      children: `${effectOf(cell)} New workspaces aren’t placed in the cell. You can enable it again.`,
      onConfirm: () => void disable.run({ id, input: { isEnabled: false } }),
    });
  return (
    <MoreMenu label={`Actions for ${slug}`} widthPx={200} isQuiet>
      <Menu.Item leftSection={<IconGauge size={16} />} onClick={onLimit}>
        Set default limit
      </Menu.Item>
      {isEnabled ? (
        <Menu.Item
          leftSection={<IconPlayerPause size={16} />}
          c="var(--mantine-color-error)"
          onClick={ask}
        >
          Disable
        </Menu.Item>
      ) : (
        <Menu.Item
          leftSection={<IconPlayerPlay size={16} />}
          onClick={() => void enable.run({ id, input: { isEnabled: true } })}
        >
          Enable
        </Menu.Item>
      )}
    </MoreMenu>
  );
}

function effectOf({ workspaceCount }: Cell): string {
  const whose =
    workspaceCount === null
      ? 'its workspaces'
      : workspaceCount === 1
        ? 'its workspace'
        : `its ${inCount(workspaceCount)} workspaces`;
  return `Within a second, ingest responds to ${whose} with 502. Their SDKs keep the events and retry.`;
}
