import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';

const me = graphql(`
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
  [me],
);

export type Me = ResultOf<typeof me>;

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
  [refusalFields],
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
  [refusalFields],
);

export const beginMutation = graphql(
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
  [refusalFields],
);

export const confirmMutation = graphql(
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
  [refusalFields],
);

export const renewMutation = graphql(
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
  [refusalFields],
);

export const disableMutation = graphql(
  `
    mutation DisableSecondFactor($input: DisableSecondFactorInput!) {
      disableSecondFactor(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [refusalFields],
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
  [refusalFields],
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
  [refusalFields],
);
