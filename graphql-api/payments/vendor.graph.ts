import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { mutation, type PayloadFields } from '../platform/graph/mutation.ts';
import { FAULT_CODES } from './client/reject-fault.ts';
import { gatewayVendors } from './object.reads.ts';
import { listOf, ORIGIN, rowFields } from './values.graph.ts';
import { gatewayVendorCreate, gatewayVendorDelete, gatewayVendorUpdate } from './vendor.actions.ts';
import {
  gatewayVendorCreateContract,
  gatewayVendorDeleteContract,
  gatewayVendorUpdateContract,
} from './vendor.contract.ts';
import { GatewayVendor } from './vendor.entity.ts';
import { VENDOR_BUSINESS_TYPES } from './vendor-business-types.ts';

const vendorById = loaderById(gatewayVendors.byIds);

const AccountTypeEnum = builder.enumType('GatewayVendorAccountType', {
  description: 'Whether a vendor is a firm or a person.',
  values: { BUSINESS: { description: 'A firm.' }, INDIVIDUAL: { description: 'A person.' } },
});

const GatewayVendorRef: ObjectRef<SchemaTypes, GatewayVendor> = builder.node(GatewayVendor, {
  name: 'GatewayVendor',
  description: 'Who receives a part of split payments. Only one that is ACTIVE can be paid.',
  authScopes: { member: true },
  id: { resolve: vendor => vendor.id },
  loadOne: (id, graph) => vendorById(graph, id),
  fields: t => ({
    ...rowFields(t),
    vendorId: t.exposeString('vendorId', {
      nullable: false,
      description: 'The id that we gave it.',
    }),
    name: t.exposeString('name', { nullable: false, description: 'The name.' }),
    businessType: t.exposeString('businessType', {
      nullable: false,
      description: 'One of gatewayVendorBusinessTypes.',
    }),
    accountType: t.exposeString('accountType', {
      nullable: false,
      description: 'BUSINESS or INDIVIDUAL.',
    }),
    receivesBy: t.exposeString('receivesBy', { nullable: false, description: 'BANK or UPI.' }),
    receiver: t.exposeString('receiverMask', {
      nullable: false,
      description: 'The end of the account’s number or of the UPI address.',
    }),
  }),
});

listOf({
  name: 'gatewayVendors',
  typeName: 'GatewayVendor',
  ref: GatewayVendorRef,
  description: 'The vendors of the viewer’s workspace.',
  page: gatewayVendors.page,
});

builder.queryField('gatewayVendorBusinessTypes', t =>
  t.stringList({
    nullable: false,
    description: 'What a vendor’s business may be; Miscellaneous where nothing fits.',
    authScopes: { member: true },
    resolve: () => [...VENDOR_BUSINESS_TYPES],
  }),
);

const BankInput = builder.inputType('GatewayVendorBankInput', {
  description: 'A bank account. Passed on; only its last digits are kept here.',
  fields: t => ({
    accountNumber: t.string({ required: true, description: '9 to 18 digits.' }),
    ifsc: t.string({ required: true, description: 'The branch.' }),
    accountHolder: t.string({ required: true, description: 'As the bank knows them.' }),
  }),
});

const UpiInput = builder.inputType('GatewayVendorUpiInput', {
  description: 'A UPI address. Passed on; only its bank is kept here.',
  fields: t => ({
    vpa: t.string({ required: true, description: 'Such as name@bank.' }),
    accountHolder: t.string({ required: true, description: 'As the bank knows them.' }),
  }),
});

const shown = (t: PayloadFields<{ readonly id: string }>) => ({
  gatewayVendor: t.field({
    type: GatewayVendorRef,
    description: 'The vendor as it is now.',
    resolve: ({ result }, _args, graph) => result && vendorById(graph, result.id),
  }),
});

mutation({
  name: 'gatewayVendorCreate',
  description: `Makes a vendor, who can be paid once ACTIVE. ${ORIGIN}`,
  access: 'owner',
  idempotency: 'required',
  input: t => ({
    name: t.string({ required: true, description: 'The name.' }),
    email: t.string({ required: true, description: 'The email address.' }),
    phone: t.string({ required: true, description: '8 to 12 digits.' }),
    businessType: t.string({
      required: true,
      description: 'One of gatewayVendorBusinessTypes. Other is not taken; Miscellaneous is.',
    }),
    accountType: t.field({ type: AccountTypeEnum, required: true, description: 'Firm or person.' }),
    pan: t.string({ required: true, description: 'The tax identifier. Passed on, not kept.' }),
    gstin: t.string({ description: 'The tax registration. Passed on, not kept.' }),
    bank: t.field({ type: BankInput, description: 'Where it is paid; or upi.' }),
    upi: t.field({ type: UpiInput, description: 'Where it is paid; or bank.' }),
  }),
  contract: gatewayVendorCreateContract,
  codes: [...FAULT_CODES, 'IDEMPOTENCY_KEY_MISMATCH'],
  process: gatewayVendorCreate,
  payload: shown,
});

mutation({
  name: 'gatewayVendorUpdate',
  description: 'Changes a vendor, also while its KYC is pending. What is left out stays.',
  access: 'owner',
  target: GatewayVendorRef,
  input: t => ({
    name: t.string({ description: 'The name.' }),
    email: t.string({ description: 'The email address.' }),
    phone: t.string({ description: '8 to 12 digits.' }),
    businessType: t.string({ description: 'One of gatewayVendorBusinessTypes.' }),
    bank: t.field({ type: BankInput, description: 'Where it is paid from now on; or upi.' }),
    upi: t.field({ type: UpiInput, description: 'Where it is paid from now on; or bank.' }),
  }),
  contract: gatewayVendorUpdateContract,
  codes: [...FAULT_CODES, 'NOT_FOUND', 'GATEWAY_STATUS'],
  process: gatewayVendorUpdate,
  payload: shown,
});

mutation({
  name: 'gatewayVendorDelete',
  description: 'Deletes a vendor that is ACTIVE. Again, it changes nothing.',
  access: 'owner',
  target: GatewayVendorRef,
  contract: gatewayVendorDeleteContract,
  codes: [...FAULT_CODES, 'NOT_FOUND', 'GATEWAY_STATUS'],
  process: gatewayVendorDelete,
  payload: shown,
});
