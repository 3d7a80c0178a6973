import { pageInfoFields } from '../../components/use-cursor.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';

export const merchantsQuery = graphql(
  `
    query Merchants($filter: MerchantFilter, $first: Int, $after: String, $last: Int, $before: String) {
      merchants(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        nodes {
          id
          name
          demo
          restrictedAccess
          accessRequestedAt
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

const detail = graphql(`
  fragment MerchantDetail on Merchant {
    id
    name
    demo
    restrictedAccess
    accessRequestedAt
    accessDeclineReason
    accessMonths {
      month
      volume
      missing
    }
    switchedOff
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
  [detail],
);

export type MerchantDetail = ResultOf<typeof detail>;

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
  [refusalFields],
);

export const grantMutation = graphql(
  `
    mutation GrantRestrictedAccess($input: GrantRestrictedAccessInput!) {
      grantRestrictedAccess(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [refusalFields],
);

export const declineMutation = graphql(
  `
    mutation DeclineRestrictedAccess($input: DeclineRestrictedAccessInput!) {
      declineRestrictedAccess(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [refusalFields],
);

export const disableMutation = graphql(
  `
    mutation DisableMerchant($input: DisableMerchantInput!) {
      disableMerchant(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [refusalFields],
);

export const switchMutation = graphql(
  `
    mutation SwitchOperations($input: SwitchOperationsInput!) {
      switchOperations(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [refusalFields],
);
