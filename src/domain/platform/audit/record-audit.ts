import type { Mode, Prisma } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime, SystemTime } from '../../../kit/clock.ts';
import { newOrderedId } from '../../../kit/id.ts';
import { insertRows } from '../../../kit/insert-rows.ts';

/** All actions of the audit trail, as object type and verb. */
export const auditActions = [
  'access.requested',
  'access.granted',
  'access.declined',
  'alert.dismissed',
  'api_key.created',
  'api_key.updated',
  'api_key.rotated',
  'api_key.revoked',
  'bank_feed.created',
  'bank_feed.updated',
  'bank_feed.confirmed',
  'bank_feed.deleted',
  'bank_feed.polled',
  'certificate.created',
  'certificate.revoked',
  'charge.cancelled',
  'charge.completed',
  'charge.created',
  'charge.extended',
  'charge.receipt_sent',
  'charge.shortfall_accepted',
  'charge.updated',
  'checkout_link.closed',
  'checkout_link.created',
  'checkout_link.updated',
  'customer.updated',
  'export.created',
  'export.downloaded',
  'feed_delivery.processed',
  'ignore_rule.created',
  'ignore_rule.deleted',
  'invoice.charged',
  'invoice.marked_paid',
  'invoice.resent',
  'invoice.voided',
  'job.changed',
  'merchant.created',
  'merchant.disabled',
  'merchant.enabled',
  'merchant.paused',
  'merchant.resumed',
  'merchant.exported',
  'merchant.moved',
  'merchant.imported',
  'merchant.import_discarded',
  'merchant.activated',
  'merchant.sandbox_reset',
  'notification.replayed',
  'notification.resent',
  'operations.disabled',
  'operations.enabled',
  'exchange_rate.set',
  'exchange_rate.removed',
  'receiving_account.created',
  'receiving_account.updated',
  'refund.cancelled',
  'refund.completed',
  'refund.completion_undone',
  'refund.created',
  'refund.details_submitted',
  'refund.details_read',
  'refund.reopened',
  'session.cancelled',
  'session.created',
  'settings.updated',
  'statement.cancelled',
  'statement.confirmed',
  'statement.imported',
  'statement.undone',
  'statement_mapping.updated',
  'subscription.cancelled',
  'subscription.created',
  'subscription.links_replaced',
  'subscription.method_changed',
  'subscription.paused',
  'subscription.payment_skipped',
  'subscription.resumed',
  'subscription.terms_changed',
  'subscription_link.created',
  'subscription_plan.created',
  'subscription_plan.updated',
  'test_clock.advanced',
  'transfer.assigned',
  'transfer.dismissed',
  'transfer.marked_as_duplicate',
  'transfer.returned',
  'transfer.unassigned',
  'transfer.unmarked_as_duplicate',
  'transfer.recorded',
  'transfer.simulated',
  'transfer.updated',
  'user.created',
  'user.updated',
  'user.email_change_requested',
  'user.notice_tested',
  'user.password_changed',
  'user.password_reset',
  'user.invited',
  'user.invitation_resent',
  'user.invitation_withdrawn',
  'user.removed',
  'user.two_factor_enabled',
  'user.two_factor_disabled',
  'user.recovery_code_used',
  'user.recovery_codes_regenerated',
  'user.signed_out_everywhere',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.tested',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** The author of a change, as recorded in an audit entry. */
export type AuditActor = {
  /** `user:usr_…`, `key:key_…`, `operator:usr_…`, `operator` for the command line, or `job` with an optional name. */
  actor: string;
  /** The IP address of the client; undefined for the command line and jobs. */
  ipAddress?: string | undefined;
};

/** An actor and the system time, because a test clock does not affect the audit trail. */
export type AuditContext = AuditActor & { now: SystemTime };

/** An option of operations that both merchants and their customers use. */
export type Audited = {
  /** Undefined for customers and jobs, whose changes are only in the event log. */
  audit?: AuditContext | undefined;
};

/** Returns the system time of an operation; a caller without an audit entry passes it as `now`. */
export function getSystemTime({ audit, now }: Audited & { now: MerchantTime }): SystemTime {
  return audit?.now ?? new Date(now);
}

export type AuditInput = AuditContext & {
  /** Undefined or null if the action concerns the whole installation. */
  merchantId?: string | null | undefined;
  mode?: Mode | undefined;
  action: AuditAction;
  objectId?: string | undefined;
  /** The changed values by name. Must not contain secrets or customer data. */
  detail?: Prisma.InputJsonObject;
};

/**
 * Writes an audit entry in the transaction of the change, and announces the object after the commit, because processes
 * may cache API keys and merchants. Entries are append-only.
 */
export async function recordAudit(uow: UnitOfWork, input: AuditInput): Promise<void> {
  await insertRows(uow.tx, 'audit_entry', [toAuditRow(input)]);
  const { objectId, merchantId, mode } = input;
  if (objectId && merchantId) announceChange(uow, { objectId, merchantId, mode });
}

export function toAuditRow(input: AuditInput) {
  return {
    id: newOrderedId('audit', input.now),
    merchantId: input.merchantId ?? null,
    mode: input.mode ?? null,
    actor: input.actor,
    action: input.action,
    objectId: input.objectId ?? null,
    detail: input.detail ?? {},
    ipAddress: input.ipAddress ?? null,
    createdAt: input.now,
  };
}
