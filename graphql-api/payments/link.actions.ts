import { PLATFORM_ACCOUNT_ID } from '../../schema/gateway/account.ts';
import { mintId } from '../../schema/gateway/minted-id.ts';
import { type ExactJson, Pairs, type TagList, textField } from '../../schema/values/exact-json.ts';
import type { Context } from '../platform/context.ts';
import { kysely } from '../platform/database/kysely.ts';
import { notFound, reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { changeAtGateway } from './change-at-gateway.ts';
import type { GatewayRequest } from './client/gateway-client.ts';
import {
  amountMinorOf,
  customerOnWire,
  decimalAmount,
  optionalAmount,
  returnTo,
  saysAmount,
  timeOf,
} from './client/wire-values.ts';
import type { BillingLinkCreate, GatewayLinkCreate } from './link.contract.ts';
import { GatewayLink } from './link.entity.ts';
import { type Draft, type Making, makeAtGateway } from './make-at-gateway.ts';
import { WORKSPACE_TAG } from './tags.contract.ts';

const NAMES = { amount: 'link_amount', currency: 'link_currency' };

export function gatewayLinkCancel(context: Context, { id }: { readonly id: string }) {
  return changeAtGateway(context, {
    entity: GatewayLink,
    action: 'gateway_link.cancel',
    id,
    isDone: ({ status }) => status === 'CANCELLED',
    require: ({ status }) =>
      status === 'ACTIVE' || status === 'PARTIALLY_PAID'
        ? undefined
        : `The link is ${status}; only a link that is ACTIVE or PARTIALLY_PAID can be canceled.`,
    request: ({ linkId }) => ({ method: 'POST', path: ['links', linkId, 'cancel'], call: 'links' }),
    read: body => ({ status: textField(body, 'link_status') ?? 'CANCELLED' }),
  });
}

type LinkInput = GatewayLinkCreate | BillingLinkCreate;

const LINK = {
  entity: GatewayLink,
  noun: 'gateway_link',
  create,
  look: ({ linkId }) => ({ method: 'GET', path: ['links', linkId], call: 'links' }),
  read,
  isSame: (body, row) => saysAmount(body, NAMES, row),
} satisfies Omit<Making<GatewayLink, LinkInput>, 'draft'>;

export const gatewayLinkCreate = makeAtGateway<GatewayLink, GatewayLinkCreate>({
  ...LINK,
  async draft({ viewer }, input, { id }) {
    const workspaceId = viewer.workspaceId!;
    return draftOf(input, {
      linkId: mintId('link', workspaceId, id),
      notes: [[WORKSPACE_TAG, workspaceId], ...input.notes],
    });
  },
});

/**
 * Creates a link by which an organization pays the platform. Only these links earn partner rewards.
 */
export const billingLinkCreate = makeAtGateway<GatewayLink, BillingLinkCreate>({
  ...LINK,
  isPlatform: true,
  async draft(scope, input, { id }) {
    const { organizationId } = input;
    await requireOrganization(scope, organizationId);
    const { columns, shown } = draftOf(input, {
      linkId: mintId('link', undefined, id),
      notes: input.notes,
    });
    const payer = { accountId: PLATFORM_ACCOUNT_ID, payerOrganizationId: organizationId };
    return { columns: { ...columns, ...payer }, shown, organizationId };
  },
});

async function requireOrganization({ em }: ActionScope, id: string): Promise<void> {
  const organizations = kysely(em).selectFrom('organizations').select('id');
  const found = await organizations.where('id', '=', id).executeTakeFirst();
  if (found === undefined) notFound('organization', 'organizationId');
}

function draftOf(
  input: LinkInput,
  { linkId, notes }: { readonly linkId: string; readonly notes: TagList },
): Draft {
  const { amount, currency, purpose, expiresAt } = input;
  const amountMinor = amountMinorOf(amount, currency);
  const minimum = 'minimumPartialAmount' in input ? input.minimumPartialAmount : undefined;
  const minimumPartialMinor =
    minimum == null ? undefined : amountMinorOf(minimum, currency, 'minimumPartialAmount');
  if (minimumPartialMinor !== undefined && minimumPartialMinor >= amountMinor)
    reject('BAD_USER_INPUT', {
      field: ['minimumPartialAmount'],
      message: 'minimumPartialAmount must be less than the amount.',
    });
  return {
    columns: {
      linkId,
      purpose,
      amountMinor,
      currency,
      minimumPartialMinor: minimumPartialMinor ?? null,
      isPartialAllowed: minimumPartialMinor !== undefined,
      expiresAt: expiresAt ?? null,
      notes,
    },
    shown: { linkId, amount, currency, purpose },
  };
}

function create(row: GatewayLink, input: LinkInput): GatewayRequest {
  const { linkId, currency, minimumPartialMinor } = row;
  const isSentBySms = 'isSentBySms' in input && input.isSentBySms === true;
  const isSentByEmail = 'isSentByEmail' in input && input.isSentByEmail === true;
  return {
    method: 'POST',
    path: ['links'],
    call: 'links',
    idempotencyKey: linkId,
    body: {
      link_id: linkId,
      link_amount: decimalAmount(row.amountMinor, currency),
      link_currency: currency,
      link_purpose: row.purpose,
      customer_details: customerOnWire(input.customer),
      link_partial_payments: row.isPartialAllowed,
      link_minimum_partial_amount: optionalAmount(minimumPartialMinor, currency),
      link_expiry_time: row.expiresAt?.toISOString(),
      link_notify: { send_sms: isSentBySms, send_email: isSentByEmail },
      link_meta: returnTo(input.returnUrl),
      link_notes: row.notes.length === 0 ? undefined : new Pairs(row.notes),
    },
  };
}

/** Later statuses come from events only, so that each takes effect once. */
function read(body: ExactJson, row: GatewayLink) {
  return {
    status: 'ACTIVE',
    cfId: textField(body, 'cf_link_id') ?? null,
    linkUrl: textField(body, 'link_url') ?? null,
    expiresAt: timeOf(body, 'link_expiry_time') ?? row.expiresAt ?? null,
  };
}
