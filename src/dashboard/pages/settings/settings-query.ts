import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';

const settings = graphql(`
  fragment Settings on Merchant {
    id
    timeZone
    postalAddress
    secureMode
    requireTwoFactor
    reauthenticationMinutes
    underpaymentTolerance
    markup
    rateAgeDays
    redirectSchemes
    phoneCountries
    paymentWindows {
      method
      minutes
      isOwn
    }
  }
`);

export type Settings = ResultOf<typeof settings>;

export const settingsQuery = graphql(
  `
    query Settings {
      me {
        ...Settings
      }
    }
  `,
  [settings],
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
        ...Refusal
      }
    }
  `,
  [settings, refusalFields],
);

export type SettingsInput = VariablesOf<typeof updateSettingsMutation>['input'];
