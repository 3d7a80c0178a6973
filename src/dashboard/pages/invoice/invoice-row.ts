import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** What a line of a list of invoices shows. */
export const invoiceRowFields = graphql(`
  fragment InvoiceRow on Invoice {
    id
    number
    status
    amount
    currency
    invoiceDueOn
    paidAt
    createdAt
  }
`);

export type InvoiceRow = ResultOf<typeof invoiceRowFields>;
