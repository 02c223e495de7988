import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const ORDER_VENDORS = graphql(`
  query OrderVendors {
    gatewayVendors(first: 100) {
      nodes { id name status receiver }
      pageInfo { hasNextPage }
    }
  }
`);

export type PayableVendor = ResultOf<typeof ORDER_VENDORS>['gatewayVendors']['nodes'][number];
