import { Anchor } from '@mantine/core';
import { useQuery } from 'urql';
import { Link, useLocation } from 'wouter';
import { graphql } from '../../../graph/graphql.ts';
import { inCount } from '../../../pieces/in-words.ts';
import { OF_DELIVERIES } from './deliveries-query.ts';

/** As many as a workspace may have. */
const RETRYING = graphql(`
  query WebhooksRetrying {
    webhookEndpoints(first: 20) { nodes { id waiting { count } } }
  }
`);

type RetryingInsteadProps = { readonly endpointId: string | null | undefined };

/** In an empty list of failed deliveries: those that have failed so far are retried. */
export function RetryingInstead({ endpointId }: RetryingInsteadProps) {
  const [{ data }] = useQuery({ query: RETRYING, context: OF_DELIVERIES });
  const [path] = useLocation();
  const count = (data?.webhookEndpoints.nodes ?? [])
    .filter(({ id }) => endpointId == null || id === endpointId)
    .reduce((sum, { waiting }) => sum + waiting.count, 0);
  if (count === 0) return null;
  return (
    <>
      <br />
      <Anchor component={Link} href={`${path}?state=RETRYING`} inherit>
        {count === 1
          ? '1 delivery waits for a retry'
          : `${inCount(count)} deliveries wait for a retry`}
      </Anchor>
    </>
  );
}
