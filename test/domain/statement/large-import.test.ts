import { expect, test } from 'vitest';
import { importNow } from '../../../src/domain/money-in/statement/import-now.ts';
import { getImportCounts } from '../../../src/domain/money-in/statement/statement-state.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { count, isLongRun } from '../../setup/counts.ts';
import { measureHeapBytes } from '../../setup/fuzz.ts';
import { seedCharge, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { booking, camtXml, csvMapping } from '../../setup/statement-files.ts';

const onCleanup = cleanupAfterFile();

/** A whole import, from the bytes that arrive to the last transfer, in bounded memory. */

const total = count(2_000, 100_000);
/** Every tenth line pays a charge, so long as there are charges. */
const charges = count(40, 1_000);
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
    end: ':62F:C261117HKD0,\n-\n',
  },
  csv: {
    begin: 'Date,Amount,Text,Ref\n',
    line: ({ index, text, amount }) => `${day},${amount},"${text}",C${index}\n`,
    end: '',
    mapping: csvMapping({ referenceColumns: ['Text'], bankReferenceColumn: 'Ref' }),
  },
};

async function* bytesOf(form: Form, nonces: string[]): AsyncGenerator<Uint8Array> {
  let text = form.begin;
  for (let index = 0; index < total; index += 1) {
    const nonce = index % 10 === 0 ? nonces[index / 10] : undefined;
    text += form.line({ index, text: nonce ?? `order ${index}`, amount: nonce ? '128.50' : '1.00' });
    if (text.length < 65_536) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text + form.end);
}

test.each(Object.entries(forms))(
  `${total} lines of %s are imported in bounded memory, showing progress`,
  { timeout: 300_000 },
  async (name, form) => {
    const service = await setupService(onCleanup);
    const now = new Date(`${day}T04:00:00Z`);
    const merchant = await seedMerchant(service, {}, now);
    const made = [];
    for (let n = 0; n < charges; n += 1) {
      made.push(await seedCharge(service, merchant, { now, input: { email: `ada${n}@example.com` } }));
    }
    const before = measureHeapBytes();
    const grown: number[] = [];
    const seen: number[] = [];
    const startedAt = performance.now();
    const { statement } = await importNow(service, {
      merchantId: merchant.merchant.id,
      mode: 'live',
      receivingAccountId: made[0]!.receivingAccountId,
      source: bytesOf(
        form,
        made.map(({ paymentReference: nonce }) => nonce),
      ),
      fileName: name,
      mapping: form.mapping,
      actor: 'user:ada',
      clock: { now: () => now },
      onProgress: ({ recordedCount: recorded }) => {
        seen.push(recorded);
        if (seen.length % count(4, 40) === 0) grown.push(measureHeapBytes() - before);
      },
    });
    expect(grown).not.toEqual([]);
    const heapGrowth = Math.max(...grown);
    const seconds = (performance.now() - startedAt) / 1000;
    if (isLongRun)
      console.log(
        `${name}: ${total} lines in ${seconds.toFixed(1)} s, heap +${(heapGrowth / 1e6).toFixed(0)} MB`,
      );
    expect(statement).toMatchObject({ status: 'completed', entryCount: total, recordedCount: total });
    expect(getImportCounts(statement)).toMatchObject({
      matched: charges,
      exception: total - charges,
      duplicate: 0,
    });
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.length).toBeGreaterThanOrEqual(total / 250);
    expect(heapGrowth).toBeLessThan(60_000_000);
    expect(await service.prisma.transfer.count()).toBe(total);
  },
);
