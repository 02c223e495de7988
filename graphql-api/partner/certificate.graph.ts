import type { RowOf } from '../platform/database/kysely.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { expose, memberNode, memberObject } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { money } from '../platform/graph/money.ts';
import { taxCertificateDownloadPath } from './certificate.contract.ts';
import { linesByTaxCertificates, taxCertificates } from './certificate.reads.ts';
import { financialYearName } from './indian-quarter.ts';

const certificateById = loaderById(taxCertificates.byIds);
const linesById = loaderById(linesByTaxCertificates);

/** A line has no currency of its own; it uses the statement’s currency. */
type Line = RowOf<'tax_certificate_lines'> & { readonly currency: string };

const TaxCertificateLineRef = memberObject<Line>('TaxCertificateLine', {
  description: 'A payout in a tax statement.',
  fields: t => ({
    ...expose(t, 'Date!', { paidOn: 'The date of the payout, in India Standard Time (IST).' }),
    ...expose(t, 'String!', {
      bankReference: 'The bank’s reference for the transfer.',
    }),
    gross: money(t, 'grossMinor', { description: 'The amount before tax.' }),
    ...expose(t, 'Int!', { taxRateBps: 'The tax rate, in basis points: 200 is 2%.' }),
    tax: money(t, 'taxMinor', { description: 'The tax deducted.' }),
    net: money(t, 'netMinor', { description: 'The amount paid after tax.' }),
  }),
});

const TaxCertificateRef = memberNode('TaxCertificate', certificateById, {
  description:
    'A statement of the tax deducted from payouts in one quarter of the Indian financial year. It never changes after it is issued.',
  fields: t => ({
    ...expose(t, 'String!', {
      form: 'The official tax form that the statement relates to, for example `Form 131`.',
      deducteeName:
        'The name of the person or company whose payouts were taxed. It is taken from the last KYC submission that was approved before the last of these payouts.',
    }),
    ...expose(t, 'String', {
      panMasked: 'The deductee’s tax identifier (PAN), masked; null if none was given.',
    }),
    ...expose(t, 'Int!', {
      quarter: 'The quarter of the financial year, 1 to 4. Quarter 1 is April to June.',
    }),
    financialYear: t.string({
      nullable: false,
      description: 'The financial year, from 1 April to 31 March, for example `2026-27`.',
      resolve: financialYearName,
    }),
    periodStart: t.expose('startsOn', {
      type: 'Date',
      nullable: false,
      description: 'The first day of the quarter, in India Standard Time (IST).',
    }),
    periodEnd: t.expose('endsOn', {
      type: 'Date',
      nullable: false,
      description: 'The last day of the quarter, in India Standard Time (IST).',
    }),
    gross: money(t, 'grossMinor', { description: 'The total paid out, before tax.' }),
    tax: money(t, 'taxMinor', { description: 'The total tax deducted.' }),
    net: money(t, 'netMinor', { description: 'The total paid out, after tax.' }),
    lines: t.field({
      type: [TaxCertificateLineRef],
      nullable: false,
      description: 'The payouts, in order of payment.',
      resolve: async ({ id, currency }, _args, graph) =>
        ((await linesById(graph, id))?.lines ?? []).map(line => ({ ...line, currency })),
    }),
    downloadPath: t.string({
      nullable: false,
      description:
        'The path for downloading the statement as a PDF. The download requires a bearer token.',
      resolve: ({ id }) => taxCertificateDownloadPath(id),
    }),
    issuedAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the statement was issued.',
    }),
  }),
});

const TaxCertificateConnection = connectionType('TaxCertificate', TaxCertificateRef);

pageQuery('taxCertificates', {
  type: TaxCertificateConnection,
  description: 'The quarterly tax statements of the viewer’s organization.',
  page: taxCertificates.page,
});
