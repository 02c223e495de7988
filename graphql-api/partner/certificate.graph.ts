import { builder } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import { taxCertificateDownloadPath } from './certificate.contract.ts';
import { TaxCertificate } from './certificate.entity.ts';
import {
  linesByTaxCertificates,
  taxCertificatesByIds,
  taxCertificatesPage,
} from './certificate.reads.ts';
import type { TaxCertificateLine } from './certificate-line.entity.ts';
import { financialYearName } from './indian-quarter.ts';

const certificateById = loaderById(taxCertificatesByIds);
const linesById = loaderById(linesByTaxCertificates);

/** The currency is the statement's. */
type Line = { readonly line: TaxCertificateLine; readonly currency: string };

const TaxCertificateLineRef = builder.objectRef<Line>('TaxCertificateLine').implement({
  description: 'One payout of a statement.',
  authScopes: { member: true },
  fields: t => ({
    paidOn: t.field({
      type: 'Date',
      nullable: false,
      description: 'The day in India.',
      resolve: ({ line }) => line.paidOn,
    }),
    bankReference: t.string({
      nullable: false,
      description: 'By which the bank knows the transfer.',
      resolve: ({ line }) => line.bankReference,
    }),
    gross: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'Before tax.',
      resolve: ({ line, currency }) => ({
        amountMinor: line.grossMinor,
        currencyCode: currency,
      }),
    }),
    taxRateBps: t.int({
      nullable: false,
      description: 'The rate in hundredths of a percent.',
      resolve: ({ line }) => line.taxRateBps,
    }),
    tax: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'What was deducted.',
      resolve: ({ line, currency }) => ({
        amountMinor: line.taxMinor,
        currencyCode: currency,
      }),
    }),
    net: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'What was paid.',
      resolve: ({ line, currency }) => ({
        amountMinor: line.netMinor,
        currencyCode: currency,
      }),
    }),
  }),
});

const TaxCertificateRef = builder.node(TaxCertificate, {
  name: 'TaxCertificate',
  description:
    'A statement of the tax that was deducted from payouts in a quarter of the Indian financial year. Never changed.',
  authScopes: { member: true },
  id: { resolve: ({ id }) => id },
  loadOne: (id, graph) => certificateById(graph, id),
  fields: t => ({
    form: t.exposeString('form', {
      nullable: false,
      description: 'What it is a statement for, such as Form 131.',
    }),
    financialYear: t.string({
      nullable: false,
      description: 'From 1 April to 31 March, such as 2026-27.',
      resolve: financialYearName,
    }),
    quarter: t.exposeInt('quarter', { nullable: false, description: '1 is April to June.' }),
    periodStart: t.field({
      type: 'Date',
      nullable: false,
      description: 'Its first day, in India.',
      resolve: ({ startsOn }) => startsOn,
    }),
    periodEnd: t.field({
      type: 'Date',
      nullable: false,
      description: 'Its last day, in India.',
      resolve: ({ endsOn }) => endsOn,
    }),
    deducteeName: t.exposeString('deducteeName', {
      nullable: false,
      description: 'From whom it was deducted, as the tax office knows them.',
    }),
    panMasked: t.exposeString('panMasked', { description: 'Their tax identifier, masked.' }),
    gross: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'What was paid out, before tax.',
      resolve: ({ grossMinor, currency }) => ({ amountMinor: grossMinor, currencyCode: currency }),
    }),
    tax: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'What was deducted.',
      resolve: ({ taxMinor, currency }) => ({ amountMinor: taxMinor, currencyCode: currency }),
    }),
    net: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'What was paid.',
      resolve: ({ netMinor, currency }) => ({ amountMinor: netMinor, currencyCode: currency }),
    }),
    lines: t.field({
      type: [TaxCertificateLineRef],
      nullable: false,
      description: 'The payouts, in the order of payment.',
      resolve: async ({ id, currency }, _args, graph) =>
        ((await linesById(graph, id))?.lines ?? []).map(line => ({ line, currency })),
    }),
    downloadPath: t.string({
      nullable: false,
      description: 'Where its PDF is, with the same bearer token.',
      resolve: ({ id }) => taxCertificateDownloadPath(id),
    }),
    issuedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When it was made.',
      resolve: ({ createdAt }) => createdAt,
    }),
  }),
});

const TaxCertificateConnection = connectionType('TaxCertificate', TaxCertificateRef);

builder.queryField('taxCertificates', t =>
  t.field({
    type: TaxCertificateConnection,
    nullable: false,
    description: 'What was deducted from the payouts of the viewer’s organisation, by quarter.',
    authScopes: { member: true },
    args: pageArgs(t.arg),
    complexity: pageCost,
    resolve: async (_root, page, { context }) =>
      connectionOfPage(await taxCertificatesPage(context, page), page),
  }),
);
