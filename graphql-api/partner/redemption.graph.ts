import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { Conversion } from './conversion.entity.ts';
import { creditsRedeem, creditsToCash } from './in-main-units.ts';
import { conversions, redemptions } from './own-wallet.reads.ts';
import { Redemption } from './redemption.entity.ts';
import { creditsRedeemContract, creditsToCashContract } from './wallet.contract.ts';

const RedemptionStatusEnum = builder.enumType('RedemptionStatus', {
  description: 'What became of credits that were meant for an invoice.',
  values: {
    RESERVED: { description: 'Set aside: the invoice is not registered yet.' },
    CAPTURED: { description: 'They paid a part of it.' },
    RELEASED: { description: 'They came back: the invoice was another one, or never came.' },
  },
});

const redemptionById = loaderById(redemptions.byIds);

const RedemptionRef: ObjectRef<SchemaTypes, Redemption> = builder.node(Redemption, {
  name: 'Redemption',
  description: 'Credits for an invoice of the platform.',
  authScopes: { member: true },
  id: { resolve: redemption => redemption.id },
  loadOne: (id, graph) => redemptionById(graph, id),
  fields: t => ({
    invoiceId: t.exposeString('invoiceId', { nullable: false, description: 'Its number.' }),
    invoiceTotal: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'Its total, as it was said.',
      resolve: ({ invoiceTotalMinor, currency }) => ({
        amountMinor: invoiceTotalMinor,
        currencyCode: currency,
      }),
    }),
    amount: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'Of credits.',
      resolve: ({ amountMinor, currency }) => ({ amountMinor, currencyCode: currency }),
    }),
    status: t.field({
      type: RedemptionStatusEnum,
      nullable: false,
      description: 'What became of them.',
      resolve: ({ status }) => status,
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Until when a reservation waits.',
    }),
    settledAt: t.expose('settledAt', {
      type: 'DateTime',
      description: 'When they paid, or came back.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was asked for.',
    }),
  }),
});

const RedemptionConnection = connectionType('Redemption', RedemptionRef);

builder.queryField('redemptions', t =>
  t.field({
    type: RedemptionConnection,
    nullable: false,
    description: 'What the viewer’s organisation redeemed.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      status: t.arg({ type: RedemptionStatusEnum, description: 'Only those.' }),
    },
    complexity: pageCost,
    resolve: async (_root, { status, ...page }, { context }) =>
      connectionOfPage(await redemptions.page(context, page, status ? { status } : {}), page),
  }),
);

mutation({
  name: 'creditsRedeem',
  description:
    'Pays a part of an invoice of the platform with credits: at most half, all redemptions together. For an invoice that is not registered yet they are set aside.',
  access: 'owner',
  idempotency: 'required',
  input: t => ({
    invoiceId: t.string({ required: true, description: 'The invoice’s number.' }),
    invoiceTotal: t.field({ type: 'Decimal', required: true, description: 'Its total.' }),
    requestedAmount: t.field({ type: 'Decimal', required: true, description: 'Of credits.' }),
  }),
  contract: creditsRedeemContract,
  codes: [
    'PASSTHROUGH_INVOICE',
    'INVOICE_MISMATCH',
    'INSUFFICIENT_BALANCE',
    'REDEMPTION_CAP_EXCEEDED',
  ],
  action: creditsRedeem,
  payload: t => ({
    redemption: t.field({
      type: RedemptionRef,
      description: 'What was redeemed, or set aside.',
      resolve: ({ result }, _args, graph) => result && redemptionById(graph, result.id),
    }),
  }),
});

const conversionById = loaderById(conversions.byIds);

const ConversionRef: ObjectRef<SchemaTypes, Conversion> = builder.node(Conversion, {
  name: 'Conversion',
  description: 'Credits that became cash.',
  authScopes: { member: true },
  id: { resolve: conversion => conversion.id },
  loadOne: (id, graph) => conversionById(graph, id),
  fields: t => ({
    amount: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'One for one.',
      resolve: ({ amountMinor, currency }) => ({ amountMinor, currencyCode: currency }),
    }),
    eligibleAt: t.expose('eligibleAt', {
      type: 'DateTime',
      nullable: false,
      description: 'From when it may be paid out.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was done.',
    }),
  }),
});

const ConversionConnection = connectionType('Conversion', ConversionRef);

builder.queryField('conversions', t =>
  t.field({
    type: ConversionConnection,
    nullable: false,
    description: 'Which credits of the viewer’s organisation became cash.',
    authScopes: { member: true },
    args: pageArgs(t.arg),
    complexity: pageCost,
    resolve: async (_root, page, { context }) =>
      connectionOfPage(await conversions.page(context, page), page),
  }),
);

mutation({
  name: 'creditsToCash',
  description:
    'Makes credits cash, one for one; it takes an approved KYC. How old the cash is counts from now.',
  access: 'owner',
  idempotency: 'required',
  input: t => ({
    requestedAmount: t.field({ type: 'Decimal', description: 'All of them where left out.' }),
  }),
  contract: creditsToCashContract,
  codes: ['KYC_NOT_APPROVED', 'INSUFFICIENT_BALANCE'],
  action: creditsToCash,
  payload: t => ({
    conversion: t.field({
      type: ConversionRef,
      description: 'What became cash.',
      resolve: ({ result }, _args, graph) => result && conversionById(graph, result.id),
    }),
  }),
});
