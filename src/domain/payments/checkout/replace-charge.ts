import type { Charge, CheckoutSession, Merchant } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import { toAmountDetail } from '../../platform/audit/to-amount-detail.ts';
import { requireEnabledMerchant } from '../../platform/merchant/require-enabled-merchant.ts';
import type { MetadataEntry } from '../../platform/metadata.ts';
import type { OrderLine } from '../../platform/order-line.ts';
import type { Service } from '../../platform/service.ts';
import { isPastExpiry } from '../charge/charge-state.ts';
import type { ChargeTerms } from '../charge/charge-terms.ts';
import { cancelChargeBatch } from '../charge/end-charge-batch.ts';
import { insertCharge } from '../charge/insert-charges.ts';
import { lockCharge } from '../charge/lock-charge.ts';
import { prepareCharge } from '../charge/prepare-charge.ts';
import { chargeNotPendingError } from '../charge/update-charges.ts';
import { type PageVisitor, withCheckoutSlot } from '../customer-page/checkout-slot.ts';
import type { CheckoutCharge } from './get-checkout-charge.ts';
import { lockSession } from './lock-session.ts';

/** The maximum number of charges of a session, because each reserves a payment reference. */
const sessionChargesMax = 20;

/**
 * Replaces a charge that has received no money by a new charge with the same terms and the given method, in one
 * transaction. Cancels the old charge if it is still pending. A repeated call returns the existing replacement. Throws
 * `charge_not_pending` if the charge can no longer be replaced, `session_cancelled`, `method_unavailable` if the method
 * is not offered or the session has too many charges, and the errors of `requireEnabledMerchant`, `prepareCharge`,
 * `insertCharge` and `withCheckoutSlot`.
 */
export async function replaceCharge(
  service: Service,
  options: Audited & {
    merchant: Merchant;
    charge: CheckoutCharge;
    method: MethodCode;
    visitor: PageVisitor;
    actor?: string;
    now: MerchantTime;
  },
): Promise<Charge> {
  const { merchant, charge, method, visitor, actor = 'customer', audit, now } = options;
  const { merchantId, mode } = charge;
  requireEnabledMerchant(merchant);
  const methods = getAllowedMethods(charge);
  if (methods.length > 0 && !methods.includes(method))
    throw new DomainError(
      'method_unavailable',
      `The payment does not offer ${method}; choose one of ${methods.join(', ')}`,
    );
  const terms = toReplacementTerms(charge, method);
  const preparedCharge = await prepareCharge(service, { merchant, mode, terms, now });
  return transact(service, async (uow) => {
    const { tx } = uow;
    const session = charge.sessionId === null ? null : await lockSession(tx, charge.sessionId);
    const lockedCharge = await lockCharge(tx, charge);
    const replacement = await tx.charge.findUnique({ where: { replacesId: charge.id } });
    if (replacement) return replacement;
    if (session?.status === 'cancelled') throw new DomainError('session_cancelled');
    await requireReplaceable(tx, lockedCharge, { session, now });
    const change = { now, actor, audit };
    if (lockedCharge.status === 'pending') {
      await cancelChargeBatch(uow, [lockedCharge], change);
      if (audit)
        await recordAudit(uow, {
          ...audit,
          merchantId,
          mode,
          action: 'charge.cancelled',
          objectId: charge.id,
          detail: toAmountDetail(charge),
        });
    }
    const request = { preparedCharge, customerId: lockedCharge.customerId };
    const insert = () => insertCharge(uow, request, change);
    if (charge.sessionId !== null) {
      await announceSessionCharge(uow, charge.sessionId, now);
      return insert();
    }
    await countLinkUse(uow, lockedCharge);
    return withCheckoutSlot(uow, { merchantId, mode, visitor, now }, insert);
  });
}

/** Returns the methods that the session or link of the charge allows; an empty list allows all. */
export function getAllowedMethods({ session, checkoutLink }: CheckoutCharge): string[] {
  return session?.methods ?? (checkoutLink?.paymentMethods as string[] | null | undefined) ?? [];
}

/**
 * Returns whether the customer may replace the charge. It must have received no money, must not be replaced yet, and
 * must be open or, before its session expires, expired. Reusable charges and charges of subscriptions keep their
 * method. A disabled merchant receives no new charges.
 */
export function isReplaceable(charge: CheckoutCharge, now: Date): boolean {
  return (
    charge.merchant.disabledAt === null &&
    charge.unallocatedTransfers.length === 0 &&
    charge.replacedById === null &&
    hasReplaceableState(charge, charge.session, now)
  );
}

type SessionValidity = Pick<CheckoutSession, 'status' | 'expiresAt'>;

function hasReplaceableState(
  charge: Pick<Charge, 'status' | 'isReusable' | 'subscriptionId' | 'amountReceived' | 'expiresAt'>,
  session: SessionValidity | null,
  now: Date,
): boolean {
  if (charge.isReusable || charge.subscriptionId !== null || charge.amountReceived !== 0n) return false;
  const isExpired = charge.status === 'expired' || isPastExpiry(charge, now);
  if (charge.status === 'pending' && !isExpired) return true;
  return isExpired && session !== null && session.status !== 'cancelled' && session.expiresAt >= now;
}

/**
 * Throws `charge_not_pending` if the locked charge can no longer be replaced or has ever received money, and
 * `method_unavailable` if its session has too many charges.
 */
async function requireReplaceable(
  tx: Tx,
  charge: Charge,
  { session, now }: { session: SessionValidity | null; now: Date },
): Promise<void> {
  const isUnpaid =
    (await tx.allocation.count({ where: { chargeId: charge.id } })) === 0 &&
    (await tx.transfer.count({ where: { namedChargeId: charge.id } })) === 0;
  if (!isUnpaid || !hasReplaceableState(charge, session, now)) throw chargeNotPendingError(charge);
  if (charge.sessionId === null) return;
  const count = await tx.charge.count({ where: { sessionId: charge.sessionId } });
  if (count >= sessionChargesMax)
    throw new DomainError(
      'method_unavailable',
      `The session has reached its limit of ${sessionChargesMax} charges; ask the merchant for a new link`,
    );
}

/** Updates the session's `updatedAt` and announces the change, so that its subscribers receive the new charge. */
async function announceSessionCharge(uow: UnitOfWork, id: string, updatedAt: Date): Promise<void> {
  const session = await uow.tx.checkoutSession.update({ where: { id }, data: { updatedAt } });
  announceChange(uow, { ...session, objectId: id });
}

/** Counts the new charge as a use of the link, because the cancellation released the use of the old one. */
async function countLinkUse({ tx }: UnitOfWork, { checkoutLinkId: id }: Charge): Promise<void> {
  if (id !== null) await tx.checkoutLink.update({ where: { id }, data: { uses: { increment: 1 } } });
}

function toReplacementTerms(charge: CheckoutCharge, method: MethodCode): ChargeTerms {
  const { email, phone, firstName, lastName, language, notifyPayload, notifyUrl, redirectUrl } = charge;
  return {
    merchantMoney: { minor: charge.merchantAmount, currency: charge.merchantCurrency },
    method,
    customer: {
      ...(email !== null && { email }),
      ...(phone !== null && { phone }),
      ...(firstName !== null && { firstName }),
      ...(lastName !== null && { lastName }),
    },
    language,
    orders: charge.orders as OrderLine[],
    notifyPayload,
    metadata: charge.metadata as MetadataEntry[] | null,
    notifyUrl,
    redirectUrl,
    replacesId: charge.id,
    ...(charge.sessionId !== null && { sessionId: charge.sessionId }),
    ...(charge.checkoutLinkId !== null && { checkoutLinkId: charge.checkoutLinkId }),
  };
}
