import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const periodSummaryFields = graphql(`
  fragment HomeSummary on PeriodSummary {
    currency
    rates {
      currency
      rate
      effectiveAt
    }
    unconvertedCurrencies
    current {
      from
      collected
      collectedCount
      refunded
      refundedCount
      createdCount
      completedCount
      pendingCount
      expiredCount
      cancelledCount
      medianSecondsToPay
    }
    previous {
      from
      before
      collected
      collectedCount
      refunded
      refundedCount
      createdCount
      completedCount
      pendingCount
      medianSecondsToPay
    }
    methods {
      method
      currency
      collected
      convertedAmount
      previousAmount
      chargeCount
      dailyAmounts
    }
    sellers {
      sellerId
      name
      currency
      collected
      refunded
      chargeCount
    }
  }
`);

export type HomeSummary = ResultOf<typeof periodSummaryFields>;
export type HomeMetrics = HomeSummary['current'];
