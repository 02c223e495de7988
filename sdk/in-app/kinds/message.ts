// A message with at most one button: banner, modal, fullscreen, slide_up and tooltip.

import { button, element } from '../element.ts';
import type { Content } from '../read-content.ts';
import type { Kind, Place, Tools } from './kind.ts';

export function message(place: Place, isWhole = false): Kind {
  return {
    place,
    isWhole,
    build: (content, tools) =>
      content.title === '' && content.text === '' && content.picture === undefined
        ? undefined
        : [action(content, tools)],
  };
}

/**
 * A link if there is a URL, or a button that only closes the message if there is only a label; otherwise
 * undefined.
 */
export function action(
  { button: label, link }: Content,
  { feedback, words, close }: Tools,
): HTMLElement | undefined {
  const follow = () => {
    feedback.clicked();
    // The browser follows the link after this event.
    setTimeout(close);
  };
  if (link === undefined) return label === '' ? undefined : button(label, follow);
  const anchor = element(
    'a',
    { class: 'button', href: link, rel: 'noopener', dir: 'auto' },
    label || words.open,
  );
  anchor.addEventListener('click', follow);
  return anchor;
}
