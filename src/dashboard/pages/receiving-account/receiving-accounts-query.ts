import { pageInfoFields } from '../../components/use-cursor.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';

const accountFields = graphql(`
  fragment ReceivingAccountFields on ReceivingAccount {
    id
    method
    status
    account
    details {
      name
      description
      value
    }
    accountName
    bank
    country
    currency
    timeZone
    weight
    minAmount
    maxAmount
    paymentWindowMinutes
    canCarryReference
    maxAmountOffset
    maxBankFee
    maxBankFeeRate
    reusesBankReferences
    sameBankAccounts {
      id
      method
      account
    }
    isDemo
    retiredAt
    createdAt
    updatedAt
  }
`);

export type ReceivingAccountDetails = ResultOf<typeof accountFields>;

export const receivingAccountsQuery = graphql(
  `
    query ReceivingAccounts($filter: ReceivingAccountFilter, $first: Int, $after: String, $last: Int, $before: String) {
      receivingAccounts(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        nodes {
          id
          method
          status
          account
          accountName
          bank
          currency
          sameBankAccounts {
            id
            method
            account
          }
          isDemo
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [pageInfoFields],
);

export type ReceivingAccountRow = ResultOf<
  typeof receivingAccountsQuery
>['receivingAccounts']['nodes'][number];

/** One page is enough, because a merchant has few active accounts. */
export const activeAccountsQuery = graphql(`
  query ActiveReceivingAccounts {
    receivingAccounts(first: 50, filter: { statuses: [active] }) {
      nodes {
        id
        method
        account
        isDemo
      }
    }
  }
`);

export const receivingAccountQuery = graphql(
  `
  query ReceivingAccount($id: ID!) {
    receivingAccount(id: $id) {
      ...ReceivingAccountFields
    }
  }
`,
  [accountFields],
);

export const accountSampleQuery = graphql(`
  query ReceivingAccountSample($id: ID!, $amount: Decimal) {
    receivingAccount(id: $id) {
      sampleDestination(amount: $amount) {
        qrCode
        account
        accountName
        bank
      }
    }
  }
`);

/** A payment method has one or several account types, each with the fields of its details. */
export const accountTypesQuery = graphql(`
  query ReceivingAccountForms {
    receivingAccountForms {
      method
      inputField
      description
      currency
      country
      mayLackReference
      fields {
        name
        description
        example
        isRequired
        isQrCode
        banks {
          code
          name
        }
      }
    }
    viewer {
      merchant {
        id
        country
      }
    }
  }
`);

export type AccountType = ResultOf<typeof accountTypesQuery>['receivingAccountForms'][number];

export type AccountField = AccountType['fields'][number];

export const createAccountMutation = graphql(
  `
    mutation CreateReceivingAccount($input: CreateReceivingAccountInput!) {
      createReceivingAccount(input: $input) {
        __typename
        ... on CreateReceivingAccountSuccess {
          receivingAccount {
            id
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export type CreateAccountInput = VariablesOf<typeof createAccountMutation>['input'];

export const updateAccountMutation = graphql(
  `
    mutation UpdateReceivingAccount($input: UpdateReceivingAccountInput!) {
      updateReceivingAccount(input: $input) {
        __typename
        ... on UpdateReceivingAccountSuccess {
          receivingAccount {
            id
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);
