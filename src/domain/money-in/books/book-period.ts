import type { Merchant, Mode } from '../../../../prisma/client/client.ts';
import { getDayStart, getNextDay } from '../../../kit/day-start.ts';

/**
 * A period from the day `from` to the day `to`, both inclusive, as `YYYY-MM-DD` in the merchant's time zone.
 */
export type BookPeriod = {
  merchant: Pick<Merchant, 'id' | 'timeZone'>;
  mode: Mode;
  from: string;
  to: string;
};

/** Returns the parameters $1 to $7 of `postingsSql`. */
export function toPostingParameters({ merchant, mode, from, to }: BookPeriod): unknown[] {
  const { id, timeZone } = merchant;
  const nextDay = getNextDay(to);
  return [
    ...[id, mode, getDayStart(from, timeZone), getDayStart(nextDay, timeZone)],
    ...[new Date(`${from}T00:00:00Z`), new Date(`${nextDay}T00:00:00Z`), timeZone],
  ];
}
