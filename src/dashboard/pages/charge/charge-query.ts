import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { attemptRowFields } from '../notification/attempt-row.ts';
import { refundRowFields } from '../refund/refund-row.ts';

export const chargeQuery = graphql(
  `
  query Charge($id: ID!) {
    charge(id: $id) {
      id
      status
      method
      email
      phone
      firstName
      lastName
      merchantAmount
      merchantCurrency
      customerAmount
      amountAdded
      customerCurrency
      rate {
        rate
        source
        at
      }
      amountReceived
      amountDifference
      amountRefundable
      paymentState
      paidLate
      orders {
        id
        name
        quantity
        amount
      }
      destination {
        qrCode
        account
        accountName
        bank
        nonce
      }
      receivingAccount {
        demo
      }
      session {
        id
      }
      checkoutLink {
        id
      }
      subscription {
        id
        plan {
          id
          name
        }
      }
      invoice {
        id
        number
      }
      notifyPayload
      notifyUrl
      redirectUrl
      expiresAt
      completedAt
      createdAt
      events {
        id
        message
        actor
        createdAt
      }
      allocations {
        id
        amount
        reason
        createdAt
        transfer {
          id
          status
          amount
          currency
          reference
          payerName
          paidAt
          paidAtIsDate
          source
          bankReference
        }
      }
      refunds {
        ...RefundRow
        events {
          id
          message
          actor
          createdAt
        }
      }
      notifications {
        id
        kind
        url
        status
        nextAttemptAt
        event {
          id
          message
        }
        attempts {
          ...AttemptRow
        }
      }
    }
  }
`,
  [refundRowFields, attemptRowFields],
);

export type ChargeDetails = NonNullable<ResultOf<typeof chargeQuery>['charge']>;

export const chargeUpdated = graphql(`
  subscription ChargeUpdated($id: ID!) {
    chargeUpdated(id: $id) {
      id
      updatedAt
    }
  }
`);
