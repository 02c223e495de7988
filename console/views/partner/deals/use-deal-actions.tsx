import { modals } from '@mantine/modals';
import { IconFileCheck, IconFlag, IconMoodSad, IconTrophy } from '@tabler/icons-react';
import { graphql } from '../../../graph/graphql.ts';
import { confirm } from '../../../pieces/confirm.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import type { DealStatus } from './deals-query.ts';
import { LoseForm } from './LoseForm.tsx';
import type { MenuDeal } from './menu-deal.ts';
import { ProofForm } from './ProofForm.tsx';
import { WinForm } from './WinForm.tsx';

const WITHDRAW = graphql(`
  mutation PartnerDealWithdraw($id: ID!) {
    dealWithdraw(id: $id) { deal { id status } userErrors { message field } }
  }
`);

export type DealAction = {
  /** The status of the deal afterwards. */
  readonly to: DealStatus;
  readonly label: string;
  readonly Icon: typeof IconFlag;
  readonly isDangerous?: boolean;
  /** Opens the form or the confirmation. */
  readonly open: () => void;
};

/**
 * What the viewer can do with a deal in its status. If the deal belongs to another organization
 * (`isReview`), the viewer cannot perform the agency's actions.
 */
export function useDealActions(deal: MenuDeal, isReview = false): readonly DealAction[] {
  const { status } = deal;
  const isOpen = status === 'REGISTERED' || status === 'PROOF_SUBMITTED';
  const isAgency = useMay('OWNER') && !isReview && isOpen;
  const isDecidable = useMay('PLATFORM_ADMIN') && status === 'PROOF_SUBMITTED';
  const withdraw = useWithdrawal(deal);
  return [
    ...(isAgency ? [submitProof(deal)] : []),
    ...(isDecidable ? [win(deal), lose(deal)] : []),
    ...(isAgency ? [withdraw] : []),
  ];
}

function submitProof(deal: MenuDeal): DealAction {
  const open = () => {
    const modalId = modals.open({
      title: `Proof for ${deal.prospectCompanyName}`,
      children: <ProofForm deal={deal} onDone={() => modals.close(modalId)} />,
    });
  };
  return { to: 'PROOF_SUBMITTED', label: 'Submit proof', Icon: IconFileCheck, open };
}

function win(deal: MenuDeal): DealAction {
  const open = () => {
    const modalId = modals.open({
      title: `Mark ${deal.prospectCompanyName} as won`,
      children: <WinForm deal={deal} onDone={() => modals.close(modalId)} />,
    });
  };
  return { to: 'WON', label: 'Mark as won', Icon: IconTrophy, open };
}

function lose(deal: MenuDeal): DealAction {
  const open = () => {
    const modalId = modals.open({
      title: `Mark ${deal.prospectCompanyName} as lost`,
      children: <LoseForm deal={deal} onDone={() => modals.close(modalId)} />,
    });
  };
  return { to: 'LOST', label: 'Mark as lost', Icon: IconMoodSad, open };
}

function useWithdrawal({ id, prospectCompanyName: name }: MenuDeal): DealAction {
  const { run } = useAction(WITHDRAW, { done: `${name} was withdrawn.` });
  const open = () =>
    confirm({
      title: `Withdraw ${name}`,
      confirm: 'Withdraw deal',
      isDangerous: true,
      children: 'Other agencies can then register it. This can’t be undone.',
      onConfirm: () => void run({ id }),
    });
  return { to: 'WITHDRAWN', label: 'Withdraw deal', Icon: IconFlag, isDangerous: true, open };
}
