import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** What a line of a list of invoices shows. */
export const invoiceRow = graphql(`
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

export type InvoiceRow = ResultOf<typeof invoiceRow>;
