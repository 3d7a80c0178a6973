import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { hourMs } from '../../../kit/duration.ts';
import { newOrderedId } from '../../../kit/id.ts';
import type { Secrets } from '../../../kit/secrets.ts';
import type { PayoutDetails } from '../../../method/payout-details.ts';
import type { RequestContext } from '../../accounts/api-key/permissions.ts';
import { decryptPayoutDetails } from './decrypt-payout-details.ts';

const action = 'refund.details_read';

/**
 * One audit entry covers all reads of a refund by one caller within this time, because an open page reloads
 * at each change.
 */
const auditIntervalMs = hourMs;

/**
 * Returns payout details by refund ID. Records the access in the audit trail before it decrypts any details.
 */
export async function readAuditedPayoutDetails(
  service: Db & { secrets: Secrets },
  options: RequestContext & { ids: readonly string[] },
): Promise<Map<string, PayoutDetails>> {
  const { caller, ipAddress, ids, now } = options;
  const scope = { merchantId: caller.merchant.id, mode: caller.mode };
  const { actor } = caller;
  const rows = await service.prisma.refund.findMany({
    where: { id: { in: [...ids] }, ...scope, detailsEncrypted: { not: null } },
    select: { id: true, detailsEncrypted: true },
  });
  const since = new Date(now.getTime() - auditIntervalMs);
  const entryIds = rows.map(() => newOrderedId('audit', now));
  const refundIds = rows.map(({ id }) => id);
  await transact(
    service,
    ({ tx }) => tx.$executeRaw`
      INSERT INTO audit_entry (id, merchant_id, mode, actor, action, object_id, detail, ip_address, created_at)
      SELECT entry.id, ${scope.merchantId}, ${scope.mode}::mode, ${actor}, ${action}, entry.refund_id, '{}',
             ${ipAddress ?? null}, ${now}
      FROM unnest(${entryIds}::text[], ${refundIds}::text[]) AS entry (id, refund_id)
      WHERE NOT EXISTS (
        SELECT 1 FROM audit_entry AS recent
        WHERE recent.merchant_id = ${scope.merchantId} AND recent.object_id = entry.refund_id
          AND recent.action = ${action} AND recent.actor = ${actor} AND recent.created_at > ${since})`,
  );
  const details = new Map<string, PayoutDetails>();
  for (const row of rows) details.set(row.id, (await decryptPayoutDetails(service.secrets, row))!);
  return details;
}
