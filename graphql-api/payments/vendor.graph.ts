import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberNode } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { changed, mutation, type PayloadFields } from '../platform/graph/mutation.ts';
import { FAULT_CODES } from './client/reject-fault.ts';
import { gatewayVendors } from './object.reads.ts';
import { ORIGIN, rowFields } from './values.graph.ts';
import { gatewayVendorCreate, gatewayVendorDelete, gatewayVendorUpdate } from './vendor.actions.ts';
import {
  gatewayVendorCreateContract,
  gatewayVendorDeleteContract,
  gatewayVendorUpdateContract,
} from './vendor.contract.ts';
import type { GatewayVendor } from './vendor.entity.ts';
import { VENDOR_BUSINESS_TYPES } from './vendor-business-types.ts';

const vendorById = loaderById(gatewayVendors.byIds);

const AccountTypeEnum = describedEnum('GatewayVendorAccountType', 'The legal form of a vendor.', {
  BUSINESS: 'A business.',
  INDIVIDUAL: 'An individual.',
});

const GatewayVendorRef: ObjectRef<SchemaTypes, GatewayVendor> = memberNode(
  'GatewayVendor',
  vendorById,
  {
    description: 'A recipient of split payments. Only ACTIVE vendors can be paid.',
    fields: t => ({
      ...rowFields(t, 'vendor'),
      ...expose(t, 'String!', {
        vendorId: 'The vendor ID sent to the payment gateway.',
        name: 'The vendor’s name.',
        businessType:
          'The business type: one of the values that `gatewayVendorBusinessTypes` returns.',
        accountType: 'The legal form: BUSINESS or INDIVIDUAL.',
        receivesBy: 'How the vendor is paid: BANK or UPI.',
      }),
      receiver: t.exposeString('receiverMask', {
        nullable: false,
        description:
          'The last four digits of the bank account number, or the part of the UPI address that begins with `@`.',
      }),
    }),
  },
);

pageQuery('gatewayVendors', {
  type: connectionType('GatewayVendor', GatewayVendorRef),
  description: 'The vendors in the viewer’s workspace.',
  page: gatewayVendors.page,
});

builder.queryField('gatewayVendorBusinessTypes', t =>
  t.stringList({
    nullable: false,
    description:
      'The business types that a vendor can have. Use `Miscellaneous` if no other type applies.',
    authScopes: { member: true },
    resolve: () => [...VENDOR_BUSINESS_TYPES],
  }),
);

const BankInput = builder.inputType('GatewayVendorBankInput', {
  description:
    'A bank account. Its details are sent to the payment gateway; this service stores only the last four digits of the account number.',
  fields: t => ({
    accountNumber: t.string({ required: true, description: 'The account number: 9 to 18 digits.' }),
    ifsc: t.string({ required: true, description: 'The IFSC of the bank branch.' }),
    accountHolder: t.string({
      required: true,
      description: 'The account holder’s name as registered with the bank.',
    }),
  }),
});

const UpiInput = builder.inputType('GatewayVendorUpiInput', {
  description:
    'A UPI address. It is sent to the payment gateway; this service stores only the part that begins with `@`.',
  fields: t => ({
    vpa: t.string({ required: true, description: 'The UPI address, for example `name@bank`.' }),
    accountHolder: t.string({
      required: true,
      description: 'The account holder’s name as registered with the bank.',
    }),
  }),
});

const shown = (t: PayloadFields<{ readonly id: string }>) => ({
  gatewayVendor: changed(t, GatewayVendorRef, vendorById, 'The vendor.'),
});

mutation({
  name: 'gatewayVendorCreate',
  description: `Creates a vendor, which can be paid once it is ACTIVE. ${ORIGIN}`,
  access: 'owner',
  idempotency: 'required',
  input: t => ({
    name: t.string({ required: true, description: 'The vendor’s name.' }),
    email: t.string({ required: true, description: 'The email address.' }),
    phone: t.string({ required: true, description: 'The phone number: 8 to 12 digits.' }),
    businessType: t.string({
      required: true,
      description:
        'The business type: one of the values that `gatewayVendorBusinessTypes` returns. `Other` is not accepted; use `Miscellaneous`.',
    }),
    accountType: t.field({
      type: AccountTypeEnum,
      required: true,
      description: 'The legal form of the vendor.',
    }),
    pan: t.string({
      required: true,
      description: 'The tax identifier (PAN). It is sent to the payment gateway and not stored.',
    }),
    gstin: t.string({
      description:
        'The tax registration number (GSTIN). It is sent to the payment gateway and not stored.',
    }),
    bank: t.field({
      type: BankInput,
      description:
        'The bank account that receives the vendor’s payments. Specify either `bank` or `upi`.',
    }),
    upi: t.field({
      type: UpiInput,
      description:
        'The UPI address that receives the vendor’s payments. Specify either `bank` or `upi`.',
    }),
  }),
  contract: gatewayVendorCreateContract,
  codes: [...FAULT_CODES, 'IDEMPOTENCY_KEY_MISMATCH'],
  process: gatewayVendorCreate,
  payload: shown,
});

mutation({
  name: 'gatewayVendorUpdate',
  description:
    'Updates a vendor. A vendor can be updated even while its KYC is pending. Omitted fields are unchanged.',
  access: 'owner',
  target: GatewayVendorRef,
  input: t => ({
    name: t.string({ description: 'The vendor’s name.' }),
    email: t.string({ description: 'The email address.' }),
    phone: t.string({ description: 'The phone number: 8 to 12 digits.' }),
    businessType: t.string({
      description:
        'The business type: one of the values that `gatewayVendorBusinessTypes` returns.',
    }),
    bank: t.field({
      type: BankInput,
      description:
        'The new bank account that receives the vendor’s payments. Specify `bank` or `upi`, not both.',
    }),
    upi: t.field({
      type: UpiInput,
      description:
        'The new UPI address that receives the vendor’s payments. Specify `bank` or `upi`, not both.',
    }),
  }),
  contract: gatewayVendorUpdateContract,
  codes: [...FAULT_CODES, 'NOT_FOUND', 'GATEWAY_STATUS'],
  process: gatewayVendorUpdate,
  payload: shown,
});

mutation({
  name: 'gatewayVendorDelete',
  description: 'Deletes an ACTIVE vendor. Idempotent.',
  access: 'owner',
  target: GatewayVendorRef,
  contract: gatewayVendorDeleteContract,
  codes: [...FAULT_CODES, 'NOT_FOUND', 'GATEWAY_STATUS'],
  process: gatewayVendorDelete,
  payload: shown,
});
