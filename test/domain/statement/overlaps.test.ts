import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { assignTransfer } from '../../../src/domain/money-in/transfer/assign-transfer.ts';
import { recordTransfers } from '../../../src/domain/money-in/transfer/record-transfers.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { count } from '../../setup/counts.ts';
import { getNonZeroCounts, getReceivedAmount, importFile } from '../../setup/import-file.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { booking, camtXml, csvMapping, details, mt940Text } from '../../setup/statement-files.ts';

const onCleanup = cleanupAfterFile();

let service: Service;
let merchant: NewMerchant;

beforeAll(async () => {
  service = await setupService(onCleanup);
});

const now = minutesAfter(noon, 60);
const day = '2026-11-17';

/** Pending charges of HKD 128.50 on one account, of a merchant of their own. */
async function newCharges(total: number): Promise<Charge[]> {
  merchant = await seedMerchant(service);
  const charges: Charge[] = [];
  for (let i = 0; i < total; i += 1)
    charges.push(await seedCharge(service, merchant, { input: { email: `c${i}@example.com` } }));
  return charges;
}

async function imported([charge]: Charge[], content: string, mapping?: object) {
  const { receivingAccountId } = charge as Charge;
  return getNonZeroCounts(await importFile(service, merchant, { content, receivingAccountId, mapping, now }));
}

/** All money that came, each once: what is no duplicate. */
async function moneyIn([charge]: Charge[]): Promise<bigint> {
  const { _sum } = await service.prisma.transfer.aggregate({
    where: {
      receivingAccountId: charge!.receivingAccountId,
      direction: 'credit',
      status: { not: 'duplicate' },
    },
    _sum: { amount: true },
  });
  return _sum.amount ?? 0n;
}

/** Everybody who may tell of the charges' money, in ways of their own. */
const tellers: Record<string, (charges: Charge[]) => Promise<unknown>> = {
  feed: (charges) =>
    recordTransfers(service, {
      merchant: merchant.merchant,
      mode: 'live',
      actor: 'key:feed',
      now,
      items: charges.map(({ paymentReference: nonce, receivingAccountId }, i) => ({
        ...{ id: `feed-${i}`, receivingAccountId, amount: 128.5, currency: 'HKD' },
        ...{ reference: `fps ${nonce}`, paidAt: '2026-11-17T20:10:00+08:00' },
      })),
    }),
  'camt.054': (charges) =>
    imported(
      charges,
      camtXml(
        charges
          .map(({ paymentReference: nonce }, i) => booking({ text: nonce, reference: `N${i}` }))
          .join(''),
        {
          message: '054',
        },
      ),
    ),
  'camt.053': (charges) =>
    imported(
      charges,
      camtXml(
        charges
          .map(({ paymentReference: nonce }, i) => booking({ text: nonce.toLowerCase(), reference: `B${i}` }))
          .join(''),
      ),
    ),
  MT940: (charges) =>
    imported(
      charges,
      mt940Text(
        charges
          .map(
            ({ paymentReference: nonce }, i) =>
              `:61:2611171117C128,50NTRFNONREF//M${i}\n:86:${nonce.slice(0, 5)} ${nonce.slice(5)}`,
          )
          .join('\n'),
      ),
    ),
  CSV: (charges) =>
    imported(
      charges,
      `Date,Amount,Text,Payer\n${charges.map(({ paymentReference: nonce }) => `${day},128.50,${nonce},CHAN`).join('\n')}\n`,
      csvMapping({ referenceColumns: ['Text'] }),
    ),
  'CSV by another mapping': (charges) =>
    imported(
      charges,
      `Date,Amount,Text,Payer\n${charges.map(({ paymentReference: nonce }) => `${day},128.50,${nonce},CHAN`).join('\n')}\n`,
      csvMapping({ referenceColumns: ['Text', 'Payer'], payerNameColumn: 'Payer' }),
    ),
};

describe('whoever tells of the same money', () => {
  test('in whatever order, twice over: each charge is paid once, and the books have each payment once', async () => {
    const order = fc.shuffledSubarray(Object.keys(tellers), { minLength: 3 });
    await fc.assert(
      fc.asyncProperty(order, async (names) => {
        const charges = await newCharges(2);
        for (const name of names) await tellers[name]!(charges);
        expect(await Promise.all(charges.map((charge) => getReceivedAmount(service, charge)))).toEqual([
          12850n,
          12850n,
        ]);
        expect(await moneyIn(charges)).toBe(25700n);
        await expectInvariants(service);
      }),
      { numRuns: count(4, 200), examples: [[Object.keys(tellers)], [Object.keys(tellers).reverse()]] },
    );
  });

  test('a CSV file without words, read by another mapping, is not counted again: its lines wait for a person', async () => {
    const charges = await newCharges(1);
    const text = `Date,Amount,Text,Payer\n${day},5,hello,CHAN\n${day},5,hello,CHAN\n`;
    expect(await imported(charges, text, csvMapping({ referenceColumns: ['Text'] }))).toEqual({
      exception: 2,
    });
    expect(await imported(charges, text, csvMapping({ referenceColumns: ['Text', 'Payer'] }))).toEqual({
      exception: 2,
    });
    const again = await service.prisma.transfer.findMany({
      where: { receivingAccountId: charges[0]!.receivingAccountId },
    });
    expect(again.map(({ reason }) => reason).sort()).toEqual([
      ...['missing_reference', 'missing_reference'],
      ...['possible_duplicate', 'possible_duplicate'],
    ]);
  });
});

describe('a booking of several payments', () => {
  const part = (text: string, amount: string) =>
    `<Amt Ccy="HKD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><RmtInf><Ustrd>${text}</Ustrd></RmtInf>`;
  const whole = () =>
    camtXml(
      booking({
        amount: '257',
        reference: 'BATCH',
        details: '<NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch></NtryDtls>',
      }),
    );
  const parts = ([a, b]: Charge[]) =>
    camtXml(
      booking({
        amount: '257',
        reference: 'BATCH',
        details: details(part(a!.paymentReference, '128.50'), part(b!.paymentReference, '128.50')),
      }),
      { message: '054' },
    );
  const asMt940 = () => mt940Text(':61:2611171117C257,NTRFNONREF//BATCH\n:86:FPS COLLECTION 2 ITEMS');

  test.each([
    ['the whole first', { exception: 1 }, { matched: 2 }],
    ['its parts first', { duplicate: 1 }, { matched: 2 }],
  ] as const)('is counted once, %s', async (order, ofWhole, ofParts) => {
    for (const file of [whole, asMt940]) {
      const charges = await newCharges(2);
      const first = order === 'the whole first';
      if (first) expect(await imported(charges, file())).toEqual(ofWhole);
      expect(await imported(charges, parts(charges))).toEqual(ofParts);
      if (!first) expect(await imported(charges, file())).toEqual(ofWhole);
      expect(await moneyIn(charges)).toBe(25700n);
      const [line] = await service.prisma.transfer.findMany({
        where: { receivingAccountId: charges[0]!.receivingAccountId, bankReference: 'BATCH' },
      });
      expect(line).toMatchObject({ status: 'duplicate', reason: null });
    }
  });

  test('whose parts come file by file waits for the last of them', async () => {
    const charges = await newCharges(2);
    await imported(charges, whole());
    const one = ({ paymentReference: nonce }: Charge, reference: string) =>
      camtXml(
        booking({
          reference: 'BATCH',
          details: details(`<Refs><AcctSvcrRef>${reference}</AcctSvcrRef></Refs>${part(nonce, '128.50')}`),
        }),
        { message: '054' },
      );
    await imported(charges, one(charges[0]!, 'T1'));
    expect(await moneyIn(charges)).toBe(25700n + 12850n);
    await imported(charges, one(charges[1]!, 'T2'));
    expect(await moneyIn(charges)).toBe(25700n);
  });

  test('of one payment that only the notice words completes its charge, whichever comes first', async () => {
    const bare = camtXml(booking({ reference: 'ENTRY', details: '' }));
    const worded = ({ paymentReference: nonce }: Charge) =>
      camtXml(
        booking({
          reference: 'ENTRY',
          details: details(`<Refs><AcctSvcrRef>TX</AcctSvcrRef></Refs>${part(nonce, '128.50')}`),
        }),
        { message: '054' },
      );
    for (const order of [0, 1]) {
      const charges = await newCharges(1);
      const files = [bare, worded(charges[0]!)];
      if (order === 1) files.reverse();
      for (const file of files) await imported(charges, file);
      expect(await getReceivedAmount(service, charges[0]!)).toBe(12850n);
      expect(await moneyIn(charges)).toBe(12850n);
    }
  });

  test('that a person has divided already stays so: the parts that are told later wait', async () => {
    const charges = await newCharges(2);
    await imported(charges, whole());
    const { id: transferId } = await service.prisma.transfer.findFirstOrThrow({
      where: { receivingAccountId: charges[0]!.receivingAccountId },
    });
    await assignTransfer(service, {
      mode: 'live',
      merchant: merchant.merchant,
      assignment: { transferId, parts: charges.map(({ id }) => ({ chargeId: id, amount: 128.5 })) },
      audit: { actor: 'user:ada', now },
      now,
    });
    expect(await imported(charges, parts(charges))).toEqual({ exception: 2 });
    const waiting = await service.prisma.transfer.findMany({
      where: { receivingAccountId: charges[0]!.receivingAccountId, status: 'exception' },
    });
    expect(waiting.map(({ reason }) => reason)).toEqual(['charge_completed', 'charge_completed']);
    expect(await Promise.all(charges.map((charge) => getReceivedAmount(service, charge)))).toEqual([
      12850n,
      12850n,
    ]);
  });
});

test('lines without a reference of the bank are known by date, amount and text, and equal ones by their number', async () => {
  const charges = await newCharges(1);
  const { paymentReference: nonce } = charges[0]!;
  const lines = (dates: string[]) =>
    dates.map((date) => `${date},128.50,Payment ${nonce.toLowerCase()}\n`).join('');
  const mapping = csvMapping({ referenceColumns: ['Text'] });
  const read = (dates: string[]) => imported(charges, `Date,Amount,Text\n${lines(dates)}`, mapping);
  // The second payment of a charge that is paid waits for a person; it is none that was told of before.
  expect(await read([day, day])).toEqual({ matched: 1, exception: 1 });
  expect(await read(['2026-11-16', day, day, day])).toEqual({ duplicate: 2, exception: 2 });
  expect(await read([day, '2026-11-16'])).toEqual({ duplicate: 2 });
  expect(await moneyIn(charges)).toBe(4n * 12_850n);
});

describe('a bank that uses its references again', () => {
  test('within a file tells of two payments: none is dropped, the second waits for a person', async () => {
    const charges = await newCharges(2);
    const file = camtXml(
      booking({ reference: 'SAME', text: 'hello' }) + booking({ reference: 'SAME', text: 'hello' }),
    );
    expect(await imported(charges, file)).toEqual({ exception: 2 });
    expect(await imported(charges, `${file}\n`)).toEqual({ duplicate: 2 });
    const reasons = await service.prisma.transfer.findMany({
      where: { receivingAccountId: charges[0]!.receivingAccountId },
      orderBy: { bankReference: 'asc' },
      select: { reason: true },
    });
    expect(reasons.map(({ reason }) => reason)).toEqual(['missing_reference', 'id_reused']);
  });

  test('weeks later tells of another payment; a day later it is the same', async () => {
    const charges = await newCharges(1);
    const on = (date: string) => camtXml(booking({ reference: '000001', text: 'hello', date }));
    expect(await imported(charges, on('2026-10-01'))).toEqual({ exception: 1 });
    expect(await imported(charges, on('2026-10-02'))).toEqual({ duplicate: 1 });
    for (const later of ['2026-10-20', '2026-11-10']) {
      expect(await imported(charges, on(later))).toEqual({ exception: 1 });
      expect(await imported(charges, `${on(later)}\n`)).toEqual({ duplicate: 1 });
    }
    expect(await moneyIn(charges)).toBe(3n * 12850n);
  });
});

test('after all of this every promise holds', async () => {
  await expectInvariants(service);
});
