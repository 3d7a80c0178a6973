import { pageInfoFields } from '../../components/use-cursor.ts';
import { errorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

const webhookRowFields = graphql(`
  fragment WebhookRow on Webhook {
    id
    url
    username
    notificationVersion
    eventTypes
    concurrency
    ratePerSecond
    isSigned
    previousSecretExpiresAt
    failingSince
    pendingNotificationCount
    disabledAt
    disabledReason
  }
`);

export type WebhookRow = ResultOf<typeof webhookRowFields>;

export const webhooksQuery = graphql(
  `
    query Webhooks($first: Int, $after: String, $last: Int, $before: String) {
      webhooks(first: $first, after: $after, last: $last, before: $before) {
        nodes {
          ...WebhookRow
        }
        pageInfo {
          ...PageInfo
        }
      }
      alerts(open: true, first: 10) {
        totalCount
        nodes {
          id
          kind
          url
          detail
          notificationId
          receivingAccountId
          createdAt
        }
      }
    }
  `,
  [webhookRowFields, pageInfoFields],
);

export type AlertRow = ResultOf<typeof webhooksQuery>['alerts']['nodes'][number];

export const createWebhookMutation = graphql(
  `
    mutation CreateWebhook($input: CreateWebhookInput!) {
      createWebhook(input: $input) {
        __typename
        ... on CreateWebhookSuccess {
          webhook {
            ...WebhookRow
          }
          password
          signingSecret
        }
        ...Refusal
      }
    }
  `,
  [webhookRowFields, errorFields],
);

export const updateWebhookMutation = graphql(
  `
    mutation UpdateWebhook($input: UpdateWebhookInput!) {
      updateWebhook(input: $input) {
        __typename
        ... on UpdateWebhookSuccess {
          webhook {
            ...WebhookRow
          }
          signingSecret
        }
        ...Refusal
      }
    }
  `,
  [webhookRowFields, errorFields],
);

export const deleteWebhookMutation = graphql(
  `
    mutation DeleteWebhook($input: DeleteWebhookInput!) {
      deleteWebhook(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [errorFields],
);

export const rotateWebhookSecretMutation = graphql(
  `
    mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {
      rotateWebhookSecret(input: $input) {
        __typename
        ... on RotateWebhookSecretSuccess {
          signingSecret
        }
        ...Refusal
      }
    }
  `,
  [errorFields],
);

export const sendTestMutation = graphql(
  `
    mutation SendTestNotification($input: SendTestNotificationInput!) {
      sendTestNotification(input: $input) {
        __typename
        ... on SendTestNotificationSuccess {
          notifications {
            id
          }
        }
        ...Refusal
      }
    }
  `,
  [errorFields],
);

export const dismissAlertMutation = graphql(
  `
    mutation DismissAlert($input: DismissAlertInput!) {
      dismissAlert(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [errorFields],
);
