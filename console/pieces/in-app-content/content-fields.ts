// The parts of in-app content that have a field, by the names that our client reads. Other parts of
// stored content are kept.

import { CAMPAIGN_TYPES, type CampaignType } from '../campaign-types.ts';

export type Content = Readonly<Record<string, unknown>>;

/** Our client reads the first name of a part that has a value. */
export const NAMES = {
  title: ['title', 'question', 'headline', 'heading'],
  text: ['text', 'body', 'message', 'description', 'subtitle'],
  image_url: ['image_url', 'image'],
  action: ['action', 'action_label', 'action_text', 'button', 'button_text', 'cta'],
  action_url: ['action_url', 'url', 'link'],
  options: ['options', 'choices'],
  anchor: ['anchor', 'target'],
  comment_label: ['comment_label', 'comment'],
  thanks: ['thanks', 'thank_you'],
} as const;

type ContentField = {
  readonly name: keyof typeof NAMES;
  readonly label: string;
  readonly description?: string;
  readonly isRequired?: boolean;
  readonly isList?: boolean;
  /** Left out for all types. */
  readonly types?: readonly CampaignType[];
};

const WITH_BUTTON = [
  'BANNER',
  'SLIDE_UP',
  'MODAL',
  'FULLSCREEN',
  'TOOLTIP',
  'COUNTDOWN',
] as const satisfies readonly CampaignType[];
const WITH_ANSWER = ['NPS', 'RATING', 'POLL'] as const satisfies readonly CampaignType[];

const FIELDS: readonly ContentField[] = [
  { name: 'title', label: 'Title or question', isRequired: true },
  { name: 'text', label: 'Text' },
  {
    name: 'options',
    label: 'Answers',
    description: 'Press Enter after each; at most 20.',
    isRequired: true,
    isList: true,
    types: ['POLL'],
  },
  { name: 'image_url', label: 'Image', description: 'A URL that starts with https://.' },
  { name: 'action', label: 'Button label', types: WITH_BUTTON },
  { name: 'action_url', label: 'Button link', types: WITH_BUTTON },
  {
    name: 'anchor',
    label: 'Element',
    description: 'CSS selector of the element the tooltip points to.',
    types: ['TOOLTIP'],
  },
  {
    name: 'comment_label',
    label: 'Comment field',
    description: 'Leave empty for none.',
    types: ['NPS', 'RATING'],
  },
  { name: 'thanks', label: 'Thank-you text', types: WITH_ANSWER },
];

export function contentFieldsOf(type: CampaignType): readonly ContentField[] {
  return FIELDS.filter(({ types }) => types === undefined || types.includes(type));
}

/** Their contents are nested, and have no fields here. */
export const WITHOUT_FIELDS: readonly CampaignType[] = ['QUIZ', 'FORM'];

/** The types that can be chosen; a stored widget keeps its own. */
export function typesFor(current: CampaignType): readonly CampaignType[] {
  return CAMPAIGN_TYPES.filter(type => type === current || !WITHOUT_FIELDS.includes(type));
}

/** The name under which the content has the part. */
export function nameIn(content: Content, name: keyof typeof NAMES): string {
  return NAMES[name].find(one => one in content) ?? name;
}

/** The parts of the content that no field shows. */
export function otherParts(type: CampaignType, content: Content): string[] {
  const shown = new Set(contentFieldsOf(type).map(({ name }) => nameIn(content, name)));
  return Object.keys(content).filter(name => !shown.has(name));
}
