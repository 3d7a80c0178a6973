import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';
import { pageInfoFields } from '../../parts/use-cursor.ts';

export const usersQuery = graphql(
  `
    query Users($first: Int, $after: String, $last: Int, $before: String) {
      users(first: $first, after: $after, last: $last, before: $before) {
        nodes {
          id
          name
          email
          role
          hasSecondFactor
          lastSeenAt
        }
        pageInfo {
          ...PageInfo
        }
      }
      userInvitations(first: 50) {
        nodes {
          id
          email
          role
          invitedBy
          sentAt
          expiresAt
        }
      }
    }
  `,
  [pageInfoFields],
);

type Answer = ResultOf<typeof usersQuery>;
export type UserRow = Answer['users']['nodes'][number];
export type InvitationRow = Answer['userInvitations']['nodes'][number];
export type UserRole = UserRow['role'];

export const inviteMutation = graphql(
  `
    mutation InviteUser($input: InviteUserInput!) {
      inviteUser(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [refusalFields],
);

export const resendMutation = graphql(
  `
    mutation ResendInvitation($input: ResendInvitationInput!) {
      resendInvitation(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [refusalFields],
);

export const withdrawMutation = graphql(
  `
    mutation WithdrawInvitation($input: WithdrawInvitationInput!) {
      withdrawInvitation(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [refusalFields],
);

export const updateUserMutation = graphql(
  `
    mutation UpdateUser($input: UpdateUserInput!) {
      updateUser(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [refusalFields],
);

export const removeUserMutation = graphql(
  `
    mutation RemoveUser($input: RemoveUserInput!) {
      removeUser(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [refusalFields],
);
