// Simulates the actions of payers, banks and the gateway's staff, for development and tests: `POST
// /control/<object>/<id>/<action>` with a JSON object.

import {
  type ExactObject,
  textField,
  type WritableObject,
} from '../../schema/values/exact-json.ts';
import type { Tools } from './calls.ts';
import { moveDispute, openDispute, settle } from './disputes.ts';
import { FAULT_KINDS, type FaultKind, type Faults } from './faults.ts';
import { attemptLink, expireLink } from './links.ts';
import { attemptOrder, lateSuccess } from './orders.ts';
import { ownerOfRefund, settleRefund } from './refunds.ts';
import { invalid, notFound } from './refusal.ts';
import {
  type Account,
  createAccount,
  type Payment,
  type Refund,
  WEBHOOK_VERSIONS,
} from './store.ts';
import { authorize, remindOfCardExpiry, renew, setStatus } from './subscriptions.ts';
import { paise, rupees } from './values.ts';
import { setVendorStatus } from './vendors.ts';

export type ControlTools = Tools & {
  readonly accounts: Map<string, Account>;
  readonly faults: Faults;
  readonly requests: readonly WritableObject[];
  readonly nowMs: () => number;
};

type Asked = { readonly id: string; readonly given: ExactObject };
type Control = (tools: ControlTools, asked: Asked) => WritableObject | readonly WritableObject[];

const CONTROLS: Readonly<Record<string, Control>> = {
  accounts: addAccount,
  faults: addFault,
  requests: tools => tools.requests,
  webhooks: ({ webhooks }) =>
    webhooks.sent.map(({ type, status, attempts, body }) => ({
      type,
      status: String(status ?? ''),
      attempts: String(attempts),
      body,
    })),
  'webhooks/manner': setManner,
  'webhooks/release': ({ webhooks }, { given }) => {
    webhooks.release(given.isReversed === true);
    return {};
  },
  'links/pay': payLink('SUCCESS'),
  'links/fail': payLink('FAILED'),
  'links/drop': payLink('USER_DROPPED'),
  'links/expire': (tools, { id }) => {
    const [account, link] = find(tools, 'links', id);
    expireLink(tools, account, link);
    return {};
  },
  'orders/pay': payOrder('SUCCESS'),
  'orders/fail': payOrder('FAILED'),
  'orders/drop': payOrder('USER_DROPPED'),
  'orders/pend': payOrder('PENDING'),
  'orders/succeed-late': (tools, { id }) => {
    const [account, order] = find(tools, 'orders', id);
    const payment = order.payments.at(-1) ?? notFound('payment');
    lateSuccess(tools, account, order, payment);
    return shown(payment);
  },
  'refunds/settle': settleOne,
  'payments/dispute': dispute,
  'disputes/move': (tools, { id, given }) => {
    const [account, found] = find(tools, 'disputes', id);
    const to = textField(given, 'to') ?? invalid('to', 'is missing');
    moveDispute(tools, account, found, { to, at: new Date(tools.nowMs()) });
    return { status: found.status };
  },
  'subscriptions/authorize': (tools, { id, given }) => {
    const [account, subscription] = find(tools, 'subscriptions', id);
    const method = textField(given, 'method') ?? subscription.methods[0] ?? 'upi';
    const at = new Date(tools.nowMs());
    const isFailed = given.isFailed === true;
    return shown(authorize(tools, account, subscription, { method, isFailed, at }));
  },
  'subscriptions/renew': (tools, { id, given }) => {
    const [account, subscription] = find(tools, 'subscriptions', id);
    const at = new Date(tools.nowMs());
    return shown(renew(tools, account, subscription, { isFailed: given.isFailed === true, at }));
  },
  'subscriptions/status': (tools, { id, given }) => {
    const [account, subscription] = find(tools, 'subscriptions', id);
    setStatus(tools, account, subscription, textField(given, 'status') ?? subscription.status);
    return { status: subscription.status };
  },
  'subscriptions/remind-of-card-expiry': (tools, { id, given }) => {
    const [account, subscription] = find(tools, 'subscriptions', id);
    const expiresOn = textField(given, 'expiresOn') ?? invalid('expiresOn', 'is missing');
    remindOfCardExpiry(tools, account, subscription, expiresOn);
    return { expiresOn };
  },
  'vendors/status': (tools, { id, given }) => {
    const [account, vendor] = find(tools, 'vendors', id);
    setVendorStatus(tools, account, vendor, textField(given, 'status') ?? 'ACTIVE');
    return { status: vendor.status };
  },
  settlements: (tools, { given }) => {
    const account = accountIn(tools, given);
    const amount = paise(textField(given, 'amount')) ?? invalid('amount', 'is missing');
    const status = textField(given, 'status') ?? 'SUCCESS';
    return {
      settlementId: settle(tools, account, { amount, status, at: new Date(tools.nowMs()) }),
    };
  },
};

/** For example, `links/lnk…/pay` is the control `links/pay` of that link. */
export function control(
  tools: ControlTools,
  path: readonly string[],
  given: ExactObject,
): WritableObject | readonly WritableObject[] {
  const own = CONTROLS[path.join('/')];
  if (own !== undefined) return own(tools, { id: '', given });
  const [thing = '', id = '', what = ''] = path;
  return (CONTROLS[`${thing}/${what}`] ?? notFound('control'))(tools, { id, given });
}

function addAccount({ accounts }: ControlTools, { given }: Asked): WritableObject {
  const clientId = textField(given, 'clientId') ?? invalid('clientId', 'is missing');
  const version = textField(given, 'webhookVersion');
  const webhookVersion = WEBHOOK_VERSIONS.find(known => known === version);
  if (version !== webhookVersion) invalid('webhookVersion', 'is not known');
  const account = createAccount({
    clientId,
    clientSecret: textField(given, 'clientSecret') ?? invalid('clientSecret', 'is missing'),
    webhookUrl: textField(given, 'webhookUrl'),
    webhookSecret: textField(given, 'webhookSecret'),
    abandonedSecret: textField(given, 'abandonedSecret'),
    webhookVersion,
  });
  accounts.set(clientId, account);
  return { clientId };
}

function addFault({ faults }: ControlTools, { given }: Asked): WritableObject {
  const kind = textField(given, 'kind') ?? '';
  if (!FAULT_KINDS.has(kind)) invalid('kind', 'is not known');
  faults.add({
    clientId: textField(given, 'clientId'),
    on: textField(given, 'on') ?? '',
    kind: kind as FaultKind,
    retryAfterSeconds: Number(textField(given, 'retryAfterSeconds') ?? 1),
    left: Number(textField(given, 'times') ?? 1),
  });
  return {};
}

function setManner({ webhooks: { manner } }: ControlTools, { given }: Asked): WritableObject {
  if (typeof given.copies === 'string') manner.copies = Number(given.copies);
  if (typeof given.delayMs === 'string') manner.delayMs = Number(given.delayMs);
  if (typeof given.isHeld === 'boolean') manner.isHeld = given.isHeld;
  return {};
}

function payLink(status: Payment['status']): Control {
  return (tools, { id, given }) => {
    const [account, link] = find(tools, 'links', id);
    const text = textField(given, 'amount');
    const amount =
      text === undefined ? undefined : (paise(text) ?? invalid('amount', 'is not an amount'));
    const method = textField(given, 'method') ?? 'upi';
    const at = new Date(tools.nowMs());
    return shown(attemptLink(tools, account, link, { amount, status, method, at }));
  };
}

function payOrder(status: Payment['status']): Control {
  return (tools, { id, given }) => {
    const [account, order] = find(tools, 'orders', id);
    const method = textField(given, 'method') ?? 'upi';
    const at = new Date(tools.nowMs());
    return shown(attemptOrder(tools, account, order, { status, method, at }));
  };
}

function settleOne(tools: ControlTools, { id, given }: Asked): WritableObject {
  for (const account of tools.accounts.values()) {
    const owner = ownerOfRefund(account, id);
    if (owner === undefined || !('orderId' in owner)) continue;
    const status = (textField(given, 'status') ?? 'SUCCESS') as Refund['status'];
    settleRefund(tools, account, owner, owner.refunds.get(id)!, status);
    return { status };
  }
  return notFound('refund');
}

function dispute(tools: ControlTools, { id, given }: Asked): WritableObject {
  const type = textField(given, 'type') ?? 'CHARGEBACK';
  const text = textField(given, 'amount');
  const amount = text === undefined ? undefined : paise(text);
  for (const account of tools.accounts.values()) {
    const orders = [...account.orders.values()];
    if (!orders.some(({ payments }) => payments.some(({ cfPaymentId }) => cfPaymentId === id)))
      continue;
    const opened = openDispute(tools, account, id, { type, amount, at: new Date(tools.nowMs()) });
    return { disputeId: opened.disputeId, status: opened.status };
  }
  return notFound('payment');
}

type Kept = 'links' | 'orders' | 'subscriptions' | 'vendors' | 'disputes';
type Of<K extends Kept> = Account[K] extends Map<string, infer Thing> ? Thing : never;

function find<K extends Kept>({ accounts }: ControlTools, kept: K, id: string): [Account, Of<K>] {
  for (const account of accounts.values()) {
    const thing = account[kept].get(id) as Of<K> | undefined;
    if (thing !== undefined) return [account, thing];
  }
  return notFound(kept);
}

function accountIn({ accounts }: ControlTools, given: ExactObject): Account {
  const clientId = textField(given, 'clientId') ?? accounts.keys().next().value ?? '';
  return accounts.get(clientId) ?? notFound('account');
}

function shown({ cfPaymentId, status, amount }: Payment): WritableObject {
  return { cfPaymentId, status, amount: rupees(amount) };
}
