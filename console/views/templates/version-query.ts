import { graphql, type ResultOf } from '../../graph/graphql.ts';

export const VERSION = graphql(`
  query TemplateVersionShown($id: ID!, $values: JSON) {
    templateVersion(id: $id) {
      id
      channel
      language
      number
      state
      revision
      note
      category
      body
      header { type text url }
      footer
      buttons { type text url phoneNumber code }
      preheader
      plainText
      dltEntityId
      dltTemplateId
      variables { name type isRequired fallback sample }
      forceRollout
      isPinnedActive
      isSendable
      upstreamHealth
      healthUntil
      pinnedCount
      oldestPinAt
      drainage
      releasedToId
      basedOnId
      createdAt
      createdBy
      activatedAt
      supersededAt
      rejectionReason
      findings { code path limit actual severity message }
      smsSize { encoding units segments }
      submission { submittedAt dueAt isOverdue state sending sendingFault }
      preview(values: $values) {
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
`);

export type Version = NonNullable<ResultOf<typeof VERSION>['templateVersion']>;
export type Finding = Version['findings'][number];
export type Preview = Version['preview'];
export type Variable = Version['variables'][number];
export type TemplateButton = Version['buttons'][number];
