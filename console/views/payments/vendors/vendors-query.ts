import { graphql, type ResultOf, type VariablesOf } from '../../../graph/graphql.ts';

export const VENDOR_LIST = graphql(`
  query GatewayVendors($after: String) {
    gatewayVendors(first: 25, after: $after) {
      nodes {
        id
        vendorId
        name
        status
        errorMessage
        businessType
        accountType
        receivesBy
        receiver
        createdAt
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type ListedVendor = ResultOf<typeof VENDOR_LIST>['gatewayVendors']['nodes'][number];

export const CREATE = graphql(`
  mutation GatewayVendorCreate($input: GatewayVendorCreateInput!, $key: String!) {
    gatewayVendorCreate(input: $input) @idempotent(key: $key) {
      gatewayVendor { id }
      userErrors { code message field }
    }
  }
`);

export type AccountType = VariablesOf<typeof CREATE>['input']['accountType'];

export const UPDATE = graphql(`
  mutation GatewayVendorUpdate($id: ID!, $input: GatewayVendorUpdateInput!) {
    gatewayVendorUpdate(id: $id, input: $input) {
      gatewayVendor { id name status businessType receivesBy receiver }
      userErrors { code message field }
    }
  }
`);

export const DELETE = graphql(`
  mutation GatewayVendorDelete($id: ID!) {
    gatewayVendorDelete(id: $id) {
      gatewayVendor { id status }
      userErrors { code message field }
    }
  }
`);
