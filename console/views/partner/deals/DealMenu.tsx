import { Menu } from '@mantine/core';
import { modals } from '@mantine/modals';
import {
  IconFileCheck,
  IconFlag,
  IconListSearch,
  IconMoodSad,
  IconTrophy,
} from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { graphql } from '../../../graph/graphql.ts';
import { confirm } from '../../../pieces/confirm.tsx';
import { MoreMenu } from '../../../pieces/MoreMenu.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { LoseForm } from './LoseForm.tsx';
import type { MenuDeal } from './menu-deal.ts';
import { ProofForm } from './ProofForm.tsx';
import { WinForm } from './WinForm.tsx';

const WITHDRAW = graphql(`
  mutation PartnerDealWithdraw($id: ID!) {
    dealWithdraw(id: $id) { deal { id status } userErrors { message field } }
  }
`);

type DealMenuProps = {
  readonly deal: MenuDeal;
  /** If the deal belongs to another organization, the viewer cannot perform the agency's actions. */
  readonly isReview?: boolean;
};

export function DealMenu({ deal, isReview = false }: DealMenuProps) {
  const { id, status, prospectCompanyName: name } = deal;
  const [, go] = useLocation();
  const isOpen = status === 'REGISTERED' || status === 'PROOF_SUBMITTED';
  const isAgency = useMay('OWNER') && !isReview && isOpen;
  const isDecidable = useMay('PLATFORM_ADMIN') && status === 'PROOF_SUBMITTED';
  const withdraw = useWithdrawal(deal);
  if (isReview && !isDecidable) return null;
  return (
    <MoreMenu label={`Actions for ${name}`} widthPx={210} isQuiet>
      {!isReview && (
        <Menu.Item
          leftSection={<IconListSearch size={16} />}
          onClick={() => go(`/partner/deals/${id}`)}
        >
          Open
        </Menu.Item>
      )}
      {isAgency && (
        <Menu.Item leftSection={<IconFileCheck size={16} />} onClick={() => openProof(deal)}>
          Submit proof
        </Menu.Item>
      )}
      {isDecidable && (
        <>
          <Menu.Item leftSection={<IconTrophy size={16} />} onClick={() => openWin(deal)}>
            Mark as won
          </Menu.Item>
          <Menu.Item leftSection={<IconMoodSad size={16} />} onClick={() => openLose(deal)}>
            Mark as lost
          </Menu.Item>
        </>
      )}
      {isAgency && (
        <>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconFlag size={16} />}
            c="var(--mantine-color-error)"
            onClick={withdraw}
          >
            Withdraw deal
          </Menu.Item>
        </>
      )}
    </MoreMenu>
  );
}

function openProof(deal: MenuDeal): void {
  const modalId = modals.open({
    title: `Proof for ${deal.prospectCompanyName}`,
    children: <ProofForm deal={deal} onDone={() => modals.close(modalId)} />,
  });
}

function openWin(deal: MenuDeal): void {
  const modalId = modals.open({
    title: `Mark ${deal.prospectCompanyName} as won`,
    children: <WinForm deal={deal} onDone={() => modals.close(modalId)} />,
  });
}

function openLose(deal: MenuDeal): void {
  const modalId = modals.open({
    title: `Mark ${deal.prospectCompanyName} as lost`,
    children: <LoseForm deal={deal} onDone={() => modals.close(modalId)} />,
  });
}

function useWithdrawal({ id, prospectCompanyName: name }: MenuDeal): () => void {
  const { run } = useAction(WITHDRAW, { done: `${name} was withdrawn.` });
  return () =>
    confirm({
      title: `Withdraw ${name}`,
      confirm: 'Withdraw deal',
      isDangerous: true,
      children: 'Other agencies can then register it. This can’t be undone.',
      onConfirm: () => void run({ id }),
    });
}
