import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** All that the page of one refund shows; where the money goes only to those who may refund. */
export const refundQuery = graphql(`
  query Refund($id: ID!, $mayRefund: Boolean!) {
    refund(id: $id) {
      id
      status
      method
      customerAmount
      customerCurrency
      payoutReference
      reopenReason
      detailsUrl
      completedAt
      createdAt
      payoutExportedAt
      payouts {
        id
        reference
        paidAt
        transfer {
          id
        }
        returnedTransfer {
          id
        }
      }
      returnedPayout {
        id
      }
      payoutDetails @include(if: $mayRefund) {
        bank
        account
        holder
      }
      charge {
        id
        email
        phone
        firstName
        lastName
      }
      events {
        id
        message
        actor
        createdAt
      }
    }
  }
`);

export type RefundDetails = NonNullable<ResultOf<typeof refundQuery>['refund']>;

export const refundUpdated = graphql(`
  subscription RefundUpdated($id: ID!) {
    refundUpdated(id: $id) {
      id
      updatedAt
    }
  }
`);

export const createRefundMutation = graphql(`
  mutation CreateRefund($input: CreateRefundInput!) {
    createRefund(input: $input) {
      __typename
      ... on CreateRefundSuccess {
        refund {
          id
          detailsUrl
        }
      }
      ... on InvalidRequestError {
        errors {
          path
          message
        }
      }
      ... on Error {
        code
        message
      }
    }
  }
`);

export const cancelRefundMutation = graphql(`
  mutation CancelRefund($id: ID!) {
    cancelRefund(input: { id: $id }) {
      __typename
      ... on CancelRefundSuccess {
        refund {
          id
          status
        }
      }
      ... on Error {
        code
        message
      }
    }
  }
`);

export const completeRefundMutation = graphql(`
  mutation CompleteRefund($id: ID!) {
    completeRefund(input: { id: $id }) {
      __typename
      ... on CompleteRefundSuccess {
        refund {
          id
          status
        }
      }
      ... on Error {
        code
        message
      }
    }
  }
`);

export const reopenRefundMutation = graphql(`
  mutation ReopenRefund($id: ID!, $reason: String!) {
    reopenRefund(input: { id: $id, reason: $reason }) {
      __typename
      ... on ReopenRefundSuccess {
        refund {
          id
          status
        }
      }
      ... on Error {
        code
        message
      }
    }
  }
`);
