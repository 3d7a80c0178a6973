import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { cancelRefund } from '../../../src/domain/payments/refund/cancel-refund.ts';
import { completeRefund } from '../../../src/domain/payments/refund/complete-refund.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { getRefundDetailsUrl } from '../../../src/domain/payments/refund/refund-details-page.ts';
import { reopenRefund } from '../../../src/domain/payments/refund/reopen-refund.ts';
import { submitRefundDetails } from '../../../src/domain/payments/refund/submit-refund-details.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { count } from '../../setup/counts.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { startMailServer } from '../../setup/mail-server.ts';
import { readContent, sendDueMessages } from '../../setup/messages.ts';
import { payeeAccount, payOut, seedPayableRefund } from '../../setup/payouts.ts';
import { noon, seedCharge, seedCompletedCharge } from '../../setup/seed.ts';
import { payCharge } from '../../setup/transfers.ts';

const toRefundContext = ({ merchant }: NewMerchant) =>
  ({ merchantId: merchant.id, mode: 'sandbox', actor: 'user:test', now: noon }) as const;
type RefundContext = ReturnType<typeof toRefundContext>;

const operations = {
  cancel: (service: Service, context: RefundContext, id: string) => cancelRefund(service, { ...context, id }),
  submit: (service: Service, context: RefundContext, id: string) =>
    submitRefundDetails(service, { ...context, id, details: payeeAccount }),
  complete: (service: Service, context: RefundContext, id: string) =>
    completeRefund(service, { ...context, id }),
  reopen: (service: Service, context: RefundContext, id: string) =>
    reopenRefund(service, { ...context, id, reason: 'It came back.' }),
};
type Operation = keyof typeof operations;

/** The status after each operation that the sandbox allows. */
const nextStatus: Record<string, Partial<Record<Operation, string>>> = {
  initiated: { cancel: 'cancelled', submit: 'processing', complete: 'completed' },
  processing: { cancel: 'cancelled', complete: 'completed', reopen: 'initiated' },
};

async function readRefundMails(service: Service, { merchant }: NewMerchant, kind = 'refund-link') {
  const rows = await service.prisma.message.findMany({
    where: { merchantId: merchant.id, kind },
    orderBy: { dedupeKey: 'asc' },
  });
  return Promise.all(
    rows.map(async (row) => ({
      to: row.recipient,
      subject: row.subject,
      language: row.language,
      ...(await readContent(service, row)),
    })),
  );
}

describe('Refund', () => {
  test('never exceeds the paid amount and follows the state model in any sequence of sandbox operations', async ({
    service,
    merchant,
  }) => {
    const step = fc.record({
      operation: fc.constantFrom<(Operation | 'create')[]>(
        'create',
        'cancel',
        'submit',
        'complete',
        'reopen',
      ),
      minor: fc.integer({ min: 1, max: 9_000 }),
      pick: fc.nat(5),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const charge = await seedCompletedCharge(service, merchant);
        const states: { id: string; minor: number; status: string }[] = [];
        for (const { operation, minor, pick } of steps) {
          const refunded = states
            .filter(({ status }) => status !== 'cancelled')
            .reduce((sum, refund) => sum + refund.minor, 0);
          if (operation === 'create') {
            const fits = refunded + minor <= 12_850;
            const creation = createRefund(service, {
              ...toRefundContext(merchant),
              input: { chargeId: charge.id, customerAmount: minor / 100 },
            });
            if (!fits) expect(await doneOrCode(creation)).toBe('amount_exceeds_refundable');
            else states.push({ id: (await creation).refund.id, minor, status: 'initiated' });
            continue;
          }
          const refund = states[pick];
          if (!refund) continue;
          const next = nextStatus[refund.status]?.[operation];
          const outcome = await doneOrCode(
            operations[operation](service, toRefundContext(merchant), refund.id),
          );
          expect(outcome === 'done').toBe(next !== undefined);
          refund.status = next ?? refund.status;
        }
        const rows = await service.prisma.refund.findMany({ where: { chargeId: charge.id } });
        expect(new Map(rows.map(({ id, status }) => [id, status]))).toEqual(
          new Map(states.map(({ id, status }) => [id, status])),
        );
      }),
      { numRuns: count(25, 500) },
    );
    await expectInvariants(service);
  });

  test('in live mode cannot be completed before the customer has entered the payout details', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    await payCharge(service, merchant, charge, { paidAt: noon });
    const live = { ...toRefundContext(merchant), mode: 'live' as const };
    const input = { chargeId: charge.id, customerAmount: 5 };
    const { refund } = await createRefund(service, { ...live, input });
    const complete = () => doneOrCode(completeRefund(service, { ...live, id: refund.id }));
    expect(await complete()).toBe('refund_not_processing');
    await submitRefundDetails(service, { ...live, id: refund.id, details: payeeAccount });
    expect(await complete()).toBe('done');
    expect(await doneOrCode(cancelRefund(service, { ...live, id: refund.id }))).toBe('refund_not_initiated');
  });

  test('is cancelled with its payout details before it is paid, so that its amount is refundable again', async ({
    service,
    merchant,
  }) => {
    const payable = await seedPayableRefund(service, merchant, { amount: 128.5 });
    const live = { ...toRefundContext(merchant), mode: 'live' as const };
    const { refund } = await cancelRefund(service, { ...live, id: payable.id });
    expect(refund).toMatchObject({ status: 'cancelled', detailsEncrypted: null, payoutScheme: null });
    // A payment that was sent nevertheless is visible, and completes nothing.
    const late = await payOut(service, merchant, payable, { amount: '128.50' });
    expect(late).toMatchObject({ status: 'outgoing', reason: 'payout_not_expected' });
    const input = { chargeId: refund.chargeId, customerAmount: 128.5 };
    expect(await doneOrCode(createRefund(service, { ...live, input }))).toBe('done');
    await expectInvariants(service);
  });
});

describe('A paid refund', () => {
  test('is mailed to the customer once per payout, with its reference', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    await payCharge(service, merchant, charge, { paidAt: noon });
    const live = { ...toRefundContext(merchant), mode: 'live' as const };
    const input = { chargeId: charge.id, customerAmount: 20.5 };
    const { refund } = await createRefund(service, { ...live, input });
    await submitRefundDetails(service, { ...live, id: refund.id, details: payeeAccount });
    expect(await readRefundMails(service, merchant, 'refund-sent')).toEqual([]);
    await completeRefund(service, { ...live, id: refund.id });
    expect(await doneOrCode(completeRefund(service, { ...live, id: refund.id }))).toBe(
      'refund_not_processing',
    );
    const [mail, ...more] = await readRefundMails(service, merchant, 'refund-sent');
    expect(mail).toMatchObject({
      to: 'ada@example.com',
      language: 'zh-Hant',
      subject: 'Harbour Teas 已退款給您',
    });
    expect(mail!.text).toMatch(/HK\$20\.50/);
    expect(mail!.text).toContain(refund.payoutReference);
    expect(more).toEqual([]);
  });
});

describe('Refund link', () => {
  test('is mailed once when the refund is created and once when it is reopened, in the language of the method’s country', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCompletedCharge(service, merchant);
    const { refund } = await createRefund(service, {
      ...toRefundContext(merchant),
      input: { chargeId: charge.id, customerAmount: 20.5 },
    });
    const [first] = await readRefundMails(service, merchant);
    expect(first).toMatchObject({
      to: 'ada@example.com',
      language: 'zh-Hant',
      subject: 'Harbour Teas 給您的退款',
    });
    expect(first!.text).toContain(getRefundDetailsUrl(service, refund));
    expect(first!.text).toMatch(/HK\$20\.50/);
    expect(first!.text).toContain(refund.payoutReference);

    await submitRefundDetails(service, {
      ...toRefundContext(merchant),
      id: refund.id,
      details: payeeAccount,
    });
    const reopened = await reopenRefund(service, {
      ...toRefundContext(merchant),
      id: refund.id,
      reason: 'Account closed',
    });
    const [, second, ...more] = await readRefundMails(service, merchant);
    expect(second!.subject).toContain('重新填寫收款戶口');
    expect(second!.text).toContain(getRefundDetailsUrl(service, reopened.refund));
    expect(second!.text).toContain('Account closed');
    expect(second!.text).not.toContain(getRefundDetailsUrl(service, refund));
    expect(more).toEqual([]);
  });

  test('that is still unsent when the refund is cancelled or receives its payout details is never sent', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    await payCharge(service, merchant, charge, { paidAt: noon });
    const live = { ...toRefundContext(merchant), mode: 'live' as const };
    const create = () =>
      createRefund(service, { ...live, input: { chargeId: charge.id, customerAmount: 5 } });
    const [cancelled, submitted, open] = [await create(), await create(), await create()];
    const claimed = await create();
    const mail = { dedupeKey: `refund-link ${claimed.refund.id} 0` };
    await service.prisma.message.updateMany({ where: mail, data: { leasedUntil: new Date('2100-01-01') } });
    await cancelRefund(service, { ...live, id: claimed.refund.id });
    // A worker may have sent it. If not, it is not retried.
    expect(await service.prisma.message.findFirst({ where: mail })).toMatchObject({
      status: 'pending',
      expiresAt: expect.any(Date),
    });
    await service.prisma.message.deleteMany({ where: mail });
    await cancelRefund(service, { ...live, id: cancelled.refund.id });
    await submitRefundDetails(service, { ...live, id: submitted.refund.id, details: payeeAccount });
    await using server = await startMailServer();
    const settings = { smtpUrl: `smtp://127.0.0.1:${server.port}?tls=none`, mailFrom: 'pay@shop.example' };
    await sendDueMessages(service, 'email', settings, { clock: { now: () => noon } });
    const messages = await service.prisma.message.findMany({
      where: { merchantId: merchant.merchant.id, kind: 'refund-link' },
    });
    expect(new Map(messages.map(({ dedupeKey, status }) => [dedupeKey, status]))).toEqual(
      new Map([[`refund-link ${open.refund.id} 0`, 'sent']]),
    );
    const texts = server.mails.map(({ parts }) => parts.get('text/plain')).join();
    expect(texts).toContain(open.refund.payoutReference);
    expect(texts).not.toContain(cancelled.refund.payoutReference);
  });

  test('is not mailed when the refund is rejected', async ({ service, merchant }) => {
    const charge = await seedCompletedCharge(service, merchant, { input: { merchantAmount: 10 } });
    const input = { chargeId: charge.id, customerAmount: 1_000 };
    await expect(createRefund(service, { ...toRefundContext(merchant), input })).rejects.toThrow(
      'can still be refunded',
    );
    expect(await readRefundMails(service, merchant)).toEqual([]);
  });
});
