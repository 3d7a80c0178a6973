import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { recordTransfers } from '../../../src/domain/money-in/transfer/record/record-transfers.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { isPaymentReference } from '../../../src/method/payment-reference.ts';
import { getReferenceDistance } from '../../../src/method/reference-distance.ts';
import { importFile } from '../../setup/import-file.ts';
import { retireAccounts, seedReceivingAccount } from '../../setup/receiving-accounts.ts';
import { minutesAfter, noon, seedCharge } from '../../setup/seed.ts';
import { balancedMt940Text, booking, camtXml, csvMapping, details } from '../../setup/statement-files.ts';
import { transferTest as test } from '../../setup/transfer-test.ts';

/** A valid payment reference that is two digits away. */
function findNearReference(reference: string): string {
  for (let number = 22_222; number <= 99_999; number++) {
    const near = `${reference.slice(0, 4)}${number}${reference.slice(-1)}`;
    if (near !== reference && isPaymentReference(near) && getReferenceDistance(near, reference) === 2)
      return near;
  }
  throw new Error(`no reference near ${reference}`);
}

/** Changes the last digit, so that the check letter is wrong. */
function mistype(reference: string): string {
  const digit = reference.charAt(8) === '2' ? '3' : '2';
  return `${reference.slice(0, 8)}${digit}${reference.slice(9)}`;
}

/** A charge of HKD 45.00 with a payment reference that is two typing errors away. */
async function seedNearCharge(service: Service, merchant: NewMerchant, charge: Charge): Promise<Charge> {
  const near = await seedCharge(service, merchant, {
    input: { email: `near-${randomUUID()}@example.com`, merchantAmount: 45 },
  });
  const paymentReference = findNearReference(charge.paymentReference);
  return service.prisma.charge.update({ where: { id: near.id }, data: { paymentReference } });
}

describe('Mistyped payment reference', () => {
  test('makes the transfer an exception, also if the charge asks exactly its amount', async ({
    transfers,
  }) => {
    const charge = await transfers.newCharge();
    const reference = mistype(charge.paymentReference);
    const result = await transfers.record(charge, { reference });
    expect(result).toMatchObject({ status: 'exception', reason: 'mistyped_reference' });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'pending', amountReceived: 0n });
  });

  test('is recognized by its check letter even if no charge has a similar reference', async ({
    transfers,
  }) => {
    const charge = await transfers.newCharge();
    const wrong = mistype(charge.paymentReference);
    const far = `${wrong.slice(0, 4)}${[...wrong.slice(4, 9)].reverse().join('')}${wrong.slice(9)}`;
    const reference = isPaymentReference(far) ? mistype(far) : far;
    const result = await transfers.record(charge, { reference, minor: 7n });
    expect(result).toMatchObject({ reason: 'mistyped_reference' });
  });

  test.for([['CONTRACT 778812'], ['DEBIT PURCHASE 66-6666'], ['rent for June']])(
    'is not seen in "%s"',
    async ([reference], { transfers }) => {
      const charge = await transfers.newCharge();
      expect(await transfers.record(charge, { reference: reference!, minor: 7n })).toMatchObject({
        reason: 'missing_reference',
      });
    },
  );
});

describe('Reference of another charge by two typing errors', () => {
  test('is ambiguous if the near charge asks exactly the amount', async ({
    transfers,
    service,
    merchant,
  }) => {
    const charge = await transfers.newCharge();
    const near = await seedNearCharge(service, merchant, charge);
    const result = await transfers.record(charge, { minor: near.customerAmount });
    expect(result).toMatchObject({ status: 'exception', reason: 'ambiguous_reference' });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'pending', amountReceived: 0n });
    expect(await transfers.reload(near)).toMatchObject({ status: 'pending', amountReceived: 0n });
  });

  test('is not ambiguous with the amount of its own charge, or with an amount of neither', async ({
    transfers,
    service,
    merchant,
  }) => {
    const charge = await transfers.newCharge();
    const near = await seedNearCharge(service, merchant, charge);
    expect(await transfers.record(charge, { minor: 100n })).toMatchObject({ status: 'partial' });
    expect(await transfers.record(near)).toMatchObject({ status: 'matched', chargeId: near.id });
    expect(await transfers.record(charge, { minor: charge.customerAmount - 100n })).toMatchObject({
      status: 'matched',
      chargeId: charge.id,
    });
  });

  test('is decided as if the transfers were recorded one after the other', async ({
    transfers,
    service,
    merchant,
  }) => {
    const charge = await transfers.newCharge();
    const near = await seedNearCharge(service, merchant, charge);
    const toItem = ({ receivingAccountId, paymentReference }: Charge, amount: number) => ({
      id: randomUUID(),
      receivingAccountId,
      amount,
      currency: 'HKD',
      reference: paymentReference,
      paidAt: noon.toISOString(),
    });
    const results = await recordTransfers(service, {
      merchant: merchant.merchant,
      mode: 'live',
      actor: 'key:feed',
      now: minutesAfter(noon, 1),
      items: [toItem(charge, 45), toItem(near, 45), toItem(charge, 45)],
    });
    expect(results.map(({ status, reason }) => reason ?? status)).toEqual([
      'ambiguous_reference',
      'matched',
      'partial',
    ]);
  });
});

describe('Accidental reference in a remark', () => {
  /** A charge in Korean won whose amount identifies it, since Toss carries no reference. */
  async function seedTossCharge(service: Service, merchant: NewMerchant): Promise<Charge> {
    await retireAccounts(service, { merchantId: merchant.merchant.id, mode: 'live' }, noon);
    const toss = { bankCode: '092', account: '100012345678', bank: 'Toss Bank' };
    const account = { method: 'toss' as const, details: toss, holder: 'Shop', maxAmountOffset: 100 };
    await seedReceivingAccount(service, merchant, account, noon);
    const input = { merchantAmount: 50_000, merchantCurrency: 'KRW', method: 'toss' };
    return seedCharge(service, merchant, { input });
  }

  test.for(['BREW23456R', 'BREW23456T', 'BREW 2345', 'zebu 23456y'])(
    'does not prevent a match by amount (%s)',
    async (reference, { transfers, service, merchant }) => {
      const charge = await seedTossCharge(service, merchant);
      const money = { minor: charge.customerAmount, currency: 'KRW' };
      const result = await transfers.record(charge, { reference, money });
      expect(result).toMatchObject({ status: 'matched', chargeId: charge.id });
    },
  );

  test('prevents a match by amount if it is nearly the reference of another charge', async ({
    transfers,
    service,
    merchant,
  }) => {
    const charge = await seedTossCharge(service, merchant);
    const other = await seedCharge(service, merchant, {
      input: { email: 'other@example.com', merchantAmount: 7_000, merchantCurrency: 'KRW', method: 'toss' },
    });
    const money = { minor: charge.customerAmount, currency: 'KRW' };
    expect(
      await transfers.record(charge, { reference: mistype(other.paymentReference), money }),
    ).toMatchObject({
      reason: 'mistyped_reference',
    });
    expect(
      await transfers.record(charge, { reference: mistype(charge.paymentReference), money }),
    ).toMatchObject({
      status: 'matched',
    });
  });
});

describe('Payment reference anywhere in an entry', () => {
  const toCamt = (content: string) => ({
    content: camtXml(booking({ reference: 'R1', details: details(content) })),
  });
  const toMt940 = (movement: string) => ({ content: balancedMt940Text(movement) });

  test.for<[string, (reference: string) => { content: string; mapping?: object }]>([
    ['payer name', (one) => toCamt(`<RltdPties><Dbtr><Pty><Nm>Ada ${one}</Nm></Pty></Dbtr></RltdPties>`)],
    [
      'ultimate debtor',
      (one) => toCamt(`<RltdPties><UltmtDbtr><Pty><Nm>${one}</Nm></Pty></UltmtDbtr></RltdPties>`),
    ],
    ['instruction ID', (one) => toCamt(`<Refs><InstrId>${one}</InstrId></Refs>`)],
    ['proprietary reference', (one) => toCamt(`<Refs><Prtry><Tp>X</Tp><Ref>${one}</Ref></Prtry></Refs>`)],
    ['purpose', (one) => toCamt(`<Purp><Prtry>${one}</Prtry></Purp>`)],
    [
      'the bank reference',
      (one) => ({ content: camtXml(booking({ reference: `FPS${one}`, text: 'rent' })) }),
    ],
    ['Thai digits', (one) => toCamt(`<RmtInf><Ustrd>${toThai(one)}</Ustrd></RmtInf>`)],
    [
      '/CREF/',
      (one) => toMt940(`:61:2611171117C128,50NTRFNONREF//M1\n:86:/TRTP/FPS/NAME/ADA/CREF/${one}/ADDR/HK`),
    ],
    ['?31', (one) => toMt940(`:61:2611171117C128,50NTRFNONREF//M1\n:86:166?00FPS?20RENT?31${one}?32ADA`)],
    [
      'an unmapped column',
      (one) => ({
        content: `Date,Amount,Text,Memo\n2026-11-17,128.50,rent,${one}\n`,
        mapping: csvMapping({ referenceColumns: ['Text'] }),
      }),
    ],
  ])('is found in %s', async ([, toFile], { transfers, service, merchant }) => {
    const charge = await transfers.newCharge();
    const { receivingAccountId } = charge;
    const file = { ...toFile(charge.paymentReference), receivingAccountId, now: minutesAfter(noon, 60) };
    await importFile(service, merchant, { mapping: undefined, ...file });
    expect(await transfers.reload(charge)).toMatchObject({ status: 'completed', completedBy: 'transfer' });
  });

  test('is found in the payer name of a feed, and other names are not added to the reference', async ({
    transfers,
    service,
    merchant,
  }) => {
    const charge = await transfers.newCharge();
    const item = {
      receivingAccountId: charge.receivingAccountId,
      amount: 128.5,
      currency: 'HKD',
      reference: 'rent',
      paidAt: noon.toISOString(),
    };
    const results = await recordTransfers(service, {
      merchant: merchant.merchant,
      mode: 'live',
      actor: 'key:feed',
      now: noon,
      items: [
        { ...item, id: 'plain', amount: 7, payerName: 'LAU KA YAN' },
        { ...item, id: 'named', payerName: `LAU KA YAN ${charge.paymentReference}` },
      ],
    });
    expect(results.map(({ status }) => status)).toEqual(['exception', 'matched']);
    const rows = await service.prisma.transfer.findMany({
      where: { id: { in: results.map(({ transferId }) => transferId!) } },
      orderBy: { id: 'asc' },
    });
    expect(rows.map(({ reference }) => reference)).toEqual([
      'rent',
      `rent LAU KA YAN ${charge.paymentReference}`,
    ]);
  });
});

function toThai(text: string): string {
  return text.replace(/[0-9]/g, (digit) => String.fromCodePoint(0x0e50 + Number(digit)));
}
