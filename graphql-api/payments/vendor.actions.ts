import { mintId } from '../../schema/gateway/minted-id.ts';
import { textField, type WritableJson } from '../../schema/values/exact-json.ts';
import type { Context } from '../platform/context.ts';
import { changeAtGateway } from './change-at-gateway.ts';
import type { GatewayRequest } from './client/gateway-client.ts';
import { makeAtGateway } from './make-at-gateway.ts';
import type { GatewayVendorCreate, GatewayVendorUpdate } from './vendor.contract.ts';
import { GatewayVendor } from './vendor.entity.ts';

/** Enough to recognize an account. The full number is stored by the gateway only. */
const MASK_CHARACTERS = 4;
/** Statuses in which the vendor does not exist yet or no longer exists. KYC_PENDING is editable. */
const NOT_EDITABLE = new Set(['CREATING', 'REFUSED', 'DELETED', 'BLOCKED']);
const PATH = ['easy-split', 'vendors'];

export function gatewayVendorUpdate(context: Context, input: GatewayVendorUpdate) {
  const { id, ...changes } = input;
  const changed = Object.entries(changes).flatMap(([name, value]) => (value == null ? [] : [name]));
  return changeAtGateway(context, {
    entity: GatewayVendor,
    action: 'gateway_vendor.update',
    id,
    require: ({ status }) =>
      NOT_EDITABLE.has(status) ? `The vendor is ${status} and cannot be updated.` : undefined,
    request: ({ vendorId }) => ({
      method: 'PATCH',
      path: [...PATH, vendorId],
      call: 'vendors',
      body: {
        vendor_id: vendorId,
        name: input.name ?? undefined,
        email: input.email ?? undefined,
        phone: input.phone ?? undefined,
        ...(input.businessType != null && {
          kyc_details: { business_type: input.businessType },
        }),
        ...receiver(input),
      },
    }),
    read: (body, row) => ({
      status: textField(body, 'status') ?? row.status,
      ...(input.name != null && { name: input.name }),
      ...(input.businessType != null && { businessType: input.businessType }),
      ...((input.bank != null || input.upi != null) && receiverColumns(input)),
    }),
    // The receiver is personal data, so the audit log contains only the names of the changed fields.
    shown: { changed },
  });
}

export function gatewayVendorDelete(context: Context, { id }: { readonly id: string }) {
  return changeAtGateway(context, {
    entity: GatewayVendor,
    action: 'gateway_vendor.delete',
    id,
    isDone: ({ status }) => status === 'DELETED',
    require: ({ status }) =>
      status === 'ACTIVE'
        ? undefined
        : `The vendor is ${status}; only a vendor that is ACTIVE can be deleted.`,
    request: ({ vendorId }) => ({ method: 'DELETE', path: [...PATH, vendorId], call: 'vendors' }),
    read: () => ({ status: 'DELETED' }),
  });
}

export const gatewayVendorCreate = makeAtGateway<GatewayVendor, GatewayVendorCreate>({
  entity: GatewayVendor,
  noun: 'gateway_vendor',
  async draft({ viewer }, input, { id }) {
    const { name, businessType, accountType } = input;
    const vendorId = mintId('vendor', viewer.workspaceId!, id);
    const columns = { vendorId, name, businessType, accountType, ...receiverColumns(input) };
    return { columns, shown: columns };
  },
  create,
  look: ({ vendorId }) => ({ method: 'GET', path: [...PATH, vendorId], call: 'vendors' }),
  // A new vendor cannot be paid yet: the gateway first verifies its bank account.
  read: body => ({ status: textField(body, 'status') ?? 'IN_BENE_CREATION' }),
  isSame: (body, { vendorId }) => textField(body, 'vendor_id') === vendorId,
});

function create({ vendorId }: GatewayVendor, input: GatewayVendorCreate): GatewayRequest {
  return {
    method: 'POST',
    path: PATH,
    call: 'vendors',
    idempotencyKey: vendorId,
    body: {
      vendor_id: vendorId,
      status: 'ACTIVE',
      name: input.name,
      email: input.email,
      phone: input.phone,
      verify_account: true,
      dashboard_access: false,
      ...receiver(input),
      kyc_details: {
        account_type: input.accountType,
        business_type: input.businessType,
        pan: input.pan,
        gst: input.gstin ?? undefined,
      },
    },
  };
}

type Receiving = Pick<GatewayVendorUpdate, 'bank' | 'upi'>;

/** A vendor that is paid by UPI only must declare the UPI capability. */
function receiver({ bank, upi }: Receiving): Record<string, WritableJson> {
  if (upi != null)
    return {
      upi: { vpa: upi.vpa, account_holder: upi.accountHolder },
      vendor_capabilities: ['UPI'],
    };
  if (bank == null) return {};
  const { accountNumber, ifsc, accountHolder } = bank;
  return { bank: { account_number: accountNumber, account_holder: accountHolder, ifsc } };
}

function receiverColumns({ bank, upi }: Receiving) {
  const receivesBy = upi == null ? 'BANK' : 'UPI';
  // Only the bank part of a UPI address is stored, because the part before it may be a phone
  // number.
  const receiverMask =
    upi == null
      ? `…${bank!.accountNumber.slice(-MASK_CHARACTERS)}`
      : `…${upi.vpa.slice(upi.vpa.indexOf('@'))}`;
  return { receivesBy, receiverMask };
}
