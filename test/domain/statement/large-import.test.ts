import { expect } from 'vitest';
import { importNow } from '../../../src/domain/money-in/statement/import/import-now.ts';
import { getImportCounts } from '../../../src/domain/money-in/statement/statement-state.ts';
import { count, isLongRun } from '../../setup/counts.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { measureHeapBytes } from '../../setup/fuzz.ts';
import { seedCharge, seedMerchant } from '../../setup/seed.ts';
import { booking, camtXml, csvMapping } from '../../setup/statement-files.ts';

const total = count(2_000, 100_000);
/** Every tenth line pays a charge while there are charges. */
const chargeCount = count(40, 1_000);
const day = '2026-11-17';

type Line = { index: number; text: string; amount: string };
type Form = { begin: string; line(line: Line): string; end: string; mapping?: object };

const [head, tail] = camtXml('<Ntry/>', { message: '054' }).split('<Ntry/>') as [string, string];
const forms: Record<string, Form> = {
  camt: {
    begin: head,
    line: ({ index, text, amount }) => booking({ amount, date: day, reference: `R${index}`, text }),
    end: tail,
  },
  mt940: {
    begin: ':20:S1\n:25:012-345678\n:60F:C261116HKD0,\n',
    line: ({ index, text, amount }) =>
      `:61:2611171117C${amount.replace('.', ',')}NTRFNONREF//B${index}\n:86:${text}\n`,
    // Every tenth line pays HKD 128.50, and the others HKD 1.00.
    end: `:62F:C261117HKD${(chargeCount * 128.5 + (total - chargeCount)).toFixed(2).replace('.', ',')}\n-\n`,
  },
  csv: {
    begin: 'Date,Amount,Text,Ref\n',
    line: ({ index, text, amount }) => `${day},${amount},"${text}",C${index}\n`,
    end: '',
    mapping: csvMapping({ referenceColumns: ['Text'], bankReferenceColumn: 'Ref' }),
  },
};

async function* toBytes(form: Form, references: string[]): AsyncGenerator<Uint8Array> {
  let text = form.begin;
  for (let index = 0; index < total; index += 1) {
    const reference = index % 10 === 0 ? references[index / 10] : undefined;
    text += form.line({ index, text: reference ?? `order ${index}`, amount: reference ? '128.50' : '1.00' });
    if (text.length < 65_536) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text + form.end);
}

test.for(Object.entries(forms))(
  `imports ${total} lines of %s in bounded memory, and reports progress`,
  { timeout: 300_000 },
  async ([name, form], { service }) => {
    const now = new Date(`${day}T04:00:00Z`);
    const merchant = await seedMerchant(service, {}, now);
    const charges = [];
    for (let n = 0; n < chargeCount; n += 1) {
      charges.push(await seedCharge(service, merchant, { now, input: { email: `ada${n}@example.com` } }));
    }
    const before = measureHeapBytes();
    const growths: number[] = [];
    const progress: number[] = [];
    const startedAt = performance.now();
    const { statement } = await importNow(service, {
      merchantId: merchant.merchant.id,
      mode: 'live',
      receivingAccountId: charges[0]!.receivingAccountId,
      source: toBytes(
        form,
        charges.map(({ paymentReference }) => paymentReference),
      ),
      fileName: name,
      mapping: form.mapping,
      actor: 'user:ada',
      clock: { now: () => now },
      onProgress: ({ recordedCount: recorded }) => {
        progress.push(recorded);
        if (progress.length % count(4, 40) === 0) growths.push(measureHeapBytes() - before);
      },
    });
    expect(growths).not.toEqual([]);
    const heapGrowth = Math.max(...growths);
    const seconds = (performance.now() - startedAt) / 1000;
    if (isLongRun)
      console.log(
        `${name}: ${total} lines in ${seconds.toFixed(1)} s, heap +${(heapGrowth / 1e6).toFixed(0)} MB`,
      );
    expect(statement).toMatchObject({ status: 'completed', entryCount: total, recordedCount: total });
    expect(getImportCounts(statement)).toMatchObject({
      matched: chargeCount,
      exception: total - chargeCount,
      duplicate: 0,
    });
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(progress.length).toBeGreaterThanOrEqual(total / 250);
    expect(heapGrowth).toBeLessThan(60_000_000);
    expect(await service.prisma.transfer.count({ where: { merchantId: merchant.merchant.id } })).toBe(total);
  },
);
