import type { Mode } from '../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../event/unit-of-work.ts';
import type { Tx } from '../../kit/db.ts';
import type { Service } from '../service.ts';
import { type AuditAction, type Doer, recordAudit } from './record-audit.ts';

/**
 * What is written down of operations that are done alike for everybody, customers included: for those who act for the
 * merchant, under these names. The other changes of a merchant's set-up write down what they changed themselves.
 */
export const auditedOperations: Readonly<Record<string, AuditAction>> = {
  advanceTestClock: 'test_clock.advanced',
  cancelCharge: 'charge.cancelled',
  cancelRefund: 'refund.cancelled',
  cancelSession: 'session.cancelled',
  cancelSubscription: 'subscription.cancelled',
  changeSubscriptionMethod: 'subscription.method_changed',
  closeCheckoutLink: 'checkout_link.closed',
  completeRefund: 'refund.completed',
  completeSandboxCharge: 'charge.completed',
  createCharge: 'charge.created',
  createCheckoutLink: 'checkout_link.created',
  createRefund: 'refund.created',
  createSession: 'session.created',
  createSubscriptionLink: 'subscription_link.created',
  createSubscriptionPlan: 'subscription_plan.created',
  dismissAlert: 'alert.dismissed',
  enrol: 'subscription.created',
  importStatement: 'statement.imported',
  payInvoice: 'invoice.charged',
  recordTransfers: 'transfer.recorded',
  reopenRefund: 'refund.reopened',
  replayNotifications: 'notification.replayed',
  resendNotification: 'notification.resent',
  sendTestNotification: 'webhook.tested',
  simulateTransfer: 'transfer.simulated',
  submitRefundDetails: 'refund.details_given',
  updateStatementMapping: 'statement_mapping.updated',
  updateSubscriptionPlan: 'subscription_plan.updated',
};

/**
 * Charges that a key makes are not written down here: they come by the thousand in a minute, and each has its event
 * `charge_created`, which names the key, the time and the address, and is kept for 400 days.
 */
const leftToEvents = new Set(['createCharge']);

export type OperationDeed = Doer & {
  merchantId: string;
  mode: Mode;
  operation: string;
  /** The object it is about, for those that answer none. */
  about?: string | undefined;
  /** The machine's: a test clock does not move the audit trail. */
  now: Date;
};

/**
 * The service as somebody uses it for one operation, which is written down in the transaction of its change, with the
 * object it answers; once, also where the operation takes several transactions.
 */
export function audited(service: Service, deed: OperationDeed): Service {
  const { operation, about, ...rest } = deed;
  const action = auditedOperations[operation];
  if (!action) return service;
  if (deed.actor.startsWith('key:') && leftToEvents.has(operation))
    return { ...service, askedFrom: deed.address };
  let isWritten = false;
  const writtenIn = new WeakSet<Tx>();
  const hooked: Service & { afterWork: (uow: UnitOfWork, result: unknown) => Promise<void> } = {
    ...service,
    afterWork: async (uow, result) => {
      if (isWritten || writtenIn.has(uow.tx)) return;
      await recordAudit(uow, { ...rest, action, objectId: findId(result) ?? about });
      writtenIn.add(uow.tx);
      uow.afterCommit(() => {
        isWritten = true;
      });
    },
  };
  return hooked;
}

/** The id of what came out: of the object itself, or of the first one within it. */
function findId(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return undefined;
  if ('id' in result && typeof result.id === 'string') return result.id;
  for (const inner of Object.values(result)) {
    if (typeof inner === 'object' && inner !== null && 'id' in inner && typeof inner.id === 'string')
      return inner.id;
  }
  return undefined;
}
