import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const reconciliationQuery = graphql(`
  query Reconciliation($from: Date!, $to: Date!) {
    reconciliation(from: $from, to: $to) {
      from
      to
      timeZone
      lines {
        currency
        opening
        received
        matched
        partial
        exceptions
        returned
        refunded
        closing
        otherOutgoing
        receivingAccount {
          id
          method
          bank
          account
        }
      }
    }
  }
`);

export type ReconciliationLine = ResultOf<typeof reconciliationQuery>['reconciliation']['lines'][number];
