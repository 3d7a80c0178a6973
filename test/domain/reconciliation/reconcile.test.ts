import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Charge, Merchant, ReceivingAccount, Refund } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { recordOutgoing } from '../../../src/domain/money-in/outgoing/record-outgoing.ts';
import { reconcile } from '../../../src/domain/money-in/reconciliation/reconcile.ts';
import { recordBatch } from '../../../src/domain/money-in/transfer/record-batch.ts';
import { returnTransfer } from '../../../src/domain/money-in/transfer/return-transfer.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { completeRefund } from '../../../src/domain/payments/refund/complete-refund.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { submitRefundDetails } from '../../../src/domain/payments/refund/submit-refund-details.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { count } from '../../setup/counts.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { payeeAccount, payOut, seedPayableRefund } from '../../setup/payouts.ts';
import { seedCharge, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { transferInput } from '../../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

let service: Service;

beforeAll(async () => {
  service = await setupService(onCleanup);
});

const sydney = async () => {
  const made = await seedMerchant(service);
  const { id } = made.merchant;
  const merchant = await service.prisma.merchant.update({
    where: { id },
    data: { timeZone: 'Australia/Sydney' },
  });
  return { ...made, merchant };
};

const accountOf = (charge: Charge) =>
  service.prisma.receivingAccount.findUniqueOrThrow({ where: { id: charge.receivingAccountId } });

type Told = { account: ReceivingAccount; minor: number; reference: string; at: Date; isDate?: boolean };

const recordingOf = (merchant: Merchant, { account, at: now }: Told) => ({
  merchant,
  account,
  actor: 'bank',
  now,
});
const inputOf = ({ account, minor, reference, at, isDate = false }: Told) =>
  transferInput({
    content: String(minor),
    money: { minor: BigInt(minor), currency: account.currency },
    reference,
    paidAt: at,
    paidAtIsDate: isDate,
  });
const record = (merchant: Merchant, told: Told) =>
  recordBatch(service, recordingOf(merchant, told), [inputOf(told)]);
const recordOut = (merchant: Merchant, told: Told) =>
  recordOutgoing(service, recordingOf(merchant, told), [inputOf(told)]);

const shown = (lines: Awaited<ReturnType<typeof reconcile>>['lines']) =>
  lines.map(({ account: _, ...sums }) => sums);

describe('the books of an account', () => {
  test('tell what was received and given back on the days of the merchant’s calendar', async () => {
    const merchant = await sydney();
    const owner = { merchantId: merchant.merchant.id, mode: 'live' as const, actor: 'user:test' };
    // On 4 October the clocks of Sydney go forward at 2: the day lasts from 14:00 to 13:00 UTC.
    const before = new Date('2026-10-03T13:59:59.999Z');
    const within = new Date('2026-10-04T12:59:59.999Z');
    const after = new Date('2026-10-04T13:00:00.000Z');
    const early = await seedCharge(service, merchant, { now: before });
    const account = await accountOf(early);
    await record(merchant.merchant, {
      account,
      minor: 12_850,
      reference: early.paymentReference,
      at: before,
    });
    const charge = await seedCharge(service, merchant, { now: within, input: { notifyPayload: 'b' } });
    await record(merchant.merchant, {
      account,
      minor: 5_000,
      reference: charge.paymentReference,
      at: within,
    });
    await record(merchant.merchant, { account, minor: 700, reference: 'nobody knows', at: within });
    const [sent] = await record(merchant.merchant, { account, minor: 42, reference: 'who?', at: within });
    await returnTransfer(service, {
      ...owner,
      input: { transferId: sent!.transferId },
      audit: { actor: 'user:test', now: after },
      now: after,
    });
    await recordOut(merchant.merchant, { account, minor: 9_900, reference: 'Rent', at: within });
    await record(merchant.merchant, { account, minor: 1, reference: 'the day after', at: after });
    const { refund } = await createRefund(service, {
      ...owner,
      input: { chargeId: early.id, customerAmount: 20 },
      now: within,
    });
    await submitRefundDetails(service, { ...owner, id: refund.id, details: payeeAccount, now: within });
    await completeRefund(service, { ...owner, id: refund.id, now: within });

    const day = await reconcile(service, { ...merchant, mode: 'live', from: '2026-10-04', to: '2026-10-04' });
    expect([day.start, day.end]).toEqual([new Date('2026-10-03T14:00:00Z'), after]);
    expect(shown(day.lines)).toEqual([
      {
        currency: 'HKD',
        opening: 12_850n,
        received: 5_742n,
        matched: 0n,
        partial: 5_000n,
        exceptions: 700n,
        returned: 42n,
        refunded: 2_000n,
        otherOutgoing: 9_900n,
        closing: 16_550n,
      },
    ]);
    const next = await reconcile(service, {
      ...merchant,
      mode: 'live',
      from: '2026-10-05',
      to: '2026-10-05',
    });
    expect(shown(next.lines)).toMatchObject([{ opening: 16_550n, received: 1n, closing: 16_551n }]);
    const sandbox = { ...merchant, mode: 'sandbox' as const, from: '2026-10-01', to: '2026-10-31' };
    expect((await reconcile(service, sandbox)).lines).toEqual([]);
    await expect(
      reconcile(service, { ...merchant, mode: 'live', from: '2026-10-05', to: '2026-10-04' }),
    ).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('put money that carries only a date on that date, whatever the zone', async () => {
    const merchant = await sydney();
    const charge = await seedCharge(service, merchant, { now: new Date('2026-10-04T00:00:00Z') });
    const account = await accountOf(charge);
    const at = new Date('2026-10-04T00:00:00Z');
    await record(merchant.merchant, { account, minor: 100, reference: 'a', at, isDate: true });
    const read = async (day: string) =>
      (await reconcile(service, { ...merchant, mode: 'live', from: day, to: day })).lines[0];
    expect(await read('2026-10-03')).toBeUndefined();
    expect(await read('2026-10-04')).toMatchObject({ opening: 0n, received: 100n });
    expect(await read('2026-10-05')).toMatchObject({ opening: 100n, received: 0n });
  });

  test('a payout counts on the day the bank booked it', async () => {
    const merchant = await seedMerchant(service);
    const refund: Refund = await seedPayableRefund(service, merchant);
    await payOut(service, merchant, refund, { paidAt: new Date('2026-11-20T03:00:00Z') });
    const month = await reconcile(service, {
      merchant: merchant.merchant,
      mode: 'live',
      from: '2026-11-01',
      to: '2026-11-30',
    });
    expect(shown(month.lines)).toMatchObject([
      { received: 12_850n, matched: 12_850n, refunded: 2_050n, otherOutgoing: 0n, closing: 10_800n },
    ]);
  });
});

/** A step of a merchant's days; amounts in minor units. */
type Step = { kind: 'pay' | 'part' | 'unknown' | 'return' | 'refund' | 'cancel' | 'rent'; minor: number };

test('any sequence of payments ties out, as a plain model of the books says', async () => {
  const step: fc.Arbitrary<Step> = fc.record({
    kind: fc.constantFrom('pay', 'part', 'unknown', 'return', 'refund', 'cancel', 'rent'),
    minor: fc.integer({ min: 1, max: 9_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const merchant = await seedMerchant(service, {}, new Date('2026-11-01T00:00:00Z'));
      const books = await live(merchant, steps);
      for (const [from, to] of [
        ['2026-11-01', '2026-11-30'],
        ['2026-11-03', '2026-11-05'],
      ] as const) {
        const options = { merchant: merchant.merchant, mode: 'live' as const, from, to };
        const [line] = (await reconcile(service, options)).lines;
        const model = modelOf(books, Number(from.slice(-2)), Number(to.slice(-2)));
        if (!line) {
          expect(model).toEqual(modelOf([], 1, 1));
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
});

type Entry = {
  day: number;
  kind: 'matched' | 'partial' | 'exceptions' | 'returned' | 'refunded' | 'otherOutgoing';
  minor: bigint;
};

/** Does each step on the next day, and keeps what the books must say of it. */
async function live(merchant: NewMerchant, steps: readonly Step[]): Promise<Entry[]> {
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
    account ??= await accountOf(charge);
    const keep = (as: Entry['kind'], amount: number): Entry => {
      const entry = { day, kind: as, minor: BigInt(amount) };
      books.push(entry);
      return entry;
    };
    if (kind === 'pay') {
      await record(merchant.merchant, {
        account,
        minor: 12_850,
        reference: charge.paymentReference,
        at: now,
      });
      keep('matched', 12_850);
      paid.push(charge);
    } else if (kind === 'part') {
      await record(merchant.merchant, { account, minor, reference: charge.paymentReference, at: now });
      open.push({ charge, entry: keep('partial', minor) });
    } else if (kind === 'unknown') {
      const [result] = await record(merchant.merchant, { account, minor, reference: `step ${i}`, at: now });
      exceptions.push({ transferId: result!.transferId, entry: keep('exceptions', minor) });
    } else if (kind === 'return') {
      const given = exceptions.pop();
      if (!given) continue;
      await returnTransfer(service, { ...owner, input: given, audit: owner });
      given.entry.kind = 'returned';
    } else if (kind === 'cancel') {
      const given = open.pop();
      if (!given) continue;
      await cancelCharge(service, { ...owner, by: 'merchant', id: given.charge.id });
      given.entry.kind = 'exceptions';
    } else if (kind === 'rent') {
      await recordOut(merchant.merchant, { account, minor, reference: 'Rent', at: now });
      keep('otherOutgoing', minor);
    } else {
      const given = paid.pop();
      if (!given) continue;
      const { refund } = await createRefund(service, {
        ...owner,
        input: { chargeId: given.id, customerAmount: minor / 100 },
      });
      await submitRefundDetails(service, { ...owner, id: refund.id, details: payeeAccount });
      if (minor % 2 === 0) await completeRefund(service, { ...owner, id: refund.id });
      else await recordOut(merchant.merchant, { account, minor, reference: refund.payoutReference, at: now });
      keep('refunded', minor);
    }
  }
  return books;
}

function modelOf(books: readonly Entry[], from: number, to: number) {
  const sum = (kinds: Entry['kind'][], fits: (day: number) => boolean) =>
    books
      .filter(({ kind, day }) => kinds.includes(kind) && fits(day))
      .reduce((all, { minor }) => all + minor, 0n);
  const within = (day: number) => day >= from && day <= to;
  const standing = (day: number) =>
    sum(['matched', 'partial', 'exceptions'], (one) => one < day) - sum(['refunded'], (one) => one < day);
  const over = (kind: Entry['kind']) => sum([kind], within);
  return {
    opening: standing(from),
    received: sum(['matched', 'partial', 'exceptions', 'returned'], within),
    matched: over('matched'),
    partial: over('partial'),
    exceptions: over('exceptions'),
    returned: over('returned'),
    refunded: over('refunded'),
    otherOutgoing: over('otherOutgoing'),
    closing: standing(to + 1),
  };
}
