import { pageInfoFields } from '../../components/use-cursor.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const usersQuery = graphql(
  `
    query Users($first: Int, $after: String, $last: Int, $before: String) {
      users(first: $first, after: $after, last: $last, before: $before) {
        nodes {
          id
          name
          email
          role
          hasTwoFactor
          lastSeenAt
        }
        pageInfo {
          ...PageInfo
        }
      }
      owners: users(filter: { role: owner }, first: 1) {
        totalCount
      }
    }
  `,
  [pageInfoFields],
);

export const invitationsQuery = graphql(
  `
    query UserInvitations($after: String) {
      userInvitations(first: 50, after: $after) {
        nodes {
          id
          email
          role
          invitedBy {
            kind
            name
          }
          sentAt
          expiresAt
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [pageInfoFields],
);

export type UserRow = ResultOf<typeof usersQuery>['users']['nodes'][number];
export type InvitationRow = ResultOf<typeof invitationsQuery>['userInvitations']['nodes'][number];
export type UserRole = UserRow['role'];

export const inviteUserMutation = graphql(
  `
    mutation InviteUser($input: InviteUserInput!) {
      inviteUser(input: $input) {
        __typename
        ... on InviteUserSuccess {
          invitationUrl
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const resendInvitationMutation = graphql(
  `
    mutation ResendInvitation($input: ResendInvitationInput!) {
      resendInvitation(input: $input) {
        __typename
        ... on ResendInvitationSuccess {
          invitationUrl
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const withdrawInvitationMutation = graphql(
  `
    mutation WithdrawInvitation($input: WithdrawInvitationInput!) {
      withdrawInvitation(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const updateUserMutation = graphql(
  `
    mutation UpdateUser($input: UpdateUserInput!) {
      updateUser(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const removeUserMutation = graphql(
  `
    mutation RemoveUser($input: RemoveUserInput!) {
      removeUser(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);
