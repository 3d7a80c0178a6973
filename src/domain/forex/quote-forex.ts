import type { Mode } from '../../../prisma/client/client.ts';
import { isCurrencyCode } from '../../kit/currency.ts';
import type { Db } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import { type Money, parseMoney } from '../../kit/money.ts';
import { convert } from './convert.ts';
import { getRate, type Rate } from './rate.ts';

/** What an amount comes to in another currency, by the very rates charges use. Errors: as getRate, `invalid_request`. */
export async function quoteForex(
  db: Db,
  options: {
    sourceCurrency: string;
    sourceAmount: string | number;
    destinationCurrency: string;
    mode: Mode;
    demo: boolean;
    now: Date;
  },
): Promise<{ amount: Money; rate: Rate }> {
  const { sourceCurrency: from, destinationCurrency: to, mode, demo, now } = options;
  const source = parseMoney(options.sourceAmount, from, '/sourceAmount');
  if (!isCurrencyCode(to)) throw new DomainError('currency_unsupported', `${to} is no supported currency`);
  const rate = await getRate(db, { from, to, mode, demo, now });
  return { amount: convert(source, rate.rate, to), rate };
}
