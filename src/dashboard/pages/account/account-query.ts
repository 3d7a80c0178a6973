import { errorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

const meFields = graphql(`
  fragment Me on Viewer {
    user {
      id
      email
      name
      role
      hasSecondFactor
    }
    recoveryCodesLeft
    sessions {
      id
      isCurrent
      device
      address
      createdAt
      lastSeenAt
    }
  }
`);

export const accountQuery = graphql(
  `
    query Account {
      viewer {
        ...Me
      }
    }
  `,
  [meFields],
);

export type AccountViewer = ResultOf<typeof meFields>;

export const changeNameMutation = graphql(
  `
    mutation ChangeName($input: ChangeNameInput!) {
      changeName(input: $input) {
        __typename
        ... on ChangeNameSuccess {
          user {
            id
            name
          }
        }
        ...Refusal
      }
    }
  `,
  [errorFields],
);

export const changePasswordMutation = graphql(
  `
    mutation ChangePassword($input: ChangePasswordInput!) {
      changePassword(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [errorFields],
);

export const beginTwoFactorMutation = graphql(
  `
    mutation BeginSecondFactor($input: BeginSecondFactorInput!) {
      beginSecondFactor(input: $input) {
        __typename
        ... on BeginSecondFactorSuccess {
          secret
          uri
        }
        ...Refusal
      }
    }
  `,
  [errorFields],
);

export const confirmTwoFactorMutation = graphql(
  `
    mutation ConfirmSecondFactor($input: ConfirmSecondFactorInput!) {
      confirmSecondFactor(input: $input) {
        __typename
        ... on ConfirmSecondFactorSuccess {
          recoveryCodes
        }
        ...Refusal
      }
    }
  `,
  [errorFields],
);

export const renewRecoveryCodesMutation = graphql(
  `
    mutation RenewRecoveryCodes($input: RenewRecoveryCodesInput!) {
      renewRecoveryCodes(input: $input) {
        __typename
        ... on RenewRecoveryCodesSuccess {
          recoveryCodes
        }
        ...Refusal
      }
    }
  `,
  [errorFields],
);

export const disableTwoFactorMutation = graphql(
  `
    mutation DisableSecondFactor($input: DisableSecondFactorInput!) {
      disableSecondFactor(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [errorFields],
);

export const endSessionMutation = graphql(
  `
    mutation EndSession($input: EndSessionInput!) {
      endSession(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [errorFields],
);

export const signOutEverywhereMutation = graphql(
  `
    mutation SignOutEverywhere($input: SignOutEverywhereInput!) {
      signOutEverywhere(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [errorFields],
);
