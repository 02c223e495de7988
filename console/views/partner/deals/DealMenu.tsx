import { Menu } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { Fragment } from 'react';
import { useLocation } from 'wouter';
import { MoreMenu } from '../../../pieces/MoreMenu.tsx';
import type { MenuDeal } from './menu-deal.ts';
import { useDealActions } from './use-deal-actions.tsx';

type DealMenuProps = { readonly deal: MenuDeal };

/** On a card of the board, and in the deal's drawer. */
export function DealMenu({ deal }: DealMenuProps) {
  const [, go] = useLocation();
  const actions = useDealActions(deal);
  return (
    <MoreMenu label={`Actions for ${deal.prospectCompanyName}`} widthPx={210} isQuiet>
      <Menu.Item
        leftSection={<IconListSearch size={16} />}
        onClick={() => go(`/partner/deals/${deal.id}`)}
      >
        Open
      </Menu.Item>
      {actions.map(({ label, Icon, isDangerous = false, open }) => (
        <Fragment key={label}>
          {isDangerous && <Menu.Divider />}
          <Menu.Item
            leftSection={<Icon size={16} />}
            onClick={open}
            {...(isDangerous && { c: 'var(--mantine-color-error)' })}
          >
            {label}
          </Menu.Item>
        </Fragment>
      ))}
    </MoreMenu>
  );
}
