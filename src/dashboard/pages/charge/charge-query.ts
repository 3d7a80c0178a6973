import { userErrorFields } from '../../graphql/errors.ts';
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
      sellerName
      merchantAmount
      merchantCurrency
      customerAmount
      amountOffset
      customerCurrency
      exchangeRate {
        rate
        source
        effectiveAt
      }
      amountReceived
      amountReleased
      feeAmount
      amountDifference
      amountRefundable
      paymentState
      hasLatePayment
      hasOrderMismatch
      orders {
        orderId
        name
        quantity
        amount
      }
      destination {
        qrCode
        account
        accountName
        bank
        paymentReference
      }
      receivingAccount {
        id
        isDemo
        canCarryReference
      }
      session {
        id
      }
      customer {
        id
      }
      checkoutLink {
        id
        name
      }
      subscription {
        id
        subscriptionPlan {
          id
          name
        }
      }
      invoice {
        id
        number
      }
      notifyPayload
      note
      metadata {
        key
        value
      }
      notifyUrl
      redirectUrl
      expiresAt
      completedAt
      paymentUrl
      outstandingMessage
      receiptUrl
      createdAt
      events {
        id
        type
        actor {
          kind
          objectId
          name
        }
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
          isPaidAtDateOnly
          source
          bankReference
        }
      }
      refunds {
        ...RefundRow
        events {
          id
          type
          actor {
            kind
            objectId
            name
          }
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
          type
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

export const chargeUpdatedSubscription = graphql(`
  subscription ChargeUpdated($id: ID!) {
    chargeUpdated(id: $id) {
      id
      updatedAt
    }
  }
`);

export const updateChargeNoteMutation = graphql(
  `
    mutation UpdateChargeNote($input: UpdateChargeNoteInput!) {
      updateChargeNote(input: $input) {
        __typename
        ... on UpdateChargeNoteSuccess {
          charge {
            id
            note
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);
