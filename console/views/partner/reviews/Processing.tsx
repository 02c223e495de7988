import { Anchor, Text } from '@mantine/core';
import { useQuery } from 'urql';
import type { ResultOf } from '../../../graph/graphql.ts';
import { inCount } from '../../../pieces/in-words.ts';
import { PROCESSING_PAYOUTS } from './payout-steps.ts';
import { useOnReturn } from './use-on-return.ts';

const CONTEXT = { additionalTypenames: ['Payout'] };

/** Where approved payouts went: each is still to be marked as paid. */
export function Processing({ onShow }: { readonly onShow: () => void }) {
  const [{ data, error }, ask] = useQuery({ query: PROCESSING_PAYOUTS, context: CONTEXT });
  useOnReturn(ask, false);
  const found = data?.platformPayouts;
  if (found === undefined ? error === undefined : found.nodes.length === 0) return null;
  return (
    <Text size="sm" px="lg" pb="sm">
      <Anchor component="button" type="button" inherit onClick={onShow}>
        {found === undefined ? 'It is unknown how many payouts are processing' : inWords(found)}
      </Anchor>
      : mark each as paid or failed once the bank has answered.
    </Text>
  );
}

function inWords({ nodes, pageInfo }: ResultOf<typeof PROCESSING_PAYOUTS>['platformPayouts']) {
  if (nodes.length === 1) return '1 payout is processing';
  const count = `${pageInfo.hasNextPage ? 'More than ' : ''}${inCount(nodes.length)}`;
  return `${count} payouts are processing`;
}
