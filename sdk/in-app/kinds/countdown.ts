// The remaining time until the end, with at most one button.

import { element } from '../element.ts';
import { textAt } from '../read-content.ts';
import type { Kind } from './kind.ts';
import { action } from './message.ts';

const ENDS = ['ends_at', 'end_at', 'end_time', 'deadline', 'until'];
const SECOND_MS = 1_000;

export const countdown: Kind = {
  place: 'top',
  build: (content, tools) => {
    const { campaign, feedback, signal, nowMs, close, thank } = tools;
    const endMs = Date.parse(textAt(content.fields, ENDS) || (campaign.expires_at ?? ''));
    if (Number.isNaN(endMs) || endMs <= nowMs()) return undefined;
    // Screen readers read it when the person reaches it, not every second.
    const timer = element('p', { class: 'timer', role: 'timer', dir: 'ltr' });
    const tick = () => {
      const leftMs = endMs - nowMs();
      if (leftMs <= 0) {
        clearInterval(interval);
        feedback.responded({ completed: true });
        const ended = content.short('ended_text', 'expired_text');
        return ended === '' ? close() : thank(ended);
      }
      timer.textContent = inWords(leftMs);
    };
    const interval = setInterval(tick, SECOND_MS);
    signal.addEventListener('abort', () => clearInterval(interval));
    tick();
    const link = action(content, {
      ...tools,
      feedback: {
        ...feedback,
        clicked: () => feedback.answered({ completed: false, action: 'clicked' }),
      },
    });
    return [timer, link];
  },
};

/** `1d 02:03:04`; without days `02:03:04`. */
function inWords(leftMs: number): string {
  const seconds = Math.ceil(leftMs / SECOND_MS);
  const parts = [Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  const days = Math.floor(seconds / 86_400);
  const clock = parts.map(part => `${part}`.padStart(2, '0')).join(':');
  return days === 0 ? clock : `${days}d ${clock}`;
}
