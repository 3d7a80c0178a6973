import { pageInfoFields } from '../../components/use-cursor.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { subscriptionRowFields } from '../subscription/subscription-row.ts';
import { invoiceRowFields } from './invoice-row.ts';

export const invoicesQuery = graphql(
  `
    query Invoices(
      $filter: InvoiceFilter
      $first: Int
      $after: String
      $last: Int
      $before: String
      $reverse: Boolean
    ) {
      invoices(filter: $filter, first: $first, after: $after, last: $last, before: $before, reverse: $reverse) {
        totalCount
        nodes {
          ...InvoiceRow
          subscription {
            id
            email
            phone
            firstName
            lastName
          }
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [invoiceRowFields, pageInfoFields],
);

export type ListedInvoice = ResultOf<typeof invoicesQuery>['invoices']['nodes'][number];

export const invoiceQuery = graphql(
  `
    query Invoice($id: ID!) {
      invoice(id: $id) {
        ...InvoiceRow
        charge {
          id
        }
        checkoutUrl
        pdfUrl
        taxAmount
        tax {
          name
          rate
          isInclusive
        }
        planName
        periodStart
        periodEnd
        resentAt
        voidedAt
        replacedBy {
          id
          number
        }
        subscription {
          ...SubscriptionRow
          customer {
            id
          }
        }
      }
    }
  `,
  [invoiceRowFields, subscriptionRowFields],
);

export const markInvoicePaidMutation = graphql(
  `
    mutation MarkInvoicePaid($input: MarkInvoicePaidInput!) {
      markInvoicePaid(input: $input) {
        __typename
        ... on MarkInvoicePaidSuccess {
          invoice {
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

export const voidInvoiceMutation = graphql(
  `
    mutation VoidInvoice($input: VoidInvoiceInput!) {
      voidInvoice(input: $input) {
        __typename
        ... on VoidInvoiceSuccess {
          invoice {
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

export const resendInvoiceMutation = graphql(
  `
    mutation ResendInvoice($input: ResendInvoiceInput!) {
      resendInvoice(input: $input) {
        __typename
        ... on ResendInvoiceSuccess {
          invoice {
            id
            resentAt
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export type InvoiceDetails = NonNullable<ResultOf<typeof invoiceQuery>['invoice']>;
