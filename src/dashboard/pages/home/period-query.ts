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
      collectedAmount
      collectedCount
      refundedAmount
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
      collectedAmount
      collectedCount
      refundedAmount
      refundedCount
      createdCount
      completedCount
      pendingCount
      medianSecondsToPay
    }
    methods {
      method
      currency
      collectedAmount
      convertedAmount
      previousAmount
      chargeCount
      dailyAmounts
    }
    sellers {
      sellerId
      name
      currency
      collectedAmount
      refundedAmount
      chargeCount
    }
  }
`);

export type HomeSummary = ResultOf<typeof periodSummaryFields>;
export type HomeMetrics = HomeSummary['current'];
