import { pageInfoFields } from '../../components/use-cursor.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { attemptRowFields } from './attempt-row.ts';

const notificationRowFields = graphql(`
  fragment NotificationRow on Notification {
    id
    kind
    url
    status
    isTest
    attemptCount
    nextAttemptAt
    createdAt
    event {
      id
      type
      objectId
    }
  }
`);

export type NotificationRow = ResultOf<typeof notificationRowFields>;

export const notificationsQuery = graphql(
  `
    query Notifications($filter: NotificationFilter, $first: Int, $after: String, $last: Int, $before: String) {
      notifications(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        nodes {
          ...NotificationRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [notificationRowFields, pageInfoFields],
);

/** The webhooks to filter by. One page is enough, because a merchant has at most 50 webhooks. */
export const filterWebhooksQuery = graphql(`
  query FilterWebhooks {
    webhooks(first: 50) {
      nodes {
        id
        url
      }
    }
  }
`);

/** Reports each new notification and attempt, with the object of its event. */
export const notificationsUpdated = graphql(`
  subscription NotificationsUpdated {
    notificationsUpdated {
      id
      status
      event {
        objectId
      }
    }
  }
`);

export const notificationQuery = graphql(
  `
    query Notification($id: ID!) {
      notification(id: $id) {
        ...NotificationRow
        finishedAt
        event {
          id
          type
          objectId
          payloadJson
          sequence
          createdAt
        }
        attempts {
          ...AttemptRow
        }
      }
    }
  `,
  [notificationRowFields, attemptRowFields],
);

export type NotificationDetails = NonNullable<ResultOf<typeof notificationQuery>['notification']>;

export const notificationUpdated = graphql(`
  subscription NotificationUpdated($id: ID!) {
    notificationUpdated(id: $id) {
      id
      status
      attemptCount
    }
  }
`);

export const resendNotificationMutation = graphql(
  `
    mutation ResendNotification($input: ResendNotificationInput!) {
      resendNotification(input: $input) {
        __typename
        ... on ResendNotificationSuccess {
          notification {
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

export const replayNotificationsMutation = graphql(
  `
    mutation ReplayNotifications($input: ReplayNotificationsInput!) {
      replayNotifications(input: $input) {
        __typename
        ... on ReplayNotificationsSuccess {
          replayedCount
          hasMore
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);
