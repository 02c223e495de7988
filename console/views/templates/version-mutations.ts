import { graphql } from '../../graph/graphql.ts';

/** In one request, so that a refetch never shows an intermediate state. */
export const SUBMIT = graphql(`
  mutation TemplateVersionSubmit(
    $id: ID!
    $isEdited: Boolean!
    $edit: TemplateVersionEditInput!
    $submit: TemplateVersionSubmitInput!
  ) {
    templateVersionEdit(id: $id, input: $edit) @include(if: $isEdited) {
      templateVersion { id revision }
      userErrors { message field }
    }
    templateVersionSubmit(id: $id, input: $submit) {
      templateVersion { id state }
      userErrors { message field }
    }
  }
`);

export const TAKE_BACK = graphql(`
  mutation TemplateVersionCancel($id: ID!) {
    templateVersionCancel(id: $id) { templateVersion { id state } userErrors { message field } }
  }
`);

/** Activates the version, then forces it if requested. */
export const ACTIVATE = graphql(`
  mutation TemplateVersionActivate($id: ID!, $isForced: Boolean!) {
    templateVersionActivate(id: $id) { templateVersion { id state } userErrors { message field } }
    templateRolloutForce(id: $id, input: {}) @include(if: $isForced) {
      releasedVersions
      userErrors { message field }
    }
  }
`);

export const FORCE = graphql(`
  mutation TemplateRolloutForce($id: ID!, $input: TemplateRolloutForceInput!) {
    templateRolloutForce(id: $id, input: $input) {
      templateVersion { id state }
      releasedVersions
      userErrors { message field }
    }
  }
`);

export const RESTORE = graphql(`
  mutation TemplateVersionRestore($id: ID!, $input: TemplateVersionRestoreInput!) {
    templateVersionRestore(id: $id, input: $input) {
      templateVersion { id number }
      userErrors { message field }
    }
  }
`);

export const DISCARD = graphql(`
  mutation TemplateVersionDiscard($id: ID!) {
    templateVersionDiscard(id: $id) { templateVersion { id state } userErrors { message field } }
  }
`);
