import type { Mode } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Tx } from '../../../kit/db.ts';
import { getLowestId, newId } from '../../../kit/id.ts';
import { isOfRunningMerchant } from '../../../kit/running-merchants.ts';
import {
  paymentReferenceCooldownDays,
  paymentReferenceCooldownMs,
  paymentReferenceCount,
} from '../../../method/payment-reference.ts';
import type { Service } from '../../platform/service.ts';
import type { AlertKind } from '../alert/alert-kind.ts';

type AlertReferencesOptions = { now: Date; signal?: AbortSignal; referenceCount?: number };
type ReferenceUsage = { id: string; used: number };

const alertKind: AlertKind = 'references_low';

/**
 * Alerts the merchant about each receiving account when half of its payment references are used or in cooldown, and
 * again only after fewer were used. Counts the references only for methods with enough charges in the monthly totals,
 * so that the hourly run is cheap. Returns the number of new alerts.
 */
export async function alertLowReferences(service: Service, options: AlertReferencesOptions): Promise<number> {
  const { now, signal, referenceCount = paymentReferenceCount } = options;
  const since = new Date(now.getTime() - paymentReferenceCooldownMs);
  const threshold = referenceCount / 2;
  const usages: ReferenceUsage[] = [];
  for (const method of await findBusyMethods(service, { since, threshold })) {
    if (signal?.aborted) return 0;
    usages.push(...(await countUsedReferences(service, { ...method, since, threshold })));
  }
  return transact(service, ({ tx }) => alertLowAccounts(tx, usages, { now, service, referenceCount }));
}

type BusyMethod = { merchantId: string; mode: Mode; method: string };

/**
 * Returns the methods of which an account may have reached the threshold. The precomputed charge counts are
 * per method, so they are an upper bound for each account of the method.
 */
function findBusyMethods(service: Service, { since, threshold }: { since: Date; threshold: number }) {
  return service.prisma.$queryRaw<BusyMethod[]>`
    SELECT merchant.id AS "merchantId", modes.mode, busy.method
    FROM merchant CROSS JOIN (VALUES ('live'::mode), ('sandbox')) AS modes (mode) CROSS JOIN LATERAL (
      SELECT method FROM charge_count
      WHERE charge_count.merchant_id = merchant.id AND charge_count.mode = modes.mode AND grain = 'month'
        AND start >= date_trunc('month', ${since} AT TIME ZONE 'UTC')
      GROUP BY method HAVING sum(count) >= ${threshold}) busy
    WHERE merchant.move_status IS NULL`;
}

function countUsedReferences(
  service: Service,
  { merchantId, mode, method, since, threshold }: BusyMethod & { since: Date; threshold: number },
): Promise<ReferenceUsage[]> {
  return service.prisma.$queryRaw<ReferenceUsage[]>`
    SELECT receiving_account_id AS id, count(*)::int AS used FROM charge
    WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode AND id >= ${getLowestId('charge', since)}
      AND method = ${method}
    GROUP BY receiving_account_id HAVING count(*) >= ${threshold}`;
}

type LowAccount = { id: string; merchantId: string; mode: Mode };

async function alertLowAccounts(
  tx: Tx,
  usages: readonly ReferenceUsage[],
  { now, service, referenceCount }: { now: Date; service: Service; referenceCount: number },
): Promise<number> {
  const usedCounts = new Map(usages.map((account) => [account.id, account.used]));
  const ids = [...usedCounts.keys()];
  await tx.$executeRaw`
    UPDATE receiving_account SET references_low_at = NULL
    WHERE references_low_at IS NOT NULL AND id <> ALL(${ids}::text[]) AND ${isOfRunningMerchant}`;
  const accounts = await tx.$queryRaw<LowAccount[]>`
    UPDATE receiving_account SET references_low_at = ${now}
    WHERE references_low_at IS NULL AND id = ANY(${ids}::text[]) AND ${isOfRunningMerchant}
    RETURNING id, merchant_id AS "merchantId", mode`;
  await tx.alert.createMany({
    data: accounts.map(({ id: receivingAccountId, merchantId, mode }) => ({
      id: newId('alert', now),
      merchantId,
      mode,
      kind: alertKind,
      receivingAccountId,
      url: `${service.settings.publicUrl}/dashboard/receiving-accounts/${receivingAccountId}`,
      detail: `${usedCounts.get(receivingAccountId)} of ${referenceCount} references used in the last ${paymentReferenceCooldownDays} days`,
      dedupeKey: `${alertKind} ${receivingAccountId} ${now.toISOString()}`,
      createdAt: now,
    })),
  });
  return accounts.length;
}
