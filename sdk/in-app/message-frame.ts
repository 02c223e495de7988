// Adds a campaign to the page, in a separate shadow root, so that the styles of the page and of the message do
// not affect each other. Dialogs are native: they keep the focus inside, close with Escape and then return the
// focus. Messages in other places do not move the focus.

import type { ActiveCampaign } from './campaign.ts';
import { element, paragraph } from './element.ts';
import type { TellFault } from './faults.ts';
import type { Feedback } from './feedback.ts';
import { followAnchor } from './follow-anchor.ts';
import type { Kind, Tools } from './kinds/kind.ts';
import { type Content, readContent, textAt } from './read-content.ts';
import { messageStyles } from './styles.ts';
import { whenVisible } from './when-visible.ts';
import type { Words } from './words.ts';

export type FrameDeps = {
  readonly container: HTMLElement;
  readonly words: Words;
  readonly feedback: Feedback;
  readonly tellFault: TellFault;
  readonly nowMs: () => number;
  readonly onRemoved: () => void;
};

/** Long enough for a screen reader to read it. */
const ANNOUNCED_MS = 5_000;

/**
 * Returns the function that removes the message; undefined if it cannot be shown, in which case the error has
 * been reported.
 */
export function openMessage(
  campaign: ActiveCampaign,
  kind: Kind,
  deps: FrameDeps,
): (() => void) | undefined {
  const { container, words, feedback, tellFault } = deps;
  const content = readContent(campaign.content, tellFault);
  const anchor = kind.place === 'anchor' ? anchorOf(content, tellFault) : undefined;
  if (anchor === null) return undefined;
  const removal = new AbortController();
  const frame = frameOf(kind, content);
  const host = element('div', { 'data-in-app': campaign.campaign_id });
  const tools: Tools = {
    campaign,
    feedback,
    words,
    tellFault,
    nowMs: deps.nowMs,
    signal: removal.signal,
    close: () => remove(),
    thank: text => thank(host, frame, text),
  };
  const parts = kind.build(content, tools);
  if (parts === undefined) {
    removal.abort();
    tellFault('MALFORMED_CONTENT', `The content is incomplete for ${campaign.type}.`);
    return undefined;
  }
  const dismiss = () => {
    if (removal.signal.aborted) return;
    feedback.dismissed();
    remove();
  };
  const remove = () => {
    if (removal.signal.aborted) return;
    removal.abort();
    giveFocusBack();
    host.remove();
    deps.onRemoved();
  };
  fill(frame, content, parts, closeButton(words.close, dismiss));
  const giveFocusBack = attach(host, frame, container, dismiss);
  if (anchor !== undefined) followAnchor(frame, anchor, removal.signal);
  whenVisible(frame, removal.signal, feedback.shown);
  return remove;
}

/** The element that a tooltip belongs to; null if the page does not have it, undefined if the content names none. */
function anchorOf({ fields }: Content, tellFault: TellFault): Element | null | undefined {
  const selector = textAt(fields, ['anchor', 'target']);
  if (selector === '') return undefined;
  try {
    const found = document.querySelector(selector);
    if (found !== null) return found;
  } catch {
    // The selector is not valid, so no element matches it.
  }
  tellFault('ANCHOR_NOT_FOUND', `The page has no element for "${selector}".`);
  return null;
}

function frameOf({ place, isWhole }: Kind, { title, text, picture }: Content): HTMLElement {
  const labels =
    title === '' && text === ''
      ? { 'aria-label': picture && 'Message' }
      : { 'aria-labelledby': title === '' ? 'text' : 'title' };
  const describes = title !== '' && text !== '' && { 'aria-describedby': 'text' };
  const attributes = { class: isWhole ? 'dialog whole' : place, tabindex: -1, ...labels };
  return place === 'dialog'
    ? element('dialog', { ...attributes, ...describes })
    : element('section', attributes);
}

function fill(
  frame: HTMLElement,
  { title, text, picture, pictureText }: Content,
  parts: readonly (Node | undefined)[],
  close: HTMLElement,
): void {
  const heading = title === '' ? undefined : element('h2', { id: 'title', dir: 'auto' }, title);
  const words = paragraph('text', text);
  words?.setAttribute('id', 'text');
  const image =
    picture === undefined
      ? undefined
      : element('img', { src: picture, alt: pictureText, referrerpolicy: 'no-referrer' });
  image?.addEventListener('error', () => image.remove());
  const body = element('div', { class: 'body' }, ...parts);
  frame.append(...[close, image, heading, words, body].filter(part => part !== undefined));
}

function closeButton(label: string, onClick: () => void): HTMLButtonElement {
  const sign = element('span', { 'aria-hidden': 'true' }, '×');
  const created = element('button', { type: 'button', class: 'close', 'aria-label': label }, sign);
  created.addEventListener('click', onClick);
  return created;
}

/** Returns the function that returns the focus to its previous position. */
function attach(
  host: HTMLElement,
  frame: HTMLElement,
  container: HTMLElement,
  dismiss: () => void,
): () => void {
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [messageStyles()];
  root.append(frame);
  container.append(host);
  if (frame instanceof HTMLDialogElement) {
    frame.addEventListener('close', dismiss);
    frame.showModal();
    frame.focus();
    return () => frame.close();
  }
  announce(root, frame);
  let cameFrom: EventTarget | null = null;
  host.addEventListener('focusin', ({ relatedTarget }) => {
    if (relatedTarget !== host) cameFrom = relatedTarget;
  });
  frame.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') dismiss();
  });
  return () => {
    if (root.activeElement !== null && cameFrom instanceof HTMLElement) cameFrom.focus();
  };
}

/** Status regions are read when their text changes, not when they appear. */
function announce(root: ShadowRoot, frame: HTMLElement): void {
  const status = element('p', { class: 'announced', role: 'status' });
  root.prepend(status);
  requestAnimationFrame(() => {
    status.textContent = frame.querySelector('#title, #text')?.textContent ?? '';
    setTimeout(() => status.remove(), ANNOUNCED_MS);
  });
}

/** Moves the focus to the text if it was in the replaced part. */
function thank({ shadowRoot }: HTMLElement, frame: HTMLElement, text: string): void {
  const body = frame.querySelector('.body')!;
  const hadFocus = body.contains(shadowRoot?.activeElement ?? null);
  const thanks = element('p', { class: 'text', role: 'status', tabindex: -1, dir: 'auto' }, text);
  body.replaceChildren(thanks);
  if (hadFocus) thanks.focus();
}
