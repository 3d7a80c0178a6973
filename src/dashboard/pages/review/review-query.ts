import { pageInfoFields } from '../../components/use-cursor.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { transferRowFields } from '../transfer/transfer-row.ts';

export const reviewQuery = graphql(
  `
    query Review($filter: TransferFilter!, $first: Int, $after: String, $last: Int, $before: String) {
      transfers(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        totalCount
        nodes {
          ...TransferRow
          undoneAt
          note
          assignee {
            kind
            objectId
            name
          }
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [transferRowFields, pageInfoFields],
);

export type ReviewRow = ResultOf<typeof reviewQuery>['transfers']['nodes'][number];

export const ignoreRulesQuery = graphql(
  `
    query IgnoreRules($after: String) {
      receivingAccounts(first: 50, after: $after) {
        nodes {
          id
          method
          account
          ignoredTexts
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [pageInfoFields],
);

export const ignoreRulePreviewQuery = graphql(
  `
    query IgnoreRulePreview($receivingAccountId: ID!, $text: String!) {
      ignoreRulePreview(receivingAccountId: $receivingAccountId, text: $text) {
        count
        unmatchedCount
        assignedCount
        transfers {
          ...TransferRow
        }
      }
    }
  `,
  [transferRowFields],
);

export const createIgnoreRuleMutation = graphql(
  `
    mutation CreateIgnoreRule($input: CreateIgnoreRuleInput!) {
      createIgnoreRule(input: $input) {
        __typename
        ... on CreateIgnoreRuleSuccess {
          dismissedCount
          receivingAccount {
            id
            ignoredTexts
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const deleteIgnoreRuleMutation = graphql(
  `
    mutation DeleteIgnoreRule($input: DeleteIgnoreRuleInput!) {
      deleteIgnoreRule(input: $input) {
        __typename
        ... on DeleteIgnoreRuleSuccess {
          receivingAccount {
            id
            ignoredTexts
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);
