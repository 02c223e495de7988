import { Anchor, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { inCount } from '../../../pieces/in-words.ts';
import { PROCESSING_PAYOUTS } from './payout-steps.ts';

const CONTEXT = { additionalTypenames: ['Payout'] };

/** Where approved payouts went: each is still to be marked as paid. */
export function Processing({ onShow }: { readonly onShow: () => void }) {
  const [{ data }] = useQuery({ query: PROCESSING_PAYOUTS, context: CONTEXT });
  const { nodes, pageInfo } = data?.platformPayouts ?? { nodes: [] };
  if (nodes.length === 0) return null;
  const count = `${pageInfo?.hasNextPage ? 'More than ' : ''}${inCount(nodes.length)}`;
  return (
    <Text size="sm" px="lg" pb="sm">
      <Anchor component="button" type="button" inherit onClick={onShow}>
        {nodes.length === 1 ? '1 payout is processing' : `${count} payouts are processing`}
      </Anchor>
      : mark each as paid or failed once the bank has answered.
    </Text>
  );
}
