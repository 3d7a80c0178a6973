import type { Mode } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Tx } from '../../../kit/db.ts';
import { lowestIdAt, newId } from '../../../kit/id.ts';
import { paymentReferenceCooldownMs, paymentReferenceCount } from '../../../method/payment-reference.ts';
import type { Service } from '../../platform/service.ts';
import type { AlertKind } from '../alert/alert-kind.ts';

type WatchReferencesOptions = { now: Date; signal?: AbortSignal; referencesMax?: number };
type ReferenceUsage = { id: string; used: number };

const kind: AlertKind = 'references_low';

/**
 * Alerts the merchant, once, about each receiving account with half of its payment references used or in
 * cooldown. Counts only accounts of methods whose monthly totals reach that half, so the hourly run is cheap.
 * Returns the number of alerted accounts.
 */
export async function watchReferences(service: Service, options: WatchReferencesOptions): Promise<number> {
  const { now, signal, referencesMax = paymentReferenceCount } = options;
  const since = new Date(now.getTime() - paymentReferenceCooldownMs);
  const half = referencesMax / 2;
  const lowUsages: ReferenceUsage[] = [];
  for (const method of await findBusyMethods(service, { since, half })) {
    if (signal?.aborted) return 0;
    lowUsages.push(...(await countUsedReferences(service, { ...method, since, half })));
  }
  return transact(service, ({ tx }) => alertLowAccounts(tx, lowUsages, { now, service, referencesMax }));
}

type BusyMethod = { merchantId: string; mode: Mode; method: string };

/**
 * Finds candidates by the precomputed charge counts, which are per method and therefore an upper bound for an
 * account.
 */
function findBusyMethods(service: Service, { since, half }: { since: Date; half: number }) {
  return service.prisma.$queryRaw<BusyMethod[]>`
    SELECT merchant.id AS "merchantId", modes.mode, busy.method
    FROM merchant CROSS JOIN (VALUES ('live'::mode), ('sandbox')) AS modes (mode) CROSS JOIN LATERAL (
      SELECT method FROM charge_count
      WHERE charge_count.merchant_id = merchant.id AND charge_count.mode = modes.mode AND grain = 'month'
        AND start >= date_trunc('month', ${since} AT TIME ZONE 'UTC')
      GROUP BY method HAVING sum(count) >= ${half}) busy`;
}

function countUsedReferences(
  service: Service,
  { merchantId, mode, method, since, half }: BusyMethod & { since: Date; half: number },
): Promise<ReferenceUsage[]> {
  return service.prisma.$queryRaw<ReferenceUsage[]>`
    SELECT receiving_account_id AS id, count(*)::int AS used FROM charge
    WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode AND id >= ${lowestIdAt('charge', since)}
      AND method = ${method}
    GROUP BY receiving_account_id HAVING count(*) >= ${half}`;
}

type LowAccount = { id: string; merchantId: string; mode: Mode };

async function alertLowAccounts(
  tx: Tx,
  usages: readonly ReferenceUsage[],
  { now, service, referencesMax }: { now: Date; service: Service; referencesMax: number },
): Promise<number> {
  const usedCounts = new Map(usages.map((account) => [account.id, account.used]));
  const ids = [...usedCounts.keys()];
  await tx.$executeRaw`
    UPDATE receiving_account SET references_low_at = NULL
    WHERE references_low_at IS NOT NULL AND id <> ALL(${ids}::text[])`;
  const accounts = await tx.$queryRaw<LowAccount[]>`
    UPDATE receiving_account SET references_low_at = ${now}
    WHERE references_low_at IS NULL AND id = ANY(${ids}::text[])
    RETURNING id, merchant_id AS "merchantId", mode`;
  await tx.alert.createMany({
    data: accounts.map(({ id: receivingAccountId, merchantId, mode }) => ({
      id: newId('alert', now),
      merchantId,
      mode,
      kind,
      receivingAccountId,
      url: `${service.settings.publicUrl}/dashboard/receiving-accounts/${receivingAccountId}`,
      detail: `${usedCounts.get(receivingAccountId)} of ${referencesMax} references used in the last 180 days`,
      dedupeKey: `${kind} ${receivingAccountId} ${now.toISOString()}`,
      createdAt: now,
    })),
  });
  return accounts.length;
}
