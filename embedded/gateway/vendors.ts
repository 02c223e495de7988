import { VENDOR_BUSINESS_TYPES } from '../../graphql-api/payments/vendor-business-types.ts';
import {
  type ExactObject,
  objectField,
  textField,
  type WritableObject,
} from '../../schema/values/exact-json.ts';
import type { Call, Tools } from './calls.ts';
import { idIn } from './checks.ts';
import { alreadyThere, invalid, notFound, refuse } from './refusal.ts';
import type { Account, Vendor } from './store.ts';

const VENDOR_ID = /^[A-Za-z0-9_]{1,50}$/;
const UPI_ADDRESS = /^[^@\s]+@[^@\s]+$/;

export function createVendor({ account, given }: Call): WritableObject {
  const vendorId = idIn(given, 'vendor_id', VENDOR_ID);
  if (account.vendors.has(vendorId)) alreadyThere('vendor');
  const details = objectField(given, 'kyc_details');
  checkReceiver(given, true);
  const vendor: Vendor = {
    vendorId,
    name: textField(given, 'name') ?? refuse(400, 'name_missing', 'name: is missing'),
    email: textField(given, 'email') ?? refuse(400, 'email_missing', 'email: is missing'),
    phone: textField(given, 'phone') ?? refuse(400, 'phone_missing', 'phone: is missing'),
    businessType: businessTypeIn(details),
    // Not payable yet.
    status: 'IN_BENE_CREATION',
  };
  if (textField(details, 'pan') === undefined)
    refuse(400, 'kyc_details.pan_missing', 'kyc_details.pan: is missing');
  account.vendors.set(vendorId, vendor);
  return vendorBody(vendor);
}

export function getVendor({ account, id }: Call): WritableObject {
  return vendorBody(account.vendors.get(id) ?? notFound('vendor'));
}

export function updateVendor({ account, id, given }: Call): WritableObject {
  const vendor = account.vendors.get(id) ?? notFound('vendor');
  if (vendor.status === 'DELETED') refuse(400, 'status_invalid', 'vendor is deleted');
  const details = objectField(given, 'kyc_details');
  checkReceiver(given, false);
  if (details.business_type !== undefined) vendor.businessType = businessTypeIn(details);
  vendor.name = textField(given, 'name') ?? vendor.name;
  vendor.email = textField(given, 'email') ?? vendor.email;
  vendor.phone = textField(given, 'phone') ?? vendor.phone;
  return vendorBody(vendor);
}

export function deleteVendor({ account, id }: Call): WritableObject {
  const vendor = account.vendors.get(id) ?? notFound('vendor');
  if (vendor.status !== 'ACTIVE')
    refuse(400, 'status_invalid', `status: should be ACTIVE. Value received: ${vendor.status}`);
  vendor.status = 'DELETED';
  return vendorBody(vendor);
}

export function setVendorStatus(
  { webhooks }: Tools,
  account: Account,
  vendor: Vendor,
  status: string,
): void {
  const past = vendor.status;
  vendor.status = status;
  const data = {
    merchant_vendor_id: vendor.vendorId,
    email: vendor.email,
    updated_status: status,
    past_status: past,
    name: vendor.name,
    phone: vendor.phone,
    business_type: vendor.businessType,
    updated_by: 'AUTOMATED',
    document_status: { PAN: 'VERIFIED' },
  };
  webhooks.emit(account, { type: 'VENDOR_STATUS_UPDATE', data });
}

function businessTypeIn(details: ExactObject): string {
  const type = textField(details, 'business_type');
  return type !== undefined && VENDOR_BUSINESS_TYPES.includes(type)
    ? type
    : refuse(400, 'api_request_failed', 'kyc_details.business_type: is not allowed');
}

function checkReceiver(given: ExactObject, isNeeded: boolean): void {
  const [bank, upi] = [given.bank !== undefined, given.upi !== undefined];
  if (bank && upi)
    refuse(400, 'api_request_failed', 'either bank or upi should be given, not both');
  if (isNeeded && !bank && !upi) refuse(400, 'api_request_failed', 'bank or upi is missing');
  if (!upi) return;
  if (!UPI_ADDRESS.test(textField(objectField(given, 'upi'), 'vpa') ?? ''))
    invalid('upi.vpa', 'is not valid');
  const capabilities = (given.vendor_capabilities ?? []) as readonly unknown[];
  if (!capabilities.includes('UPI'))
    refuse(400, 'api_request_failed', 'vendor_capabilities: should contain UPI');
}

function vendorBody(vendor: Vendor): WritableObject {
  return {
    vendor_id: vendor.vendorId,
    status: vendor.status,
    name: vendor.name,
    email: vendor.email,
    phone: vendor.phone,
    related_docs: [],
  };
}
