import { sumDecimals } from '../../format/amount.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** What was collected on each of the last days, as the first page shows it. */
export const collectedDayFields = graphql(`
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

export type CollectedDayRow = ResultOf<typeof collectedDayFields>;

export type CollectedAmount = { currency: string; amount: string; charges: number };

/** One day by currency, whatever the method. */
export function getCollectedAmounts(day: CollectedDayRow | undefined): CollectedAmount[] {
  const byCurrency = Map.groupBy(day?.amounts ?? [], ({ currency }) => currency);
  return [...byCurrency].map(([currency, amounts]) => ({ currency, ...sumCollected(amounts) }));
}

export type CollectedSeries = CollectedAmount & {
  method: string;
  /** As many as there are days, in their order; `0` where nothing was collected. */
  days: { date: string; amount: string; charges: number }[];
};

/** A row of days for each currency and method in which anything was collected. */
export function toCollectedSeries(days: readonly CollectedDayRow[]): CollectedSeries[] {
  const all = days.flatMap(({ amounts }) => amounts);
  const groups = Map.groupBy(all, ({ currency, method }) => `${currency} ${method}`);
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([pair, groupAmounts]) => {
      const { currency, method } = groupAmounts[0]!;
      const seriesDays = days.map(({ date, amounts }) => {
        const match = amounts.find((amount) => `${amount.currency} ${amount.method}` === pair);
        return { date, amount: match?.amount ?? '0', charges: match?.charges ?? 0 };
      });
      return { currency, method, days: seriesDays, ...sumCollected(groupAmounts) };
    });
}

function sumCollected(amounts: readonly { amount: string; charges: number }[]) {
  return {
    amount: sumDecimals(amounts.map(({ amount }) => amount)),
    charges: amounts.reduce((total, { charges }) => total + charges, 0),
  };
}
