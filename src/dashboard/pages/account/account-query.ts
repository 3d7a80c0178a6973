import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

const meFields = graphql(`
  fragment Me on Viewer {
    user {
      id
      email
      name
      role
      hasTwoFactor
    }
    noticeSettings {
      channel
      topic
      frequency
    }
    chatHost
    pendingEmail
    remainingRecoveryCodeCount
    sessions {
      id
      isCurrent
      device
      ipAddress
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

export const updateViewerMutation = graphql(
  `
    mutation UpdateViewer($input: UpdateViewerInput!) {
      updateViewer(input: $input) {
        __typename
        ... on UpdateViewerSuccess {
          viewer {
            user {
              id
              name
            }
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const updateNoticeSettingsMutation = graphql(
  `
    mutation UpdateNoticeSettings($input: UpdateNoticeSettingsInput!) {
      updateNoticeSettings(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const sendTestNoticeMutation = graphql(
  `
    mutation SendTestNotice($input: SendTestNoticeInput!) {
      sendTestNotice(input: $input) {
        __typename
        ... on SendTestNoticeSuccess {
          outboundMessage {
            id
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const testNoticeQuery = graphql(`
  query TestNotice($id: ID!) {
    outboundMessage(id: $id) {
      id
      status
      lastError
    }
  }
`);

export const changePasswordMutation = graphql(
  `
    mutation ChangePassword($input: ChangePasswordInput!) {
      changePassword(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const changeEmailMutation = graphql(
  `
    mutation ChangeEmail($input: ChangeEmailInput!) {
      changeEmail(input: $input) {
        __typename
        ... on ChangeEmailSuccess {
          viewer {
            pendingEmail
            user {
              id
              email
            }
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const pendingEmailQuery = graphql(`
  query PendingEmail {
    viewer {
      pendingEmail
    }
  }
`);

export const confirmEmailChangeMutation = graphql(
  `
    mutation ConfirmEmailChange($input: ConfirmEmailChangeInput!) {
      confirmEmailChange(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const beginTwoFactorMutation = graphql(
  `
    mutation BeginTwoFactorSetup($input: BeginTwoFactorSetupInput!) {
      beginTwoFactorSetup(input: $input) {
        __typename
        ... on BeginTwoFactorSetupSuccess {
          secret
          otpauthUri
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const confirmTwoFactorMutation = graphql(
  `
    mutation ConfirmTwoFactorSetup($input: ConfirmTwoFactorSetupInput!) {
      confirmTwoFactorSetup(input: $input) {
        __typename
        ... on ConfirmTwoFactorSetupSuccess {
          recoveryCodes
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const regenerateRecoveryCodesMutation = graphql(
  `
    mutation RegenerateRecoveryCodes($input: RegenerateRecoveryCodesInput!) {
      regenerateRecoveryCodes(input: $input) {
        __typename
        ... on RegenerateRecoveryCodesSuccess {
          recoveryCodes
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const disableTwoFactorMutation = graphql(
  `
    mutation DisableTwoFactor($input: DisableTwoFactorInput!) {
      disableTwoFactor(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const endUserSessionMutation = graphql(
  `
    mutation EndUserSession($input: EndUserSessionInput!) {
      endUserSession(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const signOutEverywhereMutation = graphql(
  `
    mutation SignOutEverywhere($input: SignOutEverywhereInput!) {
      signOutEverywhere(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);
