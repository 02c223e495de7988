import { graphql, type ResultOf } from '../../../graph/graphql.ts';

/** The result of an unsaved edit, queried during input. */
export const TRIAL = graphql(`
  query TemplateVersionTrial($id: ID!, $input: TemplateTrialInput!) {
    templateVersion(id: $id) {
      id
      trial(input: $input) {
        variables { name type isRequired fallback sample }
        findings { code path limit actual severity message }
        smsSize { encoding units segments }
        preview {
          header { type text url }
          body
          footer
          buttons { type text url phoneNumber code }
          preheader
          plainText
          missing
        }
      }
    }
  }
`);

/** `current` makes the draft be read again where another user changed it first. */
export const SAVE = graphql(`
  mutation TemplateVersionSave($id: ID!, $input: TemplateVersionEditInput!) {
    templateVersionEdit(id: $id, input: $input) {
      templateVersion { id revision }
      current { id revision }
      userErrors { message field code }
    }
  }
`);

export type Trial = NonNullable<ResultOf<typeof TRIAL>['templateVersion']>['trial'];
