import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';

const settingsFields = graphql(`
  fragment Settings on Merchant {
    id
    name
    timeZone
    postalAddress
    taxNumber
    displayName
    brandColor
    logoUrl
    areReceiptsEmailed
    supportEmail
    websiteUrl
    termsUrl
    privacyUrl
    country
    isSecureModeEnabled
    isTwoFactorRequired
    reauthenticationMinutes
    underpaymentTolerance
    exchangeRateMarkup
    maxRateAgeDays
    redirectSchemes
    additionalPhoneCountries
    paymentWindows {
      method
      minutes
      isCustom
    }
  }
`);

export type SettingsDetails = ResultOf<typeof settingsFields>;

export const settingsQuery = graphql(
  `
    query Settings {
      me {
        ...Settings
      }
    }
  `,
  [settingsFields],
);

export const updateSettingsMutation = graphql(
  `
    mutation UpdateSettings($input: UpdateMerchantSettingsInput!) {
      updateMerchantSettings(input: $input) {
        __typename
        ... on UpdateMerchantSettingsSuccess {
          merchant {
            ...Settings
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [settingsFields, userErrorFields],
);

export type UpdateSettingsInput = VariablesOf<typeof updateSettingsMutation>['input'];
