import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** Loads a refund. `mayRefund` includes the payout details, which need the permission `refund`. */
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
        payoutReference
        paidAt
        transfer {
          id
        }
        returnTransfer {
          id
        }
      }
      unresolvedReturnTransfer {
        id
      }
      payoutScheme
      payoutCountry
      payerAccounts @include(if: $mayRefund) {
        account
        name
      }
      payoutDetails @include(if: $mayRefund) {
        bank
        account
        accountName
      }
      reason
      note
      completionUndoneAt
      charge {
        id
        customer {
          id
        }
        email
        phone
        firstName
        lastName
      }
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
  }
`);

export type RefundDetails = NonNullable<ResultOf<typeof refundQuery>['refund']>;

export const refundLinkQuery = graphql(`
  query RefundLink($id: ID!) {
    refund(id: $id) {
      id
      detailsUrl
    }
  }
`);

export const refundUpdated = graphql(`
  subscription RefundUpdated($id: ID!) {
    refundUpdated(id: $id) {
      id
      updatedAt
    }
  }
`);

export const createRefundMutation = graphql(
  `
    mutation CreateRefund($input: CreateRefundInput!) {
      createRefund(input: $input) {
        __typename
        ... on CreateRefundSuccess {
          refund {
            id
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const submitRefundDetailsMutation = graphql(
  `
    mutation SubmitRefundDetails($input: SubmitRefundDetailsInput!) {
      submitRefundDetails(input: $input) {
        __typename
        ... on SubmitRefundDetailsSuccess {
          refund {
            id
            status
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const cancelRefundMutation = graphql(
  `
    mutation CancelRefund($input: CancelRefundInput!) {
      cancelRefund(input: $input) {
        __typename
        ... on CancelRefundSuccess {
          refund {
            id
            status
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const completeRefundMutation = graphql(
  `
    mutation CompleteRefund($input: CompleteRefundInput!) {
      completeRefund(input: $input) {
        __typename
        ... on CompleteRefundSuccess {
          refund {
            id
            status
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const reopenRefundMutation = graphql(
  `
    mutation ReopenRefund($input: ReopenRefundInput!) {
      reopenRefund(input: $input) {
        __typename
        ... on ReopenRefundSuccess {
          refund {
            id
            status
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const undoRefundCompletionMutation = graphql(
  `
    mutation UndoRefundCompletion($input: UndoRefundCompletionInput!) {
      undoRefundCompletion(input: $input) {
        __typename
        ... on UndoRefundCompletionSuccess {
          refund {
            id
            status
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);
