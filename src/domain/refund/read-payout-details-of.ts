import { type Db, transact } from '../../kit/db.ts';
import { hourMs } from '../../kit/duration.ts';
import { newOrderedId } from '../../kit/id.ts';
import type { Secrets } from '../../kit/secrets.ts';
import type { PayoutDetails } from '../../method/payout-details.ts';
import type { Acting } from '../api-key/permissions.ts';
import { readPayoutDetails } from './read-payout-details.ts';

const action = 'refund.details_read';

/** A page that is open reads again at each change: one entry covers the reads of a caller within this time. */
const oneEntryMs = hourMs;

/**
 * Where the customers want the money of refunds, by the id of the refund. Who reads it is recorded in the audit trail
 * before anything is handed out.
 */
export async function readPayoutDetailsOf(
  service: Db & { secrets: Secrets },
  options: Acting & { ids: readonly string[] },
): Promise<Map<string, PayoutDetails>> {
  const { caller, address, ids, now } = options;
  const owner = { merchantId: caller.merchant.id, mode: caller.mode };
  const { actor } = caller;
  const rows = await service.prisma.refund.findMany({
    where: { id: { in: [...ids] }, ...owner, detailsEncrypted: { not: null } },
    select: { id: true, detailsEncrypted: true },
  });
  const since = new Date(now.getTime() - oneEntryMs);
  await transact(service, async (tx) => {
    const recorded = await tx.auditEntry.findMany({
      where: {
        ...owner,
        actor,
        action,
        objectId: { in: rows.map(({ id }) => id) },
        createdAt: { gt: since },
      },
      select: { objectId: true },
    });
    const known = new Set(recorded.map(({ objectId }) => objectId));
    const unknown = rows.filter(({ id }) => !known.has(id));
    const entry = { ...owner, actor, action, address: address ?? null, detail: {}, createdAt: now };
    await tx.auditEntry.createMany({
      data: unknown.map(({ id }) => ({ ...entry, id: newOrderedId('audit', now), objectId: id })),
    });
  });
  const details = new Map<string, PayoutDetails>();
  for (const row of rows) details.set(row.id, (await readPayoutDetails(service.secrets, row))!);
  return details;
}
