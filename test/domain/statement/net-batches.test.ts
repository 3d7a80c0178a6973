import { describe, expect } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { reconcile } from '../../../src/domain/money-in/reconciliation/reconcile.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { toStaleReads } from '../../../src/kit/stale-reads.ts';
import { getNonZeroCounts, importXml } from '../../setup/import-file.ts';
import { checkedTest } from '../../setup/invariants.ts';
import { seedCharge } from '../../setup/seed.ts';
import { booking, details } from '../../setup/statement-files.ts';

const day = '2026-11-17';
const test = checkedTest.extend('charges', async ({ service, merchant }) => [
  await seedCharge(service, merchant, { input: { email: 'a@example.com' } }),
  await seedCharge(service, merchant, { input: { email: 'b@example.com' } }),
]);

/** A payment of HKD 128.50 within an entry. */
const payment = ({ paymentReference }: Charge, reference = '') =>
  `${reference && `<Refs><AcctSvcrRef>${reference}</AcctSvcrRef></Refs>`}<Amt Ccy="HKD">128.50</Amt><CdtDbtInd>CRDT</CdtDbtInd><RmtInf><Ustrd>${paymentReference}</Ustrd></RmtInf>`;

/** An entry that the acquirer has booked less its fee of HKD 3.60. */
const netEntry = (
  charges: readonly Charge[],
  { amount = '253.40', reference = 'B1', parts = ['', ''] } = {},
) =>
  booking({
    ...{ amount, date: day, reference },
    details: details(...charges.map((charge, i) => payment(charge, parts[i]))),
  });

const allowFee = ({ prisma }: Service, [charge]: readonly Charge[], maxBankFeeRate = '0.0200') =>
  prisma.receivingAccount.update({ where: { id: charge!.receivingAccountId }, data: { maxBankFeeRate } });

async function readOutcome({ prisma }: Service, charges: readonly Charge[]) {
  const rows = await prisma.charge.findMany({ where: { id: { in: charges.map(({ id }) => id) } } });
  return rows.map(({ status, amountReceived }) => `${status} ${amountReceived}`);
}

async function readBooks(service: Service, { merchant }: NewMerchant) {
  const { lines } = await reconcile(toStaleReads(service), { merchant, mode: 'live', from: day, to: day });
  return lines.map(({ received, fees, closing, exceptions }) => ({ received, fees, closing, exceptions }));
}

const readExceptionEvents = ({ prisma }: Service, { merchant }: NewMerchant) =>
  prisma.event.count({ where: { merchantId: merchant.id, type: 'transfer_exception' } });

const paidInFull = ['completed 12850', 'completed 12850'];

describe('An entry of several payments that is booked less the fee of the acquirer', () => {
  test('completes each charge in full, and records the fee once', async ({ service, merchant, charges }) => {
    await allowFee(service, charges);
    const statement = await importXml(service, merchant, charges[0]!, netEntry(charges));
    expect(getNonZeroCounts(statement)).toEqual({ matched: 2, duplicate: 1 });
    expect(await readOutcome(service, charges)).toEqual(paidInFull);
    expect(await readBooks(service, merchant)).toEqual([
      { received: 25_700n, fees: 360n, closing: 25_340n, exceptions: 0n },
    ]);
    expect(await readExceptionEvents(service, merchant)).toBe(0);
  });

  test('matches the balances of the statement by the amount that was booked', async ({
    service,
    merchant,
    charges,
  }) => {
    const balance = (type: string, amount: string) =>
      `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="HKD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
    const balances = balance('OPBD', '10.00') + balance('CLBD', '263.40');
    const statement = await importXml(service, merchant, charges[0]!, balances + netEntry(charges));
    expect([statement.status, statement.discrepancies]).toEqual(['completed', null]);
  });

  test.for([
    ['without a rule of the account', undefined, '253.40'],
    ['with a larger fee than the rule allows', '0.0100', '253.40'],
    ['with a fee of more than half of the payments', '0.0500', '100.00'],
  ] as const)('is one transfer to review %s', async ([, rate, amount], { service, merchant, charges }) => {
    if (rate) await allowFee(service, charges, rate);
    const statement = await importXml(service, merchant, charges[0]!, netEntry(charges, { amount }));
    expect(getNonZeroCounts(statement)).toEqual({ exception: 1, ignored: 2 });
    expect(await readOutcome(service, charges)).toEqual(['pending 0', 'pending 0']);
  });

  test('counts once if a notification and an overlapping statement list its payments too', async ({
    service,
    merchant,
    charges,
  }) => {
    await allowFee(service, charges);
    const parts = ['P1', 'P2'];
    const gross = netEntry(charges, { amount: '257.00', parts });
    await importXml(service, merchant, charges[0]!, gross, '054');
    const net = netEntry(charges, { parts });
    expect(getNonZeroCounts(await importXml(service, merchant, charges[0]!, net))).toEqual({ duplicate: 3 });
    expect(getNonZeroCounts(await importXml(service, merchant, charges[0]!, `${net}\n`))).toEqual({
      duplicate: 3,
    });
    expect(await readOutcome(service, charges)).toEqual(paidInFull);
    expect(await readBooks(service, merchant)).toEqual([
      { received: 25_700n, fees: 360n, closing: 25_340n, exceptions: 0n },
    ]);
  });

  test('is one transfer to review if its bank uses the reference of the batch again', async ({
    service,
    merchant,
    charges: [first, second],
  }) => {
    const [third, fourth] = [
      await seedCharge(service, merchant, { input: { email: 'c@example.com' } }),
      await seedCharge(service, merchant, { input: { email: 'd@example.com' } }),
    ];
    const charges = [first!, second!];
    await allowFee(service, charges);
    await importXml(service, merchant, charges[0]!, netEntry(charges, { parts: ['P1', 'P2'] }));
    const next = netEntry([third, fourth], { parts: ['P3', 'P4'], amount: '253.41' });
    const statement = await importXml(service, merchant, charges[0]!, next);
    expect(getNonZeroCounts(statement)).toEqual({ exception: 1, ignored: 2 });
    expect(await readBooks(service, merchant)).toEqual([
      { received: 25_700n + 25_341n, fees: 360n, closing: 25_340n + 25_341n, exceptions: 25_341n },
    ]);
  });

  test('is completed by the information in a notification, before and after the booking', async ({
    service,
    merchant,
    charges,
  }) => {
    await allowFee(service, charges);
    const info = netEntry(charges).replace('<Cd>BOOK</Cd>', '<Cd>INFO</Cd>');
    const early = await importXml(service, merchant, charges[0]!, info, '054');
    expect(getNonZeroCounts(early)).toEqual({ ignored: 2 });
    await importXml(
      service,
      merchant,
      charges[0]!,
      booking({ amount: '253.40', date: day, reference: 'B1', text: 'QR SETTLEMENT' }),
    );
    expect(await readOutcome(service, charges)).toEqual(paidInFull);
    expect(await readBooks(service, merchant)).toEqual([
      { received: 25_700n, fees: 360n, closing: 25_340n, exceptions: 0n },
    ]);
  });
});
