import { builder } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { MoneyRef, money } from '../platform/graph/money.ts';
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

/** A line has no currency of its own; it uses the statement’s currency. */
type Line = { readonly line: TaxCertificateLine; readonly currency: string };

const TaxCertificateLineRef = builder.objectRef<Line>('TaxCertificateLine').implement({
  description: 'A payout in a tax statement.',
  authScopes: { member: true },
  fields: t => ({
    paidOn: t.field({
      type: 'Date',
      nullable: false,
      description: 'The day of the payout, in the Indian time zone.',
      resolve: ({ line }) => line.paidOn,
    }),
    bankReference: t.string({
      nullable: false,
      description: 'The bank’s reference for the transfer; null if there is none.',
      resolve: ({ line }) => line.bankReference,
    }),
    gross: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'The amount before tax.',
      resolve: ({ line, currency }) => ({
        amountMinor: line.grossMinor,
        currencyCode: currency,
      }),
    }),
    taxRateBps: t.int({
      nullable: false,
      description: 'The tax rate, in basis points: 200 is 2 %.',
      resolve: ({ line }) => line.taxRateBps,
    }),
    tax: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'The tax deducted.',
      resolve: ({ line, currency }) => ({
        amountMinor: line.taxMinor,
        currencyCode: currency,
      }),
    }),
    net: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'The amount paid after tax.',
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
    'A statement of the tax deducted from payouts in one quarter of the Indian financial year. It never changes after it is issued.',
  authScopes: { member: true },
  id: { resolve: ({ id }) => id },
  loadOne: (id, graph) => certificateById(graph, id),
  fields: t => ({
    form: t.exposeString('form', {
      nullable: false,
      description: 'The form that the statement supports, for example `Form 131`.',
    }),
    financialYear: t.string({
      nullable: false,
      description: 'The financial year, from 1 April to 31 March, for example `2026-27`.',
      resolve: financialYearName,
    }),
    quarter: t.exposeInt('quarter', {
      nullable: false,
      description: 'The quarter of the financial year, 1 to 4. Quarter 1 is April to June.',
    }),
    periodStart: t.field({
      type: 'Date',
      nullable: false,
      description: 'The first day of the quarter, in the Indian time zone.',
      resolve: ({ startsOn }) => startsOn,
    }),
    periodEnd: t.field({
      type: 'Date',
      nullable: false,
      description: 'The last day of the quarter, in the Indian time zone.',
      resolve: ({ endsOn }) => endsOn,
    }),
    deducteeName: t.exposeString('deducteeName', {
      nullable: false,
      description:
        'The name of the person or company that tax was deducted from, from the KYC that was approved at the time.',
    }),
    panMasked: t.exposeString('panMasked', {
      description: 'The deductee’s tax identifier (PAN), masked; null if none was given.',
    }),
    gross: money(t, 'grossMinor', { description: 'The total paid out, before tax.' }),
    tax: money(t, 'taxMinor', { description: 'The total tax deducted.' }),
    net: money(t, 'netMinor', { description: 'The total paid after tax.' }),
    lines: t.field({
      type: [TaxCertificateLineRef],
      nullable: false,
      description: 'The payouts, in order of payment.',
      resolve: async ({ id, currency }, _args, graph) =>
        ((await linesById(graph, id))?.lines ?? []).map(line => ({ line, currency })),
    }),
    downloadPath: t.string({
      nullable: false,
      description: 'The path of the PDF version. It requires the same bearer token.',
      resolve: ({ id }) => taxCertificateDownloadPath(id),
    }),
    issuedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When the statement was issued.',
      resolve: ({ createdAt }) => createdAt,
    }),
  }),
});

const TaxCertificateConnection = connectionType('TaxCertificate', TaxCertificateRef);

builder.queryField('taxCertificates', t =>
  t.field({
    type: TaxCertificateConnection,
    nullable: false,
    description: 'The quarterly tax statements of the viewer’s organization.',
    authScopes: { member: true },
    args: pageArgs(t.arg),
    complexity: pageCost,
    resolve: async (_root, page, { context }) =>
      connectionOfPage(await taxCertificatesPage(context, page), page),
  }),
);
