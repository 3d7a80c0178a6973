import { pageInfoFields } from '../../components/use-cursor.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

const activityFields = graphql(`
  fragment MerchantActivity on MerchantActivity {
    chargeCount
    volumeUsd
    lastChargeAt
  }
`);

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
          moveStatus
          movedTo
          createdAt
          activity {
            ...MerchantActivity
          }
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [pageInfoFields, activityFields],
);

export type MerchantRow = ResultOf<typeof merchantsQuery>['merchants']['nodes'][number];

const merchantDetailFields = graphql(
  `
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
    moveStatus
    movedTo
    movedAt
    createdAt
    activity {
      ...MerchantActivity
    }
  }
`,
  [activityFields],
);

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

export const operationNamesQuery = graphql(`
  query OperationNames {
    operationNames
  }
`);

export const createMerchantMutation = graphql(
  `
    mutation CreateMerchant($input: CreateMerchantInput!) {
      createMerchant(input: $input) {
        __typename
        ... on CreateMerchantSuccess {
          merchant {
            id
          }
          invitationUrl
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const grantAccessMutation = graphql(
  `
    mutation GrantRestrictedAccess($input: GrantRestrictedAccessInput!) {
      grantRestrictedAccess(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const declineAccessMutation = graphql(
  `
    mutation DeclineRestrictedAccess($input: DeclineRestrictedAccessInput!) {
      declineRestrictedAccess(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const setMerchantEnabledMutation = graphql(
  `
    mutation SetMerchantEnabled($input: SetMerchantEnabledInput!) {
      setMerchantEnabled(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const setOperationsEnabledMutation = graphql(
  `
    mutation SetOperationsEnabled($input: SetOperationsEnabledInput!) {
      setOperationsEnabled(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);
