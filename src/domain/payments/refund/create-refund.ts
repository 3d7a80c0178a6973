import { type Charge, Prisma, type Refund } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import { newId } from '../../../kit/id.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { formatMoney, parseMoney } from '../../../kit/money.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalog.ts';
import { isPayable } from '../../../method/payable-amount.ts';
import { type Audited, getSystemTime, recordAudit } from '../../platform/audit/record-audit.ts';
import { toAmountDetail } from '../../platform/audit/to-amount-detail.ts';
import { type MetadataEntry, type MetadataInput, parseMetadata } from '../../platform/metadata.ts';
import type { Service } from '../../platform/service.ts';
import { parseNote } from '../allocation/transfer-state.ts';
import { lockCharge } from '../charge/lock-charge.ts';
import { generatePayoutReference, noAvailableReferenceError } from './generate-payout-reference.ts';
import { mailRefundLink } from './mail-refund.ts';
import { getRefundableAmount } from './refund-state.ts';
import { requireNoUndo } from './require-no-undo.ts';
import { type RefundWithCharge, recordRefundEvent } from './transition-refund.ts';

/**
 * The unvalidated input. The amount is in major units of the customer's currency: a number (REST) or a
 * decimal string (GraphQL).
 */
type CreateRefundInput = {
  chargeId: string;
  customerAmount: number | string;
  metadata?: MetadataInput;
  reason?: string | null | undefined;
  /** The note of the merchant's team. */
  note?: string | null | undefined;
};

const referenceAttemptsMax = 20;

/**
 * Refunds all or part of the amount that a charge received, and emails the customer the link for payout
 * details. Locks the charge, so that concurrent refunds cannot exceed that amount. Throws `invalid_request`,
 * `charge_not_found`, `charge_not_completed`, `statement_undo_in_progress`, `amount_exceeds_refundable`, or
 * `unavailable` if no payout reference is free.
 */
export async function createRefund(
  service: Service,
  options: MerchantScope &
    Audited & {
      actor: string;
      input: CreateRefundInput;
      now: MerchantTime;
    },
): Promise<RefundWithCharge> {
  const { merchantId, mode, input, audit } = options;
  const texts = {
    metadata: parseMetadata(input.metadata),
    reason: parseRefundReason(input.reason),
    note: parseNote(input.note) || null,
  };
  return transact(service, async (uow) => {
    const { tx } = uow;
    const charge = await lockCharge(tx, { merchantId, mode, id: input.chargeId });
    if (charge.status !== 'completed') {
      throw new DomainError(
        'charge_not_completed',
        `The charge ${charge.id} is ${charge.status}; only completed charges can be refunded`,
      );
    }
    await requireNoUndo(tx, charge);
    const minor = parseRefundAmount(charge, input.customerAmount);
    const refunds = await tx.refund.findMany({ where: { chargeId: charge.id } });
    const refundableAmount = getRefundableAmount(charge, refunds);
    if (minor > refundableAmount) {
      const currency = charge.customerCurrency;
      const detail =
        refundableAmount === 0n
          ? `The charge ${charge.id} has no amount left to refund`
          : `At most ${formatMoney({ minor: refundableAmount, currency })} of the charge ${charge.id} can still be refunded`;
      throw new DomainError('amount_exceeds_refundable', detail);
    }
    const refund = await insertRefund(tx, charge, { minor, ...texts, now: options.now });
    recordRefundEvent(uow, { refund, charge }, options);
    await mailRefundLink(uow, { refund, charge }, { systemNow: getSystemTime(options) });
    if (audit)
      await recordAudit(uow, {
        ...audit,
        merchantId,
        mode,
        action: 'refund.created',
        objectId: refund.id,
        detail: toAmountDetail(refund),
      });
    return { refund, charge };
  });
}

function parseRefundAmount(charge: Charge, amount: number | string): bigint {
  const money = parseMoney(amount, charge.customerCurrency, '/customerAmount');
  const method = paymentMethods[charge.method as MethodCode];
  if (!isPayable(money, method))
    throw invalidInputError('/customerAmount', `must be a whole number (${money.currency})`);
  return money.minor;
}

/**
 * Inserts the refund with a payout reference that is unique to the merchant. Tries another reference if a
 * concurrent refund has taken it.
 */
async function insertRefund(
  tx: Tx,
  charge: Charge,
  {
    minor,
    metadata,
    reason,
    note,
    now,
  }: Pick<Refund, 'reason' | 'note'> & {
    minor: bigint;
    metadata: MetadataEntry[] | null;
    now: MerchantTime;
  },
): Promise<Refund> {
  for (let attempt = 0; attempt < referenceAttemptsMax; attempt++) {
    const [refund] = await tx.refund.createManyAndReturn({
      data: [
        {
          id: newId('refund', now),
          merchantId: charge.merchantId,
          mode: charge.mode,
          chargeId: charge.id,
          receivingAccountId: charge.receivingAccountId,
          customerAmount: minor,
          customerCurrency: charge.customerCurrency,
          metadata: metadata ?? Prisma.DbNull,
          reason,
          note,
          payoutReference: await generatePayoutReference(tx, charge),
          version: 1,
          createdAt: now,
          updatedAt: now,
        },
      ],
      skipDuplicates: true,
    });
    if (refund) return refund;
  }
  throw noAvailableReferenceError();
}

/** The reasons for a refund, with texts for the API. The keys are stored and must not be renamed. */
export const refundReasons = {
  requested_by_customer: 'The customer asked for the refund',
  duplicate: 'The customer paid twice',
  overpaid: 'The customer paid too much',
  not_delivered: 'The order was not delivered, or not in full',
  damaged: 'An item was damaged or faulty',
  other: 'Another reason',
} as const;

export type RefundReason = keyof typeof refundReasons;

function parseRefundReason(reason: string | null | undefined): RefundReason | null {
  if (reason == null) return null;
  if (!(reason in refundReasons))
    throw invalidInputError('/reason', `must be one of ${Object.keys(refundReasons).join(', ')}`);
  return reason as RefundReason;
}
