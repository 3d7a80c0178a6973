import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Charge, Merchant, ReceivingAccount, Refund } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { reconcile } from '../../../src/domain/money-in/reconciliation/reconcile.ts';
import { recordCredits } from '../../../src/domain/money-in/transfer/record/record-credits.ts';
import { recordOutgoing } from '../../../src/domain/money-in/transfer/record/record-outgoing.ts';
import { returnTransfer } from '../../../src/domain/money-in/transfer/review/return-transfer.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { completeRefund } from '../../../src/domain/payments/refund/complete-refund.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { submitRefundDetails } from '../../../src/domain/payments/refund/submit-refund-details.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { transact } from '../../../src/event/unit-of-work.ts';
import { toStaleReads } from '../../../src/kit/stale-reads.ts';
import { expectBooks, expectHomeMetrics, expectMerchantBooks } from '../../setup/books.ts';
import { count } from '../../setup/counts.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { payeeAccount, payOut, seedPayableRefund } from '../../setup/payouts.ts';
import { seedCharge, seedMerchant } from '../../setup/seed.ts';
import { transferInput } from '../../setup/transfers.ts';

const seedSydneyMerchant = async (service: Service) => {
  const newMerchant = await seedMerchant(service);
  const { id } = newMerchant.merchant;
  const merchant = await service.prisma.merchant.update({
    where: { id },
    data: { timeZone: 'Australia/Sydney' },
  });
  return { ...newMerchant, merchant };
};

const findAccount = (service: Service, charge: Charge) =>
  service.prisma.receivingAccount.findUniqueOrThrow({ where: { id: charge.receivingAccountId } });

type Report = { account: ReceivingAccount; minor: number; reference: string; at: Date; isDate?: boolean };

const toRecording = (merchant: Merchant, { account, at: now }: Report) => ({
  merchant,
  account,
  actor: 'key:feed',
  now,
  systemNow: now,
});
const toInput = ({ account, minor, reference, at, isDate = false }: Report) =>
  transferInput({
    content: String(minor),
    money: { minor: BigInt(minor), currency: account.currency },
    reference,
    paidAt: at,
    isPaidAtDateOnly: isDate,
  });
const record = async (service: Service, merchant: Merchant, report: Report) => {
  const input = toInput(report);
  const results = await transact(service, (uow) =>
    recordCredits(uow, toRecording(merchant, report), [input]),
  );
  return results.get(input)!;
};
const recordOut = (service: Service, merchant: Merchant, report: Report) =>
  transact(service, (uow) => recordOutgoing(uow, toRecording(merchant, report), [toInput(report)]));

const withoutAccounts = (lines: Awaited<ReturnType<typeof reconcile>>['lines']) =>
  lines.map(({ account: _, ...sums }) => sums);

describe('Reconciliation', () => {
  test('reports received and refunded amounts by days in the merchant’s time zone', async ({ service }) => {
    const merchant = await seedSydneyMerchant(service);
    const owner = { merchantId: merchant.merchant.id, mode: 'live' as const, actor: 'user:test' };
    // On 4 October daylight saving time starts in Sydney, so that the day lasts from 14:00 to 13:00 UTC.
    const before = new Date('2026-10-03T13:59:59.999Z');
    const within = new Date('2026-10-04T12:59:59.999Z');
    const after = new Date('2026-10-04T13:00:00.000Z');
    const early = await seedCharge(service, merchant, { now: before });
    const account = await findAccount(service, early);
    await record(service, merchant.merchant, {
      account,
      minor: 12_850,
      reference: early.paymentReference,
      at: before,
    });
    const charge = await seedCharge(service, merchant, { now: within, input: { notifyPayload: 'b' } });
    await record(service, merchant.merchant, {
      account,
      minor: 5_000,
      reference: charge.paymentReference,
      at: within,
    });
    await record(service, merchant.merchant, { account, minor: 700, reference: 'unknown', at: within });
    const sent = await record(service, merchant.merchant, {
      account,
      minor: 42,
      reference: 'who?',
      at: within,
    });
    await returnTransfer(service, {
      ...owner,
      input: { transferId: sent.transferId },
      audit: { actor: 'user:test', now: after },
      now: after,
    });
    await recordOut(service, merchant.merchant, { account, minor: 9_900, reference: 'Rent', at: within });
    await record(service, merchant.merchant, { account, minor: 1, reference: 'the day after', at: after });
    const { refund } = await createRefund(service, {
      ...owner,
      input: { chargeId: early.id, customerAmount: 20 },
      now: within,
    });
    await submitRefundDetails(service, { ...owner, id: refund.id, details: payeeAccount, now: within });
    await completeRefund(service, { ...owner, id: refund.id, now: within });

    const day = await reconcile(toStaleReads(service), {
      ...merchant,
      mode: 'live',
      from: '2026-10-04',
      to: '2026-10-04',
    });
    expect([day.start, day.end]).toEqual([new Date('2026-10-03T14:00:00Z'), after]);
    expect(withoutAccounts(day.lines)).toEqual([
      {
        currency: 'HKD',
        opening: 12_850n,
        received: 5_742n,
        matched: 0n,
        partial: 5_000n,
        exceptions: 700n,
        returned: 42n,
        refunded: 2_000n,
        fees: 0n,
        otherOutgoingAmount: 9_900n,
        possibleDuplicates: 0n,
        otherIncoming: 0n,
        closing: 16_550n,
      },
    ]);
    const next = await reconcile(toStaleReads(service), {
      ...merchant,
      mode: 'live',
      from: '2026-10-05',
      to: '2026-10-05',
    });
    expect(withoutAccounts(next.lines)).toMatchObject([{ opening: 16_550n, received: 1n, closing: 16_551n }]);
    const sandbox = { ...merchant, mode: 'sandbox' as const, from: '2026-10-01', to: '2026-10-31' };
    expect((await reconcile(toStaleReads(service), sandbox)).lines).toEqual([]);
    await expect(
      reconcile(toStaleReads(service), { ...merchant, mode: 'live', from: '2026-10-05', to: '2026-10-04' }),
    ).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('reports a transfer with a date alone on that date in any time zone', async ({ service }) => {
    const merchant = await seedSydneyMerchant(service);
    const charge = await seedCharge(service, merchant, { now: new Date('2026-10-04T00:00:00Z') });
    const account = await findAccount(service, charge);
    const bookedAt = new Date('2026-10-04T00:00:00Z');
    await record(service, merchant.merchant, {
      account,
      minor: 100,
      reference: 'a',
      at: bookedAt,
      isDate: true,
    });
    const read = async (day: string) =>
      (await reconcile(toStaleReads(service), { ...merchant, mode: 'live', from: day, to: day })).lines[0];
    expect(await read('2026-10-03')).toBeUndefined();
    expect(await read('2026-10-04')).toMatchObject({ opening: 0n, received: 100n });
    expect(await read('2026-10-05')).toMatchObject({ opening: 100n, received: 0n });
  });

  test('reports a payout on the day on which the bank booked it', async ({ service }) => {
    const merchant = await seedMerchant(service);
    const refund: Refund = await seedPayableRefund(service, merchant);
    await payOut(service, merchant, refund, { paidAt: new Date('2026-11-20T03:00:00Z') });
    const month = await reconcile(toStaleReads(service), {
      merchant: merchant.merchant,
      mode: 'live',
      from: '2026-11-01',
      to: '2026-11-30',
    });
    expect(withoutAccounts(month.lines)).toMatchObject([
      { received: 12_850n, matched: 12_850n, refunded: 2_050n, otherOutgoingAmount: 0n, closing: 10_800n },
    ]);
  });

  test('agrees with a simple model after any sequence of payments', async ({ service }) => {
    const stepArbitrary: fc.Arbitrary<Step> = fc.record({
      kind: fc.constantFrom('pay', 'part', 'rest', 'unknown', 'return', 'refund', 'cancel', 'rent'),
      minor: fc.integer({ min: 1, max: 9_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 1, maxLength: 8 }), async (steps) => {
        const merchant = await seedMerchant(service, {}, new Date('2026-11-01T00:00:00Z'));
        const books = await runSteps(service, merchant, steps);
        await expectHomeMetrics(service, merchant);
        for (const [from, to] of [
          ['2026-11-01', '2026-11-30'],
          ['2026-11-03', '2026-11-05'],
        ] as const) {
          const options = { merchant: merchant.merchant, mode: 'live' as const, from, to };
          await expectMerchantBooks(service, options);
          const [line] = (await reconcile(toStaleReads(service), options)).lines;
          const model = computeModel(books, Number(from.slice(-2)), Number(to.slice(-2)));
          if (!line) {
            expect(model).toEqual(computeModel([], 1, 1));
            continue;
          }
          const { account: _, currency: __, ...sums } = line;
          expect(sums).toEqual(model);
          expect(line.matched + line.partial + line.exceptions + line.returned).toBe(line.received);
        }
      }),
      { numRuns: count(8, 500) },
    );
    await expectInvariants(service);
  }, 900_000);

  test('agrees with the books of all merchants', async ({ service }) => {
    await expectBooks(service);
  }, 900_000);
});

/** A step of a merchant's days; amounts in minor units. */
type Step = {
  kind: 'pay' | 'part' | 'rest' | 'unknown' | 'return' | 'refund' | 'cancel' | 'rent';
  minor: number;
};

type Entry = {
  day: number;
  kind: 'matched' | 'partial' | 'exceptions' | 'returned' | 'refunded' | 'otherOutgoingAmount';
  minor: bigint;
};

/** Runs each step on the next day, and returns the expected entries. */
async function runSteps(service: Service, merchant: NewMerchant, steps: readonly Step[]): Promise<Entry[]> {
  const books: Entry[] = [];
  const paid: Charge[] = [];
  const open: { charge: Charge; entry: Entry }[] = [];
  const exceptions: { transferId: string; entry: Entry }[] = [];
  let account: ReceivingAccount | undefined;
  for (const [i, { kind, minor }] of steps.entries()) {
    const day = i + 1;
    const now = new Date(Date.UTC(2026, 10, day, 12));
    const owner = { merchantId: merchant.merchant.id, mode: 'live' as const, actor: 'user:test', now };
    const input = { notifyPayload: `step ${i}` };
    const charge = await seedCharge(service, merchant, { now, input });
    account ??= await findAccount(service, charge);
    const addEntry = (as: Entry['kind'], amount: number): Entry => {
      const entry = { day, kind: as, minor: BigInt(amount) };
      books.push(entry);
      return entry;
    };
    if (kind === 'pay') {
      await record(service, merchant.merchant, {
        account,
        minor: 12_850,
        reference: charge.paymentReference,
        at: now,
      });
      addEntry('matched', 12_850);
      paid.push(charge);
    } else if (kind === 'part') {
      await record(service, merchant.merchant, {
        account,
        minor,
        reference: charge.paymentReference,
        at: now,
      });
      open.push({ charge, entry: addEntry('partial', minor) });
    } else if (kind === 'rest') {
      const last = open.pop();
      if (!last) continue;
      const rest = 12_850 - Number(last.entry.minor);
      // Paid in time: on the day of the part payment.
      await record(service, merchant.merchant, {
        account,
        minor: rest,
        reference: last.charge.paymentReference,
        at: last.charge.createdAt,
      });
      last.entry.kind = 'matched';
      books.push({ ...last.entry, minor: BigInt(rest) });
    } else if (kind === 'unknown') {
      const result = await record(service, merchant.merchant, {
        account,
        minor,
        reference: `step ${i}`,
        at: now,
      });
      exceptions.push({ transferId: result.transferId, entry: addEntry('exceptions', minor) });
    } else if (kind === 'return') {
      const last = exceptions.pop();
      if (!last) continue;
      await returnTransfer(service, { ...owner, input: last, audit: owner });
      last.entry.kind = 'returned';
    } else if (kind === 'cancel') {
      const last = open.pop();
      if (!last) continue;
      await cancelCharge(service, { ...owner, by: 'merchant', id: last.charge.id });
      last.entry.kind = 'exceptions';
    } else if (kind === 'rent') {
      await recordOut(service, merchant.merchant, { account, minor, reference: 'Rent', at: now });
      addEntry('otherOutgoingAmount', minor);
    } else {
      const last = paid.pop();
      if (!last) continue;
      const { refund } = await createRefund(service, {
        ...owner,
        input: { chargeId: last.id, customerAmount: minor / 100 },
      });
      await submitRefundDetails(service, { ...owner, id: refund.id, details: payeeAccount });
      if (minor % 2 === 0) await completeRefund(service, { ...owner, id: refund.id });
      else
        await recordOut(service, merchant.merchant, {
          account,
          minor,
          reference: refund.payoutReference,
          at: now,
        });
      addEntry('refunded', minor);
    }
  }
  return books;
}

function computeModel(books: readonly Entry[], from: number, to: number) {
  const sum = (kinds: Entry['kind'][], fits: (day: number) => boolean) =>
    books
      .filter(({ kind, day }) => kinds.includes(kind) && fits(day))
      .reduce((all, { minor }) => all + minor, 0n);
  const within = (day: number) => day >= from && day <= to;
  const getBalance = (day: number) =>
    sum(['matched', 'partial', 'exceptions'], (other) => other < day) -
    sum(['refunded'], (other) => other < day);
  const sumKind = (kind: Entry['kind']) => sum([kind], within);
  return {
    opening: getBalance(from),
    received: sum(['matched', 'partial', 'exceptions', 'returned'], within),
    matched: sumKind('matched'),
    partial: sumKind('partial'),
    exceptions: sumKind('exceptions'),
    returned: sumKind('returned'),
    refunded: sumKind('refunded'),
    fees: 0n,
    otherOutgoingAmount: sumKind('otherOutgoingAmount'),
    possibleDuplicates: 0n,
    otherIncoming: 0n,
    closing: getBalance(to + 1),
  };
}
