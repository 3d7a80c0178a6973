import { sumDecimals } from '../../format/amount.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** The amounts collected on each of the last days, for the home page. */
export const collectedDayFields = graphql(`
  fragment CollectedDay on DailyCollectedAmounts {
    date
    amounts {
      currency
      method
      amount
      chargeCount
    }
  }
`);

export type CollectedDayRow = ResultOf<typeof collectedDayFields>;

export type CollectedAmount = { currency: string; amount: string; chargeCount: number };

/** Returns the amount collected on a day in each currency, over all methods. */
export function getCollectedAmounts(day: CollectedDayRow | undefined): CollectedAmount[] {
  const byCurrency = Map.groupBy(day?.amounts ?? [], ({ currency }) => currency);
  return [...byCurrency].map(([currency, amounts]) => ({ currency, ...sumCollected(amounts) }));
}

export type CollectedSeries = CollectedAmount & {
  method: string;
  /** One entry per day, in order; the amount is `0` if nothing was collected. */
  days: { date: string; amount: string; chargeCount: number }[];
};

/** Returns one series of days for each currency and method with collected amounts. */
export function toCollectedSeries(days: readonly CollectedDayRow[]): CollectedSeries[] {
  const all = days.flatMap(({ amounts }) => amounts);
  const groups = Map.groupBy(all, ({ currency, method }) => `${currency} ${method}`);
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([pair, groupAmounts]) => {
      const { currency, method } = groupAmounts[0]!;
      const seriesDays = days.map(({ date, amounts }) => {
        const match = amounts.find((amount) => `${amount.currency} ${amount.method}` === pair);
        return { date, amount: match?.amount ?? '0', chargeCount: match?.chargeCount ?? 0 };
      });
      return { currency, method, days: seriesDays, ...sumCollected(groupAmounts) };
    });
}

function sumCollected(amounts: readonly { amount: string; chargeCount: number }[]) {
  return {
    amount: sumDecimals(amounts.map(({ amount }) => amount)),
    chargeCount: amounts.reduce((total, { chargeCount }) => total + chargeCount, 0),
  };
}
