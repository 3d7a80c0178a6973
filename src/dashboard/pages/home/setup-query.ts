import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const setupQuery = graphql(`
  query Setup {
    me {
      id
      timeZone
      websiteUrl
      logoUrl
      brandColor
      setupProgress {
        hasReceivingAccount
        hasTestPayment
        hasTestCheckout
        hasTransferSource
        hasWebhook
        hasTeam
        hasLivePayment
      }
    }
    viewer {
      user {
        id
        hasTwoFactor
      }
      noticeSettings {
        topic
        frequency
      }
    }
    charges(first: 1) {
      nodes {
        id
      }
    }
  }
`);

export type SetupData = ResultOf<typeof setupQuery>;
