import { pageInfoFields } from '../../components/use-cursor.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { invoiceRowFields } from './invoice-row.ts';

export const invoicesQuery = graphql(
  `
    query Invoices($filter: InvoiceFilter, $first: Int, $after: String, $last: Int, $before: String) {
      invoices(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
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
        subscription {
          id
          email
          phone
          firstName
          lastName
          subscriptionPlan {
            id
            name
          }
        }
      }
    }
  `,
  [invoiceRowFields],
);

export type InvoiceDetails = NonNullable<ResultOf<typeof invoiceQuery>['invoice']>;
