import type { ForexRate } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import { type CurrencyCode, isCurrencyCode } from '../../../kit/currency.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { Decimal } from '../../../kit/decimal.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { ratesTopic } from '../../../live/read-cache.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { lockRates } from './import-rates.ts';
import { rateMax, rateMin } from './parse-rates.ts';
import { crossBase } from './quotes.ts';

/** The source of manually set rates. No feed has this name, because a feed is named by its host and path. */
const manualSource = 'manual';

const digitsMax = 20;

/**
 * Sets the rate of a currency manually, in units per euro. The rate applies until a feed has one with a later
 * date than now, or than its present rate if that is dated in the future. Error: `invalid_request`.
 */
export async function setExchangeRate(
  db: Db,
  options: AuditContext & { currency: CurrencyCode; rate: string },
): Promise<ForexRate> {
  const { currency, actor, ipAddress, now } = options;
  if (!isCurrencyCode(currency)) throw invalidInputError('/currency', 'must be an ISO 4217 currency');
  if (currency === crossBase)
    throw invalidInputError('/currency', `must not be ${crossBase}, the base of all rates`);
  const rate = new Decimal(options.rate);
  if (rate.lt(rateMin) || rate.gt(rateMax))
    throw invalidInputError('/rate', `must be from ${rateMin} to ${rateMax}`);
  if (rate.precision() > digitsMax) throw invalidInputError('/rate', `must have at most ${digitsMax} digits`);
  return transact(db, async (uow) => {
    const { tx } = uow;
    await lockRates(tx);
    const where = { source_currency: { source: manualSource, currency } };
    const before = await tx.forexRate.findUnique({ where });
    const asOf = await chooseDate(tx, { currency, now });
    const data = { base: crossBase, rate, baseRate: 1, asOf, updatedAt: now, setBy: actor };
    const row = await tx.forexRate.upsert({
      where,
      create: { source: manualSource, currency, ...data },
      update: data,
    });
    const detail = { currency, rate: { from: before?.rate.toFixed() ?? null, to: rate.toFixed() } };
    await recordAudit(uow, {
      actor,
      ipAddress,
      action: 'exchange_rate.set',
      objectId: currency,
      detail,
      now,
    });
    announceRates(uow);
    return row;
  });
}

/** Returns the current time or, if a feed has a rate dated in the future, the time just after that date. */
async function chooseDate(tx: Tx, { currency, now }: { currency: CurrencyCode; now: Date }): Promise<Date> {
  const newest = await tx.forexRate.findFirst({
    where: { currency, base: crossBase, source: { not: manualSource } },
    orderBy: { asOf: 'desc' },
  });
  return newest && newest.asOf >= now ? new Date(newest.asOf.getTime() + 1) : now;
}

/**
 * Clears the rates cached in this process on commit; the trigger `forex_rate_changed` notifies the other
 * processes.
 */
function announceRates(uow: UnitOfWork): void {
  announceChange(uow, { objectId: ratesTopic });
}

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
