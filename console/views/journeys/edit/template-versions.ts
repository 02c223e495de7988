import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const TEMPLATE_VERSIONS = graphql(`
  query JourneyTemplateVersions($templateId: ID!) {
    templateVersions(templateId: $templateId, first: 50) {
      nodes {
        id
        number
        channel
        language
        state
        isSendable
        variables { name isRequired fallback }
      }
    }
  }
`);

export type Version = ResultOf<typeof TEMPLATE_VERSIONS>['templateVersions']['nodes'][number];
