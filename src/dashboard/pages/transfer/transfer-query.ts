import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { chargeRowFields } from '../charge/charge-row.ts';
import { transferRowFields } from './transfer-row.ts';

export const transferQuery = graphql(
  `
    query Transfer($id: ID!) {
      transfer(id: $id) {
        ...TransferRow
        createdAt
        undoneAt
        note
        assignee {
          kind
          objectId
          name
        }
        duplicateOf {
          ...TransferRow
        }
        duplicateMark {
          createdAt
          actor {
            kind
            objectId
            name
          }
        }
        duplicateCandidates {
          ...TransferRow
          statement {
            id
            fileName
          }
        }
        suggestions {
          reasons
          charge {
            ...ChargeRow
          }
        }
        suggestedSplit {
          amount
          charge {
            ...ChargeRow
          }
        }
        allocations {
          id
          amount
          actor {
            kind
            objectId
            name
          }
          reason
          note
          createdAt
          charge {
            ...ChargeRow
            subscription {
              id
            }
          }
        }
      }
    }
  `,
  [transferRowFields, chargeRowFields],
);

export type TransferDetails = NonNullable<ResultOf<typeof transferQuery>['transfer']>;

export const assignTransferMutation = graphql(
  `
    mutation AssignTransfer($input: AssignTransferInput!) {
      assignTransfer(input: $input) {
        __typename
        ... on AssignTransferSuccess {
          transfer {
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

export const dismissTransfersMutation = graphql(
  `
    mutation DismissTransfers($input: DismissTransfersInput!) {
      dismissTransfers(input: $input) {
        __typename
        ... on DismissTransfersSuccess {
          transfers {
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

export const updateTransfersMutation = graphql(
  `
    mutation UpdateTransfers($input: UpdateTransfersInput!) {
      updateTransfers(input: $input) {
        __typename
        ... on UpdateTransfersSuccess {
          transfers {
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

export const createChargeForTransferMutation = graphql(
  `
    mutation CreateChargeForTransfer($input: CreateChargeForTransferInput!) {
      createChargeForTransfer(input: $input) {
        __typename
        ... on CreateChargeForTransferSuccess {
          transfer {
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

export const splitTransferMutation = graphql(
  `
    mutation SplitTransfer($input: SplitTransferInput!) {
      splitTransfer(input: $input) {
        __typename
        ... on SplitTransferSuccess {
          transfer {
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

export const returnTransferMutation = graphql(
  `
    mutation ReturnTransfer($input: ReturnTransferInput!) {
      returnTransfer(input: $input) {
        __typename
        ... on ReturnTransferSuccess {
          transfer {
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

export const unassignTransferMutation = graphql(
  `
    mutation UnassignTransfer($input: UnassignTransferInput!) {
      unassignTransfer(input: $input) {
        __typename
        ... on UnassignTransferSuccess {
          transfer {
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

export const markAsDuplicateMutation = graphql(
  `
    mutation MarkTransferAsDuplicate($input: MarkTransferAsDuplicateInput!) {
      markTransferAsDuplicate(input: $input) {
        __typename
        ... on MarkTransferAsDuplicateSuccess {
          transfer {
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
