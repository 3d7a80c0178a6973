import type { Charge, CheckoutSession, Merchant, Mode } from '../../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../../kit/clock.ts';
import { dayMs } from '../../../../kit/duration.ts';
import { DomainError } from '../../../../kit/errors.ts';
import { checkInteger } from '../../../../kit/integer.ts';
import { readSharedIds } from '../../../accounts/receiving-account/bank-account.ts';
import { lockUniqueAmounts } from '../../../payments/charge/choose-account-and-amount.ts';
import { findReplacements } from '../../../payments/charge/find-replacements.ts';
import { lockCharge } from '../../../payments/charge/lock-charge.ts';
import { transitionCharges } from '../../../payments/charge/transition-charge.ts';
import { chargeNotPendingError } from '../../../payments/charge/update-charges.ts';
import { lockSession } from '../../../payments/checkout/lock-session.ts';
import { type AuditContext, recordAudit } from '../../../platform/audit/record-audit.ts';
import type { Service } from '../../../platform/service.ts';
import { findReleasedParts, reassignReleased } from './reassign-released-parts.ts';

type ExtendChargeOptions = {
  merchant: Merchant;
  mode: Mode;
  id: string;
  /** The number of days from now for which the rest can be paid. */
  days: number;
  audit: AuditContext;
  now: MerchantTime;
};

const daysMax = 30;
/** So that the charge ends before its payment reference may be used again. */
const ageDaysMax = 90;

/**
 * Keeps a partly paid charge open for some days, so that the customer can pay the rest. An expired charge is pending
 * again, and gets back the part payments that it released and that are still unallocated. Never shortens the time.
 * Throws `charge_not_found`, `charge_not_pending` if the charge is completed or cancelled, or `invalid_request` if it
 * has no part payments, or must not be opened again.
 */
export async function extendCharge(service: Service, options: ExtendChargeOptions): Promise<Charge> {
  const { merchant, mode, id, audit, now } = options;
  const scope = { merchantId: merchant.id, mode };
  const days = checkInteger(options.days, '/days', { min: 1, max: daysMax });
  return transact(service, async (uow) => {
    // Like every operation on a session, locks it before its charge.
    const { sessionId = null } = (await uow.tx.charge.findFirst({ where: { ...scope, id } })) ?? {};
    const session = sessionId === null ? null : await lockSession(uow.tx, sessionId);
    const charge = await lockCharge(uow.tx, { ...scope, id });
    if (charge.status === 'completed' || charge.status === 'cancelled') throw chargeNotPendingError(charge);
    const parts = await findReleasedParts(uow, charge);
    if (charge.amountReceived <= 0n && parts.length === 0) throw notExtensibleError('has no part payment');
    if (charge.status === 'expired') await requireReopenable(uow, { charge, session, now });
    const expiresAt = new Date(Math.max(charge.expiresAt.getTime(), now.getTime() + days * dayMs));
    await uow.tx.charge.update({ where: { id }, data: { expiresAt } });
    const change = { actor: audit.actor, ipAddress: audit.ipAddress, now };
    const [extended] = await transitionCharges(
      uow,
      [{ charge: { ...charge, expiresAt }, to: 'pending' }],
      change,
    );
    const detail = { expiresAt: expiresAt.toISOString() };
    await recordAudit(uow, { ...scope, ...audit, action: 'charge.extended', objectId: id, detail });
    return reassignReleased(uow, { charge: extended!, parts }, options);
  });
}

/** Rejects expired charges that the customer may pay in another way, or whose payment could not be recognized. */
async function requireReopenable(
  uow: UnitOfWork<Service>,
  { charge, session, now }: { charge: Charge; session: CheckoutSession | null; now: MerchantTime },
): Promise<void> {
  if (charge.subscriptionId !== null)
    throw notExtensibleError('belongs to a subscription, which has its own payment page');
  if (session?.status === 'cancelled') throw notExtensibleError('belongs to a cancelled session');
  if ((await findReplacements(uow, [charge.id])).size > 0)
    throw notExtensibleError('was replaced by another charge');
  if (charge.createdAt.getTime() < now.getTime() - ageDaysMax * dayMs)
    throw notExtensibleError(`is older than ${ageDaysMax} days`);
  if (charge.amountOffset === null) return;
  const { receivingAccountId: id, customerAmount } = charge;
  await lockUniqueAmounts(uow.tx, await uow.tx.receivingAccount.findUniqueOrThrow({ where: { id } }));
  const receivingAccountId = { in: await readSharedIds({ prisma: uow.tx }, id) };
  const sameAmount = await uow.tx.charge.findFirst({
    where: { receivingAccountId, customerAmount, status: 'pending', amountOffset: { not: null } },
    select: { id: true },
  });
  if (sameAmount) throw notExtensibleError(`has the same amount to pay as the open charge ${sameAmount.id}`);
}

/** The dashboard shows the message without the path, because it has no field for the charge. */
function notExtensibleError(reason: string): DomainError {
  return new DomainError('invalid_request', `The charge ${reason}`, [{ path: '/id', message: reason }]);
}
