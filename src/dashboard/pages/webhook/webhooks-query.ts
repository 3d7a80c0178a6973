import { graphql, type ResultOf } from '../../graphql/graphql.ts';

const webhookRow = graphql(`
  fragment WebhookRow on Webhook {
    id
    url
    username
    version
    messages
    concurrency
    ratePerSecond
    signed
    lastSecretSignsUntil
    failuresInRow
    failingSince
    waiting
    disabledAt
    disabledReason
    createdAt
  }
`);

export type WebhookRow = ResultOf<typeof webhookRow>;

export const webhooksQuery = graphql(
  `
    query Webhooks {
      webhooks(first: 50) {
        nodes {
          ...WebhookRow
        }
      }
      alerts(open: true, first: 10) {
        nodes {
          id
          kind
          url
          detail
          notificationId
          createdAt
        }
      }
    }
  `,
  [webhookRow],
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
        ... on Error {
          code
          message
        }
        ... on InvalidRequestError {
          errors {
            path
            message
          }
        }
      }
    }
  `,
  [webhookRow],
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
        ... on Error {
          code
          message
        }
        ... on InvalidRequestError {
          errors {
            path
            message
          }
        }
      }
    }
  `,
  [webhookRow],
);

export const deleteWebhookMutation = graphql(`
  mutation DeleteWebhook($id: ID!) {
    deleteWebhook(input: { id: $id }) {
      __typename
      ... on Error {
        code
        message
      }
    }
  }
`);

export const rotateWebhookSecretMutation = graphql(`
  mutation RotateWebhookSecret($id: ID!) {
    rotateWebhookSecret(input: { id: $id }) {
      __typename
      ... on RotateWebhookSecretSuccess {
        signingSecret
      }
      ... on Error {
        code
        message
      }
    }
  }
`);

export const sendTestMutation = graphql(`
  mutation SendTestNotification($webhookId: ID) {
    sendTestNotification(input: { webhookId: $webhookId }) {
      __typename
      ... on SendTestNotificationSuccess {
        notifications {
          id
        }
      }
      ... on Error {
        code
        message
      }
    }
  }
`);

export const dismissAlertMutation = graphql(`
  mutation DismissAlert($id: ID!) {
    dismissAlert(input: { id: $id }) {
      __typename
      ... on Error {
        code
        message
      }
    }
  }
`);
