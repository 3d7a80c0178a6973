import { transact } from '../../../event/unit-of-work.ts';
import type { CurrencyCode } from '../../../kit/currency.ts';
import type { Db } from '../../../kit/db.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { announceRates, lockRates, manualSource } from './set-exchange-rate.ts';

/** Removes a manually set rate, so that the feed's rate applies again. Error: `invalid_request`. */
export async function removeExchangeRate(
  db: Db,
  options: AuditContext & { currency: CurrencyCode },
): Promise<CurrencyCode> {
  const { currency, actor, ipAddress, now } = options;
  return transact(db, async (uow) => {
    const { tx } = uow;
    await lockRates(tx);
    const before = await tx.forexRate.findUnique({
      where: { source_currency: { source: manualSource, currency } },
    });
    if (!before) throw invalidInputError('/currency', 'has no manually set rate');
    await tx.forexRate.delete({ where: { source_currency: { source: manualSource, currency } } });
    const detail = { currency, rate: { from: before.rate.toFixed(), to: null } };
    await recordAudit(uow, {
      actor,
      ipAddress,
      action: 'exchange_rate.removed',
      objectId: currency,
      detail,
      now,
    });
    announceRates(uow);
    return currency;
  });
}
