import { graphql, type VariablesOf } from '../../../graph/graphql.ts';

export const CREATE = graphql(`
  mutation JourneyCreate($input: JourneyCreateInput!) {
    journeyCreate(input: $input) { journey { id } userErrors { message field code } }
  }
`);

export const UPDATE = graphql(`
  mutation JourneyUpdate($id: ID!, $input: JourneyUpdateInput!) {
    journeyUpdate(id: $id, input: $input) {
      journey { id version updatedAt }
      userErrors { message field code }
    }
  }
`);

export type StepInput = VariablesOf<typeof CREATE>['input']['nodes'][number];
