// The pages on which a link is paid or a mandate is authorized. Each button calls the control
// endpoint of the same name.

import type { ControlTools } from './control.ts';
import { rupeesText } from './values.ts';

/** Undefined if the object does not exist. */
export function checkoutPage(
  { accounts }: ControlTools,
  path: readonly string[],
): string | undefined {
  const [kind, id = ''] = path;
  for (const account of accounts.values()) {
    const link = kind === 'links' ? account.links.get(id) : undefined;
    if (link !== undefined) {
      const left = rupeesText(link.amount - link.paid);
      return page(`${link.purpose}: ${link.currency} ${left}, ${link.status}`, [
        ['Pay', `/control/links/${id}/pay`],
        ['Fail', `/control/links/${id}/fail`],
        ['Leave without paying', `/control/links/${id}/drop`],
      ]);
    }
    const subscription = kind === 'subscriptions' ? account.subscriptions.get(id) : undefined;
    if (subscription !== undefined)
      return page(`${subscription.plan.name}, ${subscription.status}`, [
        ['Authorize the mandate', `/control/subscriptions/${id}/authorize`],
      ]);
  }
  return undefined;
}

function page(title: string, buttons: readonly (readonly [string, string])[]): string {
  const forms = buttons.map(
    ([text, action]) =>
      `<form method="post" action="${escaped(action)}"><button>${text}</button></form>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>Demo gateway</title>
<h1>${escaped(title)}</h1><p>This is a payment gateway for development. No money is transferred.</p>${forms.join('')}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
