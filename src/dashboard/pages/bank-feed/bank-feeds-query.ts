import { pageInfoFields } from '../../components/use-cursor.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

const bankFeedFields = graphql(`
  fragment BankFeedFields on BankFeed {
    id
    kind
    name
    status
    url
    evidence
    trust
    authentication
    signedPath
    apiUrl
    customFormatJson
    pull {
      intervalMinutes
      patterns
      archivesFiles
      host
      port
      folder
      hostKeyFingerprint
      presentedHostKeyFingerprint
      providerAccountId
      nextPollAt
      lastPollAt
    }
    allowedAddresses
    confirmedAt
    silenceMinutes
    failingSince
    lateSince
    lastSuccessAt
    lastTransferAt
    lastError
    failedDeliveryCount
    receivingAccounts {
      bankAccount
      receivingAccount {
        id
        method
        account
      }
    }
    createdAt
  }
`);

export type BankFeedDetails = ResultOf<typeof bankFeedFields>;
export type BankFeedKind = BankFeedDetails['kind'];

export const bankFeedsQuery = graphql(
  `
    query BankFeeds($first: Int, $after: String, $last: Int, $before: String) {
      me {
        id
        country
      }
      bankFeeds(first: $first, after: $after, last: $last, before: $before) {
        nodes {
          ...BankFeedFields
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [bankFeedFields, pageInfoFields],
);

export const bankFeedQuery = graphql(
  `
    query BankFeed($id: ID!) {
      bankFeed(id: $id) {
        ...BankFeedFields
      }
    }
  `,
  [bankFeedFields],
);

export const feedDeliveriesQuery = graphql(
  `
    query FeedDeliveries($filter: FeedDeliveryFilter, $first: Int, $after: String, $last: Int, $before: String) {
      feedDeliveries(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        nodes {
          id
          status
          reason
          detail
          ipAddress
          fileName
          sizeBytes
          results {
            bankReference
            amount
            currency
          }
          createdAt
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [pageInfoFields],
);

export type FeedDeliveryRow = ResultOf<typeof feedDeliveriesQuery>['feedDeliveries']['nodes'][number];

export const feedDeliveryQuery = graphql(`
  query FeedDelivery($id: ID!) {
    feedDelivery(id: $id) {
      id
      status
      reason
      detail
      ipAddress
      fileName
      statements {
        id
        fileName
        status
        needsReviewCount
        resultCounts {
          matched
          partial
          over
          exception
          duplicate
          returned
          outgoing
          dismissed
          ignored
        }
      }
      sizeBytes
      sha256
      headersJson
      body
      bankFeed {
        id
        name
        trust
        confirmedAt
      }
      results {
        bankReference
        status
        amount
        currency
        account
        detail
        transfer {
          id
          status
        }
      }
      createdAt
      processedAt
    }
  }
`);

export type FeedDeliveryDetails = NonNullable<ResultOf<typeof feedDeliveryQuery>['feedDelivery']>;

export const createBankFeedMutation = graphql(
  `
    mutation CreateBankFeed($input: CreateBankFeedInput!) {
      createBankFeed(input: $input) {
        __typename
        ... on CreateBankFeedSuccess {
          bankFeed {
            id
            url
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const updateBankFeedMutation = graphql(
  `
    mutation UpdateBankFeed($input: UpdateBankFeedInput!) {
      updateBankFeed(input: $input) {
        __typename
        ... on UpdateBankFeedSuccess {
          bankFeed {
            ...BankFeedFields
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [bankFeedFields, userErrorFields],
);

export const deleteBankFeedMutation = graphql(
  `
    mutation DeleteBankFeed($input: DeleteBankFeedInput!) {
      deleteBankFeed(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const confirmBankFeedMutation = graphql(
  `
    mutation ConfirmBankFeed($input: ConfirmBankFeedInput!) {
      confirmBankFeed(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const processFeedDeliveryMutation = graphql(
  `
    mutation ProcessFeedDelivery($input: ProcessFeedDeliveryInput!) {
      processFeedDelivery(input: $input) {
        __typename
        ... on ProcessFeedDeliverySuccess {
          feedDelivery {
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

export const pollBankFeedMutation = graphql(
  `
    mutation PollBankFeed($input: PollBankFeedInput!) {
      pollBankFeed(input: $input) {
        __typename
        ... on PollBankFeedSuccess {
          bankFeed {
            ...BankFeedFields
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [bankFeedFields, userErrorFields],
);
