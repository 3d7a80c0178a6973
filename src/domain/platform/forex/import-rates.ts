import { transact } from '../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { Decimal } from '../../../kit/decimal.ts';
import { dayMs } from '../../../kit/duration.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { lockByName } from '../../../kit/lock-by-name.ts';
import { parseRates } from './parse-rates.ts';
import { crossBase as base } from './quotes.ts';

/** How far in the future a feed may be dated, because its date may be in another time zone. */
const futureLimitMs = dayMs;

/**
 * Stores the rates of a feed under its name. Replaces the rates that were stored for the feed before, unless
 * they are newer. A feed with another base than EUR must include a rate for EUR. Throws 400 with the reason.
 */
export async function importRates(
  db: Db,
  options: { text: string; source: string; now: Date },
): Promise<{ asOf: Date; currencies: string[] }> {
  const { source, now } = options;
  const feed = parseRates(options.text);
  if (feed.asOf.getTime() > now.getTime() + futureLimitMs)
    throw invalidInputError('/date', 'must not be in the future');
  const baseRate = feed.base === base ? new Decimal(1) : feed.rates.get(base);
  if (!baseRate) throw invalidInputError('/rates', `must contain a rate for ${base}, the base of all rates`);
  const rates = new Map([...feed.rates, [feed.base, new Decimal(1)] as const]);
  rates.delete(base);
  const rows = [...rates].map(([currency, rate]) => ({
    source,
    currency,
    base,
    rate,
    baseRate,
    asOf: feed.asOf,
    updatedAt: now,
  }));
  await transact(db, async ({ tx }) => {
    await lockRates(tx);
    await tx.forexRate.deleteMany({ where: { source, asOf: { lte: feed.asOf } } });
    await tx.forexRate.createMany({ data: rows, skipDuplicates: true });
  });
  return { asOf: feed.asOf, currencies: rows.map((row) => row.currency).sort() };
}

/** Serializes changes of rates, so that newer rates are kept, and a manual rate applies when it is set. */
export async function lockRates(tx: Tx): Promise<void> {
  await lockByName(tx, 'rates');
}
