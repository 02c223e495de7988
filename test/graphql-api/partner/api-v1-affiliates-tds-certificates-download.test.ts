import { inflateSync } from 'node:zlib';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { tokenFor } from '../harness/tokens.ts';
import { type Caller, useClockedApi } from './clocked-api.ts';
import { PATH, TOKEN_SECONDS, tdsActions } from './tds-certificates.ts';

const api = useClockedApi();

const { payout, certificatesOf, issueAt } = tdsActions(api);

describe('GET tds-certificates/{id}/download', () => {
  test('200: a readable PDF with the same bytes each time', async () => {
    const owner = await api().owner();
    // More payouts than fit on a page.
    for (let day = 1; day <= 28; day++)
      for (const hour of ['05', '15'])
        await payout(owner, {
          paidAt: `2029-02-${String(day).padStart(2, '0')}T${hour}:00:00Z`,
          gross: 10_000 + day,
          tax: 200,
        });
    await issueAt('2029-04-01T01:30:00Z');
    const [item] = await certificatesOf(owner);
    const answer = await download(owner, String(item!.download_path));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="tax-2028-29-q4.pdf"',
    );
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const lines = textOf(bytes);
    for (const expected of [
      'Statement of tax deducted at source',
      'For Form 131 - financial year 2028-29, quarter 4',
      '2029-01-01 to 2029-03-31',
      String(item!.id),
      '2029-02-28',
      '10028.00',
      '200.00',
      '2 %',
      'Total',
      '560812.00',
      '11200.00',
    ])
      expect(lines).toContain(expected);
    expect(lines.filter(line => line === 'Bank reference')).toHaveLength(2);
    api().advanceDays(100);
    const again = await download(owner, String(item!.download_path));
    expect(Buffer.from(await again.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('404: of another organization, or unknown', async () => {
    const [owner, other] = [await api().owner(), await api().owner()];
    await payout(owner, { paidAt: '2029-04-10T09:00:00Z' });
    await issueAt('2029-07-01T01:30:00Z');
    const [item] = await certificatesOf(owner);
    expect((await other.get(String(item!.download_path))).status).toBe(404);
    expect((await owner.get(`${PATH}/${uuidv7()}/download`)).status).toBe(404);
    expect((await owner.get(`${PATH}/x/download`)).status).toBe(400);
  });
});

/** For binary responses. */
async function download({ organizationId }: Caller, path: string): Promise<Response> {
  const token = await tokenFor(organizationId, { ttlSeconds: TOKEN_SECONDS });
  return fetch(`${api().url}${path}`, { headers: { authorization: `Bearer ${token}` } });
}

/** The strings on the pages in order, extracted by an independent parser. */
function textOf(pdf: Buffer): string[] {
  const lines: string[] = [];
  for (const { index } of pdf.toString('latin1').matchAll(/stream\r?\n/g)) {
    const start = index + /stream\r?\n/.exec(pdf.toString('latin1', index))![0].length;
    if (pdf.toString('latin1', index - 3, index) === 'end') continue;
    let page: string;
    try {
      page = inflateSync(pdf.subarray(start)).toString('latin1');
    } catch {
      continue;
    }
    for (const [, shown] of page.matchAll(/\[((?:<[0-9a-f]*>|[\s\d.-])*)\] TJ/g)) {
      const parts = [...shown!.matchAll(/<([0-9a-f]*)>/g)].map(match => match[1]!);
      lines.push(Buffer.from(parts.join(''), 'hex').toString('latin1'));
    }
  }
  return lines;
}
