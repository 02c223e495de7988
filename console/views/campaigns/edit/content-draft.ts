// The content of a campaign or a variant as the form edits it.

import type { Content } from '../../../pieces/in-app-content/content-fields.ts';
import { inJson, jsonFault, jsonOf } from '../../../pieces/JsonField.tsx';

export type ContentDraft = {
  /** The last content that can be used. */
  readonly content: Content;
  /** The text, while it is edited as JSON. */
  readonly json: string | null;
};

export function contentDraftOf(content: unknown): ContentDraft {
  return { content: (content ?? {}) as Content, json: null };
}

export function asJson({ content }: ContentDraft): ContentDraft {
  return { content, json: inJson(content) };
}

export function withJson({ content }: ContentDraft, json: string): ContentDraft {
  const isSound = contentFault({ content, json }) === undefined;
  return { content: isSound ? ((jsonOf(json) ?? {}) as Content) : content, json };
}

/** Why the JSON is no content; undefined if it is. */
export function contentFault({ json }: ContentDraft): string | undefined {
  if (json === null) return undefined;
  const fault = jsonFault(json);
  if (fault !== undefined) return fault;
  const value = jsonOf(json);
  return typeof value === 'object' && !Array.isArray(value)
    ? undefined
    : 'Enter an object, such as {"title": "Open on Sundays"}';
}
