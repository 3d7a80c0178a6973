import { pageInfoFields } from '../../components/use-cursor.ts';
import { errorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const merchantsQuery = graphql(
  `
    query Merchants($filter: MerchantFilter, $first: Int, $after: String, $last: Int, $before: String) {
      merchants(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        nodes {
          id
          name
          isDemo
          restrictedAccess
          restrictedAccessRequestedAt
          disabledAt
          createdAt
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [pageInfoFields],
);

export type MerchantRow = ResultOf<typeof merchantsQuery>['merchants']['nodes'][number];

const merchantDetailFields = graphql(`
  fragment MerchantDetail on Merchant {
    id
    name
    isDemo
    restrictedAccess
    restrictedAccessRequestedAt
    restrictedAccessDeclineReason
    monthlyVolumes {
      month
      volumeUsd
      shortfallUsd
    }
    disabledOperations
    disabledAt
    createdAt
  }
`);

export const merchantQuery = graphql(
  `
    query Merchant($id: ID!) {
      merchant(id: $id) {
        ...MerchantDetail
      }
    }
  `,
  [merchantDetailFields],
);

export type MerchantDetail = ResultOf<typeof merchantDetailFields>;

export const createMerchantMutation = graphql(
  `
    mutation CreateMerchant($input: CreateMerchantInput!) {
      createMerchant(input: $input) {
        __typename
        ... on CreateMerchantSuccess {
          merchant {
            id
          }
        }
        ...Refusal
      }
    }
  `,
  [errorFields],
);

export const grantAccessMutation = graphql(
  `
    mutation GrantRestrictedAccess($input: GrantRestrictedAccessInput!) {
      grantRestrictedAccess(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [errorFields],
);

export const declineAccessMutation = graphql(
  `
    mutation DeclineRestrictedAccess($input: DeclineRestrictedAccessInput!) {
      declineRestrictedAccess(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [errorFields],
);

export const setMerchantEnabledMutation = graphql(
  `
    mutation SetMerchantEnabled($input: SetMerchantEnabledInput!) {
      setMerchantEnabled(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [errorFields],
);

export const setOperationsEnabledMutation = graphql(
  `
    mutation SetOperationsEnabled($input: SetOperationsEnabledInput!) {
      setOperationsEnabled(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [errorFields],
);
