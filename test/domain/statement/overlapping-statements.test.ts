import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { recordTransfers } from '../../../src/domain/money-in/transfer/record/record-transfers.ts';
import { assignTransfer } from '../../../src/domain/money-in/transfer/review/assign-transfer.ts';
import { getBankReference } from '../../../src/domain/payments/allocation/bank-reference.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { count } from '../../setup/counts.ts';
import { getNonZeroCounts, getReceivedAmount, importFile } from '../../setup/import-file.ts';
import { expectInvariants, checkedTest as test } from '../../setup/invariants.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { balancedMt940Text, booking, camtXml, csvMapping, details } from '../../setup/statement-files.ts';

const now = minutesAfter(noon, 60);
const day = '2026-11-17';

/** Pending charges of HKD 128.50 on one account. */
async function seedCharges(service: Service, merchant: NewMerchant, total: number): Promise<Charge[]> {
  const charges: Charge[] = [];
  for (let i = 0; i < total; i += 1)
    charges.push(await seedCharge(service, merchant, { input: { email: `c${i}@example.com` } }));
  return charges;
}

async function importContent(
  service: Service,
  merchant: NewMerchant,
  [charge]: Charge[],
  content: string,
  mapping?: object,
) {
  const { receivingAccountId } = charge as Charge;
  return getNonZeroCounts(await importFile(service, merchant, { content, receivingAccountId, mapping, now }));
}

/** The sum of the account’s credits without duplicates. */
async function sumCredits(service: Service, [charge]: Charge[]): Promise<bigint> {
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

/** The sources that report payments, each with its own references. */
const toSources = (
  service: Service,
  merchant: NewMerchant,
): Record<string, (charges: Charge[]) => Promise<unknown>> => ({
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
    importContent(
      service,
      merchant,
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
    importContent(
      service,
      merchant,
      charges,
      camtXml(
        charges
          .map(({ paymentReference: nonce }, i) => booking({ text: nonce.toLowerCase(), reference: `B${i}` }))
          .join(''),
      ),
    ),
  'MT940 file': (charges) =>
    importContent(
      service,
      merchant,
      charges,
      balancedMt940Text(
        charges
          .map(
            ({ paymentReference: nonce }, i) =>
              `:61:2611171117C128,50NTRFNONREF//M${i}\n:86:${nonce.slice(0, 5)} ${nonce.slice(5)}`,
          )
          .join('\n'),
      ),
    ),
  'CSV file': (charges) =>
    importContent(
      service,
      merchant,
      charges,
      `Date,Amount,Text,Payer\n${charges.map(({ paymentReference: nonce }) => `${day},128.50,${nonce},CHAN`).join('\n')}\n`,
      csvMapping({ referenceColumns: ['Text'] }),
    ),
  'CSV by another mapping': (charges) =>
    importContent(
      service,
      merchant,
      charges,
      `Date,Amount,Text,Payer\n${charges.map(({ paymentReference: nonce }) => `${day},128.50,${nonce},CHAN`).join('\n')}\n`,
      csvMapping({ referenceColumns: ['Text', 'Payer'], payerNameColumn: 'Payer' }),
    ),
});

const sourceNames = ['feed', 'camt.054', 'camt.053', 'MT940 file', 'CSV file', 'CSV by another mapping'];

describe('Payment reported by several sources', () => {
  test('is applied and recorded once, in any order of the sources', async ({ service }) => {
    const order = fc.shuffledSubarray(sourceNames, { minLength: 3 });
    await fc.assert(
      fc.asyncProperty(order, async (names) => {
        // Each case has its own merchant.
        const merchant = await seedMerchant(service);
        const charges = await seedCharges(service, merchant, 2);
        const sources = toSources(service, merchant);
        for (const name of names) await sources[name]!(charges);
        expect(await Promise.all(charges.map((charge) => getReceivedAmount(service, charge)))).toEqual([
          12850n,
          12850n,
        ]);
        expect(await sumCredits(service, charges)).toBe(25700n);
        await expectInvariants(service);
      }),
      { numRuns: count(4, 200), examples: [[sourceNames], [sourceNames.reverse()]] },
    );
  });

  test('is a possible duplicate without a payment reference when a CSV file is read by another mapping', async ({
    service,
    merchant,
  }) => {
    const charges = await seedCharges(service, merchant, 1);
    const text = `Date,Amount,Text,Payer\n${day},5,hello,CHAN\n${day},5,hello,CHAN\n`;
    expect(
      await importContent(service, merchant, charges, text, csvMapping({ referenceColumns: ['Text'] })),
    ).toEqual({
      exception: 2,
    });
    expect(
      await importContent(
        service,
        merchant,
        charges,
        text,
        csvMapping({ referenceColumns: ['Text', 'Payer'] }),
      ),
    ).toEqual({
      exception: 2,
    });
    const transfers = await service.prisma.transfer.findMany({
      where: { receivingAccountId: charges[0]!.receivingAccountId },
    });
    expect(transfers.map(({ reason }) => reason).sort()).toEqual([
      ...['missing_reference', 'missing_reference'],
      ...['possible_duplicate', 'possible_duplicate'],
    ]);
  });
});

describe('Batch booking of several payments', () => {
  const part = (text: string, amount: string) =>
    `<Amt Ccy="HKD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><RmtInf><Ustrd>${text}</Ustrd></RmtInf>`;
  const toTotal = () =>
    camtXml(
      booking({
        amount: '257',
        reference: 'BATCH',
        details: '<NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch></NtryDtls>',
      }),
    );
  const toParts = ([a, b]: Charge[]) =>
    camtXml(
      booking({
        amount: '257',
        reference: 'BATCH',
        details: details(part(a!.paymentReference, '128.50'), part(b!.paymentReference, '128.50')),
      }),
      { message: '054' },
    );
  const toMt940Total = () =>
    balancedMt940Text(':61:2611171117C257,NTRFNONREF//BATCH\n:86:FPS COLLECTION 2 ITEMS');

  test.for([
    ['with the total first', { exception: 1 }, { matched: 2 }],
    ['with its parts first', { duplicate: 1 }, { matched: 2 }],
  ] as const)('is recorded once, %s', async ([order, ofTotal, ofParts], { service }) => {
    for (const file of [toTotal, toMt940Total]) {
      const merchant = await seedMerchant(service);
      const charges = await seedCharges(service, merchant, 2);
      const isTotalFirst = order === 'with the total first';
      if (isTotalFirst) expect(await importContent(service, merchant, charges, file())).toEqual(ofTotal);
      expect(await importContent(service, merchant, charges, toParts(charges))).toEqual(ofParts);
      if (!isTotalFirst) expect(await importContent(service, merchant, charges, file())).toEqual(ofTotal);
      expect(await sumCredits(service, charges)).toBe(25700n);
      const [line] = await service.prisma.transfer.findMany({
        where: { receivingAccountId: charges[0]!.receivingAccountId, bankReference: 'BATCH' },
      });
      expect(line).toMatchObject({ status: 'duplicate', reason: null });
    }
  });

  test('is a duplicate as soon as the last of its parts is reported in another file', async ({
    service,
    merchant,
  }) => {
    const charges = await seedCharges(service, merchant, 2);
    await importContent(service, merchant, charges, toTotal());
    const toPart = ({ paymentReference: nonce }: Charge, reference: string) =>
      camtXml(
        booking({
          reference: 'BATCH',
          details: details(`<Refs><AcctSvcrRef>${reference}</AcctSvcrRef></Refs>${part(nonce, '128.50')}`),
        }),
        { message: '054' },
      );
    await importContent(service, merchant, charges, toPart(charges[0]!, 'T1'));
    expect(await sumCredits(service, charges)).toBe(25700n + 12850n);
    await importContent(service, merchant, charges, toPart(charges[1]!, 'T2'));
    expect(await sumCredits(service, charges)).toBe(25700n);
  });

  test('completes a charge when only the notification has the payment reference, in any order', async ({
    service,
  }) => {
    const withoutReference = camtXml(booking({ reference: 'ENTRY', details: '' }));
    const withReference = ({ paymentReference: nonce }: Charge) =>
      camtXml(
        booking({
          reference: 'ENTRY',
          details: details(`<Refs><AcctSvcrRef>TX</AcctSvcrRef></Refs>${part(nonce, '128.50')}`),
        }),
        { message: '054' },
      );
    for (const order of [0, 1]) {
      const merchant = await seedMerchant(service);
      const charges = await seedCharges(service, merchant, 1);
      const files = [withoutReference, withReference(charges[0]!)];
      if (order === 1) files.reverse();
      for (const file of files) await importContent(service, merchant, charges, file);
      expect(await getReceivedAmount(service, charges[0]!)).toBe(12850n);
      expect(await sumCredits(service, charges)).toBe(12850n);
    }
  });

  test('stays split if a user has assigned it, and later parts become exceptions', async ({
    service,
    merchant,
  }) => {
    const charges = await seedCharges(service, merchant, 2);
    await importContent(service, merchant, charges, toTotal());
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
    expect(await importContent(service, merchant, charges, toParts(charges))).toEqual({ exception: 2 });
    const exceptions = await service.prisma.transfer.findMany({
      where: { receivingAccountId: charges[0]!.receivingAccountId, status: 'exception' },
    });
    expect(exceptions.map(({ reason }) => reason)).toEqual(['charge_completed', 'charge_completed']);
    expect(await Promise.all(charges.map((charge) => getReceivedAmount(service, charge)))).toEqual([
      12850n,
      12850n,
    ]);
  });
});

describe('Line without a bank reference', () => {
  test('is recognized by date, amount, text and its count among equal lines', async ({
    service,
    merchant,
  }) => {
    const charges = await seedCharges(service, merchant, 1);
    const { paymentReference: nonce } = charges[0]!;
    const lines = (dates: string[]) =>
      dates.map((date) => `${date},128.50,Payment ${nonce.toLowerCase()}\n`).join('');
    const mapping = csvMapping({ referenceColumns: ['Text'] });
    const read = (dates: string[]) =>
      importContent(service, merchant, charges, `Date,Amount,Text\n${lines(dates)}`, mapping);
    // The second payment of a paid charge is an exception, not a duplicate.
    expect(await read([day, day])).toEqual({ matched: 1, exception: 1 });
    expect(await read(['2026-11-16', day, day, day])).toEqual({ duplicate: 2, exception: 2 });
    expect(await read([day, '2026-11-16'])).toEqual({ duplicate: 2 });
    expect(await sumCredits(service, charges)).toBe(4n * 12_850n);
  });
});

describe('Reused bank reference', () => {
  test('within a file is a second payment, which becomes an exception', async ({ service, merchant }) => {
    const charges = await seedCharges(service, merchant, 2);
    const file = camtXml(
      booking({ reference: 'SAME', text: 'hello' }) + booking({ reference: 'SAME', text: 'hello' }),
    );
    expect(await importContent(service, merchant, charges, file)).toEqual({ exception: 2 });
    expect(await importContent(service, merchant, charges, `${file}\n`)).toEqual({ duplicate: 2 });
    const reasons = await service.prisma.transfer.findMany({
      where: { receivingAccountId: charges[0]!.receivingAccountId },
      orderBy: { bankReference: 'asc' },
      select: { reason: true },
    });
    expect(reasons.map(({ reason }) => reason)).toEqual(['missing_reference', 'id_reused']);
  });

  test('within a file is shown and sent as the bank wrote it, even beside one that ends with #2', async ({
    service,
    merchant,
  }) => {
    const charges = await seedCharges(service, merchant, 1);
    const references = ['SAME', 'SAME', 'SAME#2'];
    const lines = [...references.map((reference) => ({ reference })), {}];
    const file = camtXml(lines.map((line) => booking({ ...line, text: 'hello' })).join(''));
    expect(await importContent(service, merchant, charges, file)).toEqual({ exception: 4 });
    const transfers = await service.prisma.transfer.findMany({
      where: { merchantId: merchant.merchant.id },
      orderBy: { id: 'asc' },
    });
    expect(transfers.map(getBankReference)).toEqual([...references, null]);
    const events = await service.prisma.event.findMany({
      where: { objectId: { in: transfers.map(({ id }) => id) } },
    });
    const payloads = new Map(events.map(({ objectId, payload }) => [objectId, JSON.parse(payload)]));
    expect(transfers.map(({ id }) => payloads.get(id).bankReference)).toEqual([...references, undefined]);
  });

  test('of a bank that always reuses it is matched by the payment references, once in each file', async ({
    service,
    merchant,
  }) => {
    const charges = await seedCharges(service, merchant, 2);
    const [first, second] = charges.map(({ paymentReference }) => paymentReference);
    await service.prisma.receivingAccount.update({
      where: { id: charges[0]!.receivingAccountId! },
      data: { reusesBankReferences: true },
    });
    const line = (text: string) => booking({ reference: 'VA-1', text });
    const file = camtXml(line(`rent ${first}`) + line(`rent ${second}`) + line('gift') + line('gift'));
    expect(await importContent(service, merchant, charges, file)).toEqual({ matched: 2, exception: 2 });
    expect(await importContent(service, merchant, charges, `${file}\n`)).toEqual({ duplicate: 4 });
    const later = camtXml(booking({ reference: 'VA-1', text: 'gift', date: '2026-11-18' }));
    expect(await importContent(service, merchant, charges, later)).toEqual({ exception: 1 });
    const reasons = await service.prisma.transfer.findMany({
      where: { receivingAccountId: charges[0]!.receivingAccountId, status: 'exception' },
      select: { reason: true },
    });
    expect(new Set(reasons.map(({ reason }) => reason))).toEqual(new Set(['missing_reference']));
    expect(await sumCredits(service, charges)).toBe(5n * 12_850n);
  });

  test('is a duplicate after a day, and another payment after weeks', async ({ service, merchant }) => {
    const charges = await seedCharges(service, merchant, 1);
    const on = (date: string) => camtXml(booking({ reference: '000001', text: 'hello', date }));
    expect(await importContent(service, merchant, charges, on('2026-10-01'))).toEqual({ exception: 1 });
    expect(await importContent(service, merchant, charges, on('2026-10-02'))).toEqual({ duplicate: 1 });
    for (const later of ['2026-10-20', '2026-11-10']) {
      expect(await importContent(service, merchant, charges, on(later))).toEqual({ exception: 1 });
      expect(await importContent(service, merchant, charges, `${on(later)}\n`)).toEqual({ duplicate: 1 });
    }
    expect(await sumCredits(service, charges)).toBe(3n * 12850n);
  });
});
