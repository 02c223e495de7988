// Reads the content of a campaign. The operator defines its shape, so each part has several usual
// names; the first one that has a value is used. Lengths are limited, so that no content can fill
// the page.

import { isRecord } from './campaign.ts';
import type { TellFault } from './faults.ts';

const TITLE_CHARACTERS_MAX = 200;
const TEXT_CHARACTERS_MAX = 2_000;
/** More than a person would read in a message. */
const ITEMS_MAX = 20;

const TITLES = ['title', 'question', 'headline', 'heading'];
const TEXTS = ['text', 'body', 'message', 'description', 'subtitle'];
const BUTTONS = ['action', 'action_label', 'action_text', 'button', 'button_text', 'cta'];
const LINKS = ['action_url', 'url', 'link'];
const PICTURES = ['image_url', 'image'];
const LABELS = ['label', 'text', 'title', 'question', 'name'];

type Fields = Readonly<Record<string, unknown>>;

export type Item = {
  readonly id: string;
  readonly label: string;
  readonly fields: Fields;
};

export type Content = ReturnType<typeof readContent>;

export function readContent(fields: Fields, tellFault: TellFault) {
  const cut = (value: string, charactersMax: number) => {
    if (value.length <= charactersMax) return value;
    tellFault('CONTENT_CUT', `A text has more than ${charactersMax} characters.`);
    return `${value.slice(0, charactersMax)}…`;
  };
  const short = (...names: string[]) => cut(textAt(fields, names), TITLE_CHARACTERS_MAX);
  const link = safeAddress(textAt(fields, LINKS), isForLinks, tellFault);
  return {
    fields,
    title: short(...TITLES),
    text: cut(textAt(fields, TEXTS), TEXT_CHARACTERS_MAX),
    /** Empty if the content defines no button. */
    button: short(...BUTTONS),
    link,
    picture: safeAddress(textAt(fields, PICTURES), isForPictures, tellFault),
    pictureText: short('image_alt'),
    short,
    /** A finite number; undefined if there is none. */
    number(...names: string[]): number | undefined {
      const value = names.map(name => fields[name]).find(one => typeof one === 'number');
      return Number.isFinite(value) ? value : undefined;
    },
    /** Texts, or objects with an ID and a label. */
    items(value: unknown): readonly Item[] {
      const all = Array.isArray(value) ? value.flatMap((one, at) => itemOf(one, at) ?? []) : [];
      if (all.length > ITEMS_MAX)
        tellFault('CONTENT_CUT', `A list has more than ${ITEMS_MAX} items.`);
      return all
        .slice(0, ITEMS_MAX)
        .map(item => ({ ...item, label: cut(item.label, TITLE_CHARACTERS_MAX) }));
    },
  };
}

export function textAt(fields: Fields, names: readonly string[]): string {
  const values = names.map(name => fields[name]);
  return (values.find(value => typeof value === 'string' && value.trim() !== '') as string) ?? '';
}

function itemOf(value: unknown, at: number): Item | undefined {
  if (typeof value === 'string' || typeof value === 'number')
    return { id: `${value}`, label: `${value}`, fields: {} };
  if (!isRecord(value)) return undefined;
  const label = textAt(value, LABELS);
  const ids = [value.id, value.value, value.name, at + 1];
  const id = ids.find(one => typeof one === 'number' || (typeof one === 'string' && one !== ''));
  return label === '' ? undefined : { id: String(id), label, fields: value };
}

/** The absolute URL; undefined if there is none or it is not safe. */
function safeAddress(
  value: string,
  isAllowed: (url: URL) => boolean,
  tellFault: TellFault,
): string | undefined {
  if (value === '') return undefined;
  try {
    const url = new URL(value, document.baseURI);
    if (isAllowed(url)) return url.href;
  } catch {
    // It is not a URL.
  }
  tellFault('UNSAFE_ADDRESS', `${value.slice(0, TITLE_CHARACTERS_MAX)} is omitted.`);
  return undefined;
}

function isForLinks({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:';
}

/** Plain http is allowed only for the app's own origin, as in development. */
function isForPictures({ protocol, origin }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && origin === location.origin);
}
