import { sumDecimals } from '../../format/amount.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** What was collected on each of the last days, as the first page shows it. */
export const collectedDay = graphql(`
  fragment CollectedDay on CollectedDay {
    date
    amounts {
      currency
      method
      amount
      charges
    }
  }
`);

export type Day = ResultOf<typeof collectedDay>;

export type Collected = { currency: string; amount: string; charges: number };

/** One day by currency, whatever the method. */
export function collectedOn(day: Day | undefined): Collected[] {
  const byCurrency = Map.groupBy(day?.amounts ?? [], ({ currency }) => currency);
  return [...byCurrency].map(([currency, amounts]) => ({ currency, ...totalOf(amounts) }));
}

export type Series = Collected & {
  method: string;
  /** As many as there are days, in their order; `0` where nothing was collected. */
  days: { date: string; amount: string; charges: number }[];
};

/** A row of days for each currency and method in which anything was collected. */
export function seriesOf(days: readonly Day[]): Series[] {
  const all = days.flatMap(({ amounts }) => amounts);
  const pairs = Map.groupBy(all, ({ currency, method }) => `${currency} ${method}`);
  return [...pairs]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([pair, found]) => {
      const { currency, method } = found[0]!;
      const row = days.map(({ date, amounts }) => {
        const one = amounts.find((amount) => `${amount.currency} ${amount.method}` === pair);
        return { date, amount: one?.amount ?? '0', charges: one?.charges ?? 0 };
      });
      return { currency, method, days: row, ...totalOf(found) };
    });
}

function totalOf(amounts: readonly { amount: string; charges: number }[]) {
  return {
    amount: sumDecimals(amounts.map(({ amount }) => amount)),
    charges: amounts.reduce((total, { charges }) => total + charges, 0),
  };
}
