import { invoiceWhere } from '../../src/domain/billing/invoice/invoice-where.ts';
import { invoicePdfUrl, invoiceUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder, type InputOf } from '../kit/builder.ts';
import { connectionOf, keyset, pagedById } from '../kit/connection.ts';
import { type GraphqlContext, owned } from '../kit/graphql-context.ts';
import { decimal } from '../scalars.ts';

const InvoiceStatus = builder.enumType('InvoiceStatus', {
  description: 'Where an invoice stands.',
  values: {
    open: { description: 'Waiting for the payment.' },
    paid: { description: 'Paid.' },
    void: { description: 'No longer asked for: the subscription was cancelled.' },
  },
});

export const InvoiceType = builder.prismaNode('Invoice', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...owned(context) }),
  description: 'One renewal of a subscription, asked of the customer. The first payment has none.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Its number in your series, from 1 without gaps.' }),
    status: t.expose('status', { type: InvoiceStatus, description: 'Where it stands.' }),
    amount: t.field({
      type: 'Decimal',
      description: 'What is asked, in the plan’s currency.',
      resolve: (invoice) => decimal(invoice.amount, invoice.currency),
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The plan’s currency.' }),
    chargeId: t.id({
      nullable: true,
      description: 'The charge that asks for it now, or that paid it; null while no method can take it.',
      resolve: (invoice) => invoice.chargeId,
    }),
    subscription: t.relation('subscription', { description: 'What it renews.' }),
    checkoutLink: t.string({
      ...merchantOnly,
      description: 'The customer’s page: shows the invoice and takes the payment.',
      resolve: (invoice, _args, { service }) => invoiceUrl(service, invoice),
    }),
    pdfUrl: t.string({
      ...merchantOnly,
      description: 'The invoice as a document, in the customer’s language. Who has the address can open it.',
      resolve: (invoice, _args, { service }) => invoicePdfUrl(service, invoice),
    }),
    invoiceDueOn: t.expose('dueOn', {
      type: 'DateTime',
      description: 'By when it must be paid: the subscription’s `activeUntil`.',
    }),
    paidAt: t.expose('paidAt', { type: 'DateTime', nullable: true, description: 'When it was paid.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

const InvoiceFilter = builder.inputType('InvoiceFilter', {
  description: 'Which invoices: those that fit all members given.',
  fields: (t) => ({
    status: t.field({ type: InvoiceStatus, description: 'Only those of this status.' }),
    subscriptionId: t.id({ description: 'Only those of this subscription, `sub_…`.' }),
  }),
});

const InvoiceConnection = connectionOf(InvoiceType, 'Invoice');

builder.queryFields((t) => ({
  invoice: t.prismaField({
    type: InvoiceType,
    nullable: true,
    description: 'One invoice.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `in_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.invoice.findFirst({ ...query, where: { id, ...owned(context) } }),
  }),
  invoices: t.prismaConnection(
    {
      type: InvoiceType,
      ...pagedById,
      description: 'Your invoices, newest first.',
      args: { filter: t.arg({ type: InvoiceFilter, description: 'Which ones.' }) },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.invoice.findMany(keyset(query, 'Invoice', filterWhere(context, filter))),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.invoice.count({ where: filterWhere(context, filter) }),
    },
    InvoiceConnection,
  ),
}));

function filterWhere(context: GraphqlContext, filter: InputOf<typeof InvoiceFilter> | null | undefined) {
  const { status, subscriptionId } = filter ?? {};
  return invoiceWhere({
    ...owned(context),
    filter: { status: status ?? undefined, subscriptionId: subscriptionId ?? undefined },
  });
}
