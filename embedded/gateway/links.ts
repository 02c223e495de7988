import { Raw, textField, type WritableObject } from '../../schema/values/exact-json.ts';
import type { Call, Tools } from './calls.ts';
import { amountIn, checkTags, customerIn, idIn, noteIn, timeIn } from './checks.ts';
import { attemptOrder, orderBody, orderOfLink } from './orders.ts';
import { alreadyThere, invalid, notFound, refuse } from './refusal.ts';
import { type Account, type Link, nextNumber, type Payment } from './store.ts';
import { paise, rawObjectIn, rupees, rupeesText } from './values.ts';
import { indianTime } from './webhooks.ts';

const LINK_ID = /^[A-Za-z0-9_-]{1,50}$/;
const NOTES_MAX = 5;
const PURPOSE_MAX = 500;
const EXPIRES_MS = 30 * 24 * 3_600_000;
const LEAST = 100n;

export function createLink(call: Call): WritableObject {
  const { account, given, text, nowMs } = call;
  const linkId = idIn(given, 'link_id', LINK_ID);
  if (account.links.has(linkId)) alreadyThere('link');
  const amount = amountIn(given, 'link_amount', LEAST);
  const minimum = paise(textField(given, 'link_minimum_partial_amount'));
  if (minimum !== undefined && minimum >= amount)
    invalid('link_minimum_partial_amount', 'should be less than the link amount');
  checkTags(given, 'link_notes', NOTES_MAX);
  const link: Link = {
    linkId,
    cfLinkId: nextNumber(),
    amount,
    currency: textField(given, 'link_currency') ?? invalid('link_currency', 'is missing'),
    minimum: given.link_partial_payments === true ? (minimum ?? LEAST) : undefined,
    purpose: noteIn(given, 'link_purpose', PURPOSE_MAX) ?? invalid('link_purpose', 'is missing'),
    customer: customerIn(given),
    notes: rawObjectIn(text, 'link_notes'),
    createdAt: new Date(nowMs),
    expiresAt: timeIn(given, 'link_expiry_time', new Date(nowMs + EXPIRES_MS)),
    orders: [],
    paid: 0n,
    status: 'ACTIVE',
  };
  account.links.set(linkId, link);
  return linkBody(call, link);
}

export function getLink(call: Call): WritableObject {
  return linkBody(call, call.account.links.get(call.id) ?? notFound('link'));
}

export function cancelLink(call: Call): WritableObject {
  const link = call.account.links.get(call.id) ?? notFound('link');
  if (link.status !== 'ACTIVE' && link.status !== 'PARTIALLY_PAID')
    refuse(400, 'link_not_cancellable', `link is ${link.status}`);
  link.status = 'CANCELLED';
  emitLink(call, call.account, link);
  return linkBody(call, link);
}

export function getLinkOrders({ account, id }: Call): readonly WritableObject[] {
  const link = account.links.get(id) ?? notFound('link');
  return link.orders.map(orderBody);
}

/** A payer pays the link or attempts to. */
export function attemptLink(
  tools: Tools,
  account: Account,
  link: Link,
  attempt: {
    readonly amount: bigint | undefined;
    readonly status: Payment['status'];
    readonly method: string;
    readonly at: Date;
  },
): Payment {
  if (link.status !== 'ACTIVE' && link.status !== 'PARTIALLY_PAID')
    return refuse(400, 'link_not_payable', `link is ${link.status}`);
  const left = link.amount - link.paid;
  const amount = attempt.amount ?? left;
  const isTooLittle = amount < left && (link.minimum === undefined || amount < link.minimum);
  if (amount > left || isTooLittle) return refuse(400, 'amount_invalid', 'amount is not payable');
  const order = orderOfLink(account, link, amount, attempt.at);
  const payment = attemptOrder(tools, account, order, attempt);
  if (attempt.status !== 'SUCCESS') return payment;
  link.paid += amount;
  link.status = link.paid === link.amount ? 'PAID' : 'PARTIALLY_PAID';
  emitLink(tools, account, link, payment);
  return payment;
}

export function expireLink(tools: Tools, account: Account, link: Link): void {
  link.status = 'EXPIRED';
  emitLink(tools, account, link);
}

function emitLink(tools: Tools, account: Account, link: Link, payment?: Payment): void {
  const order = link.orders.at(-1);
  const data: WritableObject = {
    // The amounts in a link's event are strings, and its times have no zone.
    ...linkBody(tools, link),
    link_amount: rupeesText(link.amount),
    link_amount_paid: rupeesText(link.paid),
    // An event without a payment has no order: the link expired or was canceled.
    order:
      order === undefined || payment === undefined
        ? null
        : {
            order_amount: rupeesText(order.amount),
            order_id: order.orderId,
            order_expiry_time: indianTime(order.expiresAt).slice(0, 19),
            transaction_id: new Raw(payment.cfPaymentId),
            transaction_status: payment.status,
          },
  };
  tools.webhooks.emit(account, { type: 'PAYMENT_LINK_EVENT', data, version: '1' });
}

function linkBody({ publicUrl }: Pick<Tools, 'publicUrl'>, link: Link): WritableObject {
  const { customer } = link;
  return {
    cf_link_id: link.cfLinkId,
    link_id: link.linkId,
    link_status: link.status,
    link_currency: link.currency,
    link_amount: rupees(link.amount),
    link_amount_paid: rupees(link.paid),
    link_partial_payments: link.minimum !== undefined,
    link_minimum_partial_amount: link.minimum === undefined ? null : rupees(link.minimum),
    link_purpose: link.purpose,
    link_created_at: indianTime(link.createdAt).replace('T', ' '),
    link_expiry_time: indianTime(link.expiresAt).replace('T', ' '),
    link_url: `${publicUrl()}/checkout/links/${link.linkId}`,
    link_notes: link.notes ?? null,
    customer_details: {
      customer_phone: customer.phone,
      customer_email: customer.email ?? '',
      customer_name: customer.name ?? '',
    },
  };
}
