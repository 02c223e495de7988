// Renders a tax certificate as a PDF. The output is deterministic: all dates come from the record.

import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import type { RowOf } from '../platform/database/kysely.ts';
import { decimalOf } from '../platform/money.ts';
import type { TaxCertificate } from './certificate.entity.ts';
import { financialYearName, indianDay } from './indian-quarter.ts';

const MARGIN = 56;
const WIDTH = 483;
const FONT = 'Helvetica';
const BOLD = 'Helvetica-Bold';
const ROW_HEIGHT = 18;
const TEXT_SIZE = 9;
/** Rows below this line would overlap the footer. */
const BOTTOM = 700;

/** The left edge and width in points. Amounts are right-aligned. */
const COLUMNS = [
  { title: 'Paid on', x: 56, width: 62, align: 'left' },
  { title: 'Bank reference', x: 118, width: 132, align: 'left' },
  { title: 'Amount', x: 250, width: 88, align: 'right' },
  { title: 'Rate', x: 338, width: 43, align: 'right' },
  { title: 'Tax', x: 381, width: 78, align: 'right' },
  { title: 'Paid out', x: 459, width: 80, align: 'right' },
] as const;

export function certificatePdf(
  certificate: TaxCertificate,
  lines: readonly RowOf<'tax_certificate_lines'>[],
): Promise<Buffer> {
  const title = `Statement of tax deducted, ${periodOf(certificate)}`;
  const document = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    info: { Title: title, CreationDate: certificate.createdAt },
    lang: 'en',
  });
  writeHead(document, certificate);
  writeTable(document, certificate, lines);
  document.end();
  return buffer(document);
}

function writeHead(document: PDFKit.PDFDocument, certificate: TaxCertificate): void {
  document.font(BOLD).fontSize(16).text('Statement of tax deducted at source');
  document
    .font(FONT)
    .fontSize(10)
    .text(`For ${certificate.form} - ${periodOf(certificate)}`);
  document.moveDown();
  const { startsOn, endsOn, deductorName, deductorTan } = certificate;
  const facts = [
    ['Period', `${startsOn} to ${endsOn}`],
    ['Deducted from', printable(certificate.deducteeName)],
    ['PAN', certificate.panMasked ?? 'not given'],
    ...(deductorName ? [['Deducted by', printable(deductorName)]] : []),
    ...(deductorTan ? [['TAN', deductorTan]] : []),
    ['Currency', certificate.currency],
    ['Statement', certificate.id],
    ['Issued on', indianDay(certificate.createdAt.getTime())],
  ];
  document.fontSize(TEXT_SIZE);
  for (const [name, value] of facts) {
    const y = document.y;
    document.font(BOLD).text(name!, MARGIN, y);
    document.font(FONT).text(value!, MARGIN + 90, y);
  }
  document.moveDown();
}

function writeTable(
  document: PDFKit.PDFDocument,
  certificate: TaxCertificate,
  lines: readonly RowOf<'tax_certificate_lines'>[],
): void {
  let y = writeTitles(document, document.y);
  for (const line of lines) {
    if (y > BOTTOM) {
      document.addPage();
      y = writeTitles(document, MARGIN);
    }
    const rate = `${line.taxRateBps / 100} %`;
    writeRow(document, y, [line.paidOn, printable(line.bankReference), ...amounts(line, rate)]);
    y += ROW_HEIGHT;
  }
  drawLine(document, y);
  document.font(BOLD);
  writeRow(document, y + 5, ['Total', '', ...amounts(certificate, '')]);
  document.font(FONT).fontSize(8);
  const note = `This statement lists the tax deducted from your payouts and is for your records only. ${certificate.form} itself is available on the tax authority's portal.`;
  document.text(note, MARGIN, y + 2 * ROW_HEIGHT, { width: WIDTH });

  function amounts({ grossMinor, taxMinor, netMinor }: Amounts, rate: string): readonly string[] {
    const { currency: currencyCode } = certificate;
    const text = (amountMinor: bigint) => decimalOf({ amountMinor, currencyCode });
    return [text(grossMinor), rate, text(taxMinor), text(netMinor)];
  }
}

type Amounts = Pick<TaxCertificate, 'grossMinor' | 'taxMinor' | 'netMinor'>;

/** Returns the vertical position of the first row. */
function writeTitles(document: PDFKit.PDFDocument, y: number): number {
  document.font(BOLD).fontSize(TEXT_SIZE);
  const titles = COLUMNS.map(({ title }) => title);
  writeRow(document, y, titles);
  drawLine(document, y + 13);
  document.font(FONT);
  return y + ROW_HEIGHT;
}

function drawLine(document: PDFKit.PDFDocument, y: number): void {
  document
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + WIDTH, y)
    .lineWidth(0.5)
    .stroke();
}

function writeRow(document: PDFKit.PDFDocument, y: number, cells: readonly string[]): void {
  for (const [index, { x, width, align }] of COLUMNS.entries())
    document.text(cells[index] ?? '', x, y, { width, align, height: ROW_HEIGHT, ellipsis: true });
}

function periodOf({ financialYear, quarter }: TaxCertificate): string {
  return `financial year ${financialYearName({ financialYear })}, quarter ${quarter}`;
}

/**
 * Replaces characters that the built-in PDF fonts do not have. Embedding fonts for every script
 * would be too large.
 */
function printable(text: string): string {
  return text.replaceAll(/[^\u0020-\u007e\u00a0-\u00ff]/gu, '?');
}
