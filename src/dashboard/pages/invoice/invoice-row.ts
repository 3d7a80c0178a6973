import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const invoiceRowFields = graphql(`
  fragment InvoiceRow on Invoice {
    id
    number
    status
    amount
    currency
    dueAt
    paidAt
    createdAt
  }
`);

export type InvoiceRow = ResultOf<typeof invoiceRowFields>;
