import { pageInfoFields } from '../../components/use-cursor.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { sessionRowFields } from './session-row.ts';

export const sessionsQuery = graphql(
  `
    query Sessions($first: Int, $after: String, $last: Int, $before: String) {
      sessions(first: $first, after: $after, last: $last, before: $before) {
        nodes {
          ...SessionRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [sessionRowFields, pageInfoFields],
);

export const sessionQuery = graphql(
  `
    query Session($id: ID!) {
      session(id: $id) {
        ...SessionRow
        methods
        redirectUrl
        cancelUrl
        notifyUrl
        notifyPayload
        expiresAt
      }
    }
  `,
  [sessionRowFields],
);

export type SessionDetails = NonNullable<ResultOf<typeof sessionQuery>['session']>;

export const sessionUpdated = graphql(`
  subscription SessionUpdated($id: ID!) {
    sessionUpdated(id: $id) {
      id
      status
    }
  }
`);

export const createSessionMutation = graphql(
  `
    mutation CreateSession($input: CreateSessionInput!) {
      createSession(input: $input) {
        __typename
        ... on CreateSessionSuccess {
          session {
            ...SessionRow
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [sessionRowFields, userErrorFields],
);

export const cancelSessionMutation = graphql(
  `
    mutation CancelSession($input: CancelSessionInput!) {
      cancelSession(input: $input) {
        __typename
        ... on CancelSessionSuccess {
          session {
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
