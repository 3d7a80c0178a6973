import { pageInfoFields } from '../../components/use-cursor.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql } from '../../graphql/graphql.ts';
import { planRowFields } from './plan-row.ts';

export const plansQuery = graphql(
  `
    query Plans($first: Int, $after: String, $last: Int, $before: String) {
      subscriptionPlans(first: $first, after: $after, last: $last, before: $before) {
        nodes {
          ...PlanRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [planRowFields, pageInfoFields],
);

export const planNamesQuery = graphql(
  `
    query PlanNames($after: String) {
      subscriptionPlans(first: 50, after: $after) {
        nodes {
          id
          name
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [pageInfoFields],
);

export const planPricesQuery = graphql(
  `
    query PlanPrices($after: String) {
      subscriptionPlans(first: 50, after: $after) {
        nodes {
          id
          name
          status
          currency
          recurringPayment {
            amount
          }
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [pageInfoFields],
);

export const planQuery = graphql(
  `
    query Plan($id: ID!) {
      subscriptionPlan(id: $id) {
        ...PlanRow
      }
    }
  `,
  [planRowFields],
);

export const createPlanMutation = graphql(
  `
    mutation CreatePlan($input: CreateSubscriptionPlanInput!) {
      createSubscriptionPlan(input: $input) {
        __typename
        ... on CreateSubscriptionPlanSuccess {
          subscriptionPlan {
            ...PlanRow
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [planRowFields, userErrorFields],
);

export const updatePlanMutation = graphql(
  `
    mutation UpdatePlan($input: UpdateSubscriptionPlanInput!) {
      updateSubscriptionPlan(input: $input) {
        __typename
        ... on UpdateSubscriptionPlanSuccess {
          subscriptionPlan {
            ...PlanRow
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [planRowFields, userErrorFields],
);

export const createSubscriptionLinkMutation = graphql(
  `
    mutation CreateSubscriptionLink($input: CreateSubscriptionLinkInput!) {
      createSubscriptionLink(input: $input) {
        __typename
        ... on CreateSubscriptionLinkSuccess {
          url
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);
