import type { Prisma, Subscription } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { enqueueMessages } from '../../../message/enqueue-message.ts';
import { type AuditAction, type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { type BillingNotice, buildBillingMail } from './build-billing-mail.ts';
import type { LockedSubscription } from './lock-subscription.ts';
import { isOngoing, isUnstarted } from './subscription-state.ts';
import { subscriptionEndedError } from './transition-subscription.ts';

/** A change of a subscription or invoice by the merchant. */
export type BillingChange = ScopedId & { actor: string; now: MerchantTime; audit: AuditContext };

/**
 * Throws `subscription_unstarted` before the first payment or free start, and `subscription_ended` after the
 * end.
 */
export function requireStarted(subscription: Subscription): void {
  if (!isOngoing(subscription)) throw subscriptionEndedError(subscription);
  if (!isUnstarted(subscription)) return;
  const detail = `The subscription ${subscription.id} cannot be changed before its first payment`;
  throw new DomainError('subscription_unstarted', detail);
}

/** Records the change in the audit trail and, with a `notice`, emails the customer if the plan sends emails. */
export async function recordBillingChange(
  uow: UnitOfWork<Service>,
  target: LockedSubscription,
  change: BillingChange & {
    action: AuditAction;
    detail?: Prisma.InputJsonObject;
    /** Undefined if the customer gets no email. */
    notice?: BillingNotice | undefined;
    invoiceNumber?: number;
  },
): Promise<void> {
  const { merchantId, mode, id, audit, action, detail, notice, invoiceNumber } = change;
  await recordAudit(uow, { ...audit, merchantId, mode, action, objectId: id, ...(detail && { detail }) });
  if (!notice) return;
  const merchant = await uow.tx.merchant.findUniqueOrThrow({ where: { id: merchantId } });
  const mail = buildBillingMail(uow, target, { notice, merchant, invoiceNumber, systemNow: audit.now });
  if (mail) await enqueueMessages(uow, [mail]);
}
