import { pageInfoFields } from '../../components/use-cursor.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

const webhookRowFields = graphql(`
  fragment WebhookRow on Webhook {
    id
    name
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

export type WebhookVersion = WebhookRow['notificationVersion'];

/** Converts a version of the API, such as `v1_0`, to its form in notifications, such as `1.0`. */
export function formatVersion(version: WebhookVersion): string {
  return version.slice(1).replace('_', '.');
}

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
      alerts(filter: { isDismissed: false }, first: 10) {
        totalCount
        nodes {
          id
          kind
          url
          detail
          notification {
            id
          }
          receivingAccount {
            id
          }
          bankFeed {
            id
            name
          }
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
        ...UserErrorFields
      }
    }
  `,
  [webhookRowFields, userErrorFields],
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
        ...UserErrorFields
      }
    }
  `,
  [webhookRowFields, userErrorFields],
);

export const deleteWebhookMutation = graphql(
  `
    mutation DeleteWebhook($input: DeleteWebhookInput!) {
      deleteWebhook(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const rotateWebhookSecretMutation = graphql(
  `
    mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {
      rotateWebhookSecret(input: $input) {
        __typename
        ... on RotateWebhookSecretSuccess {
          signingSecret
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
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
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const dismissAlertMutation = graphql(
  `
    mutation DismissAlert($input: DismissAlertInput!) {
      dismissAlert(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);
