import type { Charge, Invoice } from '../../prisma/client/client.ts';
import { buildInvoiceFilter } from '../../src/domain/billing/invoice/build-invoice-filter.ts';
import { getInvoicePdfUrl, getInvoiceUrl } from '../../src/domain/billing/invoice/invoice-url.ts';
import { getTax } from '../../src/domain/billing/subscription-plan/tax.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder, type InferInput } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, reverseArg, toKeysetQuery } from '../kit/connection.ts';
import { type GraphqlContext, getMerchantScope, getMerchantTime } from '../kit/graphql-context.ts';
import { createRowLoader } from '../kit/loader.ts';
import { createdBetweenFields, filterArg, inList, parseCreatedBetween } from '../list-filters.ts';
import { ChargeType } from '../payments/charge.ts';
import { toDecimalScalar } from '../scalars.ts';
import { TaxType } from './subscription-plan.ts';

export const InvoiceStatus = builder.enumType('InvoiceStatus', {
  description: 'Whether an invoice is open, paid or void.',
  values: {
    open: { description: 'The invoice has not been paid yet.' },
    paid: { description: 'The invoice has been paid.' },
    void: {
      description:
        'The invoice is no longer payable, because you voided it, paused the subscription or skipped the payment, or because the subscription was cancelled.',
    },
  },
});

const loadCharge = createRowLoader<Charge>((context, where) =>
  context.service.prisma.charge.findMany({ where }),
);

export const InvoiceType = builder.prismaNode('Invoice', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description: 'An invoice for one renewal of a subscription. The first payment has no invoice.',
  fields: (t) => ({
    number: t.exposeInt('number', {
      description: 'The number of the invoice in your series, which starts at 1 and has no gaps.',
    }),
    status: t.expose('status', {
      type: InvoiceStatus,
      description: 'Whether the invoice is open, paid or void.',
    }),
    isOverdue: t.boolean({
      description: 'Whether the invoice is open and its due date has passed.',
      resolve: ({ status, dueAt }, _args, context) => status === 'open' && dueAt < getMerchantTime(context),
    }),
    planName: t.exposeString('planName', {
      description: 'The name of the plan when the invoice was created.',
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'The invoiced amount with tax, in the currency of the plan.',
      resolve: (invoice) => toDecimalScalar(invoice.amount, invoice.currency),
    }),
    tax: t.field({
      type: TaxType,
      nullable: true,
      description: 'The tax on the invoice. Null if there is none.',
      resolve: getTax,
    }),
    taxAmount: t.field({
      type: 'Decimal',
      description: 'The tax in `amount`. Zero if there is none.',
      resolve: (invoice) => toDecimalScalar(invoice.taxAmount, invoice.currency),
    }),
    periodStart: t.expose('periodStart', {
      type: 'DateTime',
      description:
        'The start of the period that the invoice covers. If the invoice is paid after a pause, the period starts with the payment.',
    }),
    periodEnd: t.expose('periodEnd', {
      type: 'DateTime',
      description: 'The end of the period that the invoice covers.',
    }),
    isPaidExternally: t.exposeBoolean('paidExternally', {
      ...merchantOnly,
      description: 'Whether you marked the invoice as paid, for example in cash. It then has no charge.',
    }),
    resentAt: t.expose('resentAt', {
      ...merchantOnly,
      type: 'DateTime',
      nullable: true,
      description: 'The time at which you last sent the invoice again. Null if you have not sent it again.',
    }),
    voidedAt: t.expose('voidedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the invoice was voided. Null if it has not been voided.',
    }),
    currency: t.expose('currency', {
      type: 'CurrencyCode',
      description: 'The currency of `amount` and of the plan.',
    }),
    charge: t.field({
      ...merchantOnly,
      type: ChargeType,
      nullable: true,
      description:
        'The charge with which the invoice is to be paid or was paid. Null if no payment method is available, if you marked the invoice as paid, and for callers with a client token.',
      resolve: ({ chargeId }, _args, context) => loadCharge(context, chargeId),
    }),
    subscription: t.relation('subscription', { description: 'The subscription that the invoice renews.' }),
    checkoutUrl: t.string({
      ...merchantOnly,
      description: 'The URL of the page on which the customer sees and pays the invoice.',
      resolve: (invoice, _args, { service }) => getInvoiceUrl(service, invoice),
    }),
    pdfUrl: t.string({
      ...merchantOnly,
      description:
        'The URL of the invoice as a PDF in the customer’s language. Anyone with the URL can open it.',
      resolve: (invoice, _args, { service }) => getInvoicePdfUrl(service, invoice),
    }),
    dueAt: t.expose('dueAt', {
      type: 'DateTime',
      description: 'The time at which the invoice is due, which is the subscription’s `activeUntil`.',
    }),
    paidAt: t.expose('paidAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the invoice was paid. Null if it has not been paid.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the invoice was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'The time at which the invoice was last updated.',
    }),
  }),
});

const loadInvoice = createRowLoader<Invoice>((context, where) =>
  context.service.prisma.invoice.findMany({ where }),
);

builder.prismaObjectField('Invoice', 'replacedBy', (t) =>
  t.field({
    ...merchantOnly,
    type: InvoiceType,
    nullable: true,
    description:
      'The corrected invoice that replaced this invoice when you voided it. Null if there is none.',
    resolve: ({ replacedById }, _args, context) => loadInvoice(context, replacedById),
  }),
);

const InvoiceFilter = builder.inputType('InvoiceFilter', {
  description:
    'The conditions that the invoices of a list must meet. If several are given, all of them must be met.',
  fields: (t) => ({
    statuses: t.field({
      type: [InvoiceStatus],
      description: 'Returns only invoices with one of these statuses.',
    }),
    isOverdue: t.boolean({
      description: 'If true, returns only open invoices that have not been paid by their due date.',
    }),
    ...createdBetweenFields(t, 'invoices'),
    currency: t.field({ type: 'CurrencyCode', description: 'Returns only invoices in this currency.' }),
    subscriptionId: t.id({ description: 'Returns only invoices of the subscription with this ID, `sub_…`.' }),
  }),
});

const InvoiceConnection = createConnectionType(InvoiceType, 'Invoice');

builder.queryFields((t) => ({
  invoice: t.prismaField({
    type: InvoiceType,
    nullable: true,
    description: 'Returns the invoice with this ID, or null if it does not exist.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the invoice, `in_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.invoice.findFirst({ ...query, where: { id, ...getMerchantScope(context) } }),
  }),
  invoices: t.prismaConnection(
    {
      type: InvoiceType,
      nullable: true,
      ...idPagingOptions,
      description: 'Returns your invoices, newest first.',
      args: {
        filter: t.arg(filterArg(InvoiceFilter)),
        reverse: t.arg.boolean(reverseArg),
      },
      resolve: (query, _root, { filter, reverse }, context) =>
        context.service.prisma.invoice.findMany(
          toKeysetQuery(query, 'Invoice', buildInvoiceListFilter(context, filter), { reverse }),
        ),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.invoice.count({ where: buildInvoiceListFilter(context, filter) }),
    },
    InvoiceConnection,
  ),
}));

function buildInvoiceListFilter(
  context: GraphqlContext,
  filter: InferInput<typeof InvoiceFilter> | null | undefined,
) {
  const { statuses, isOverdue, currency, subscriptionId } = filter ?? {};
  const where = buildInvoiceFilter({
    ...getMerchantScope(context),
    filter: {
      ...parseCreatedBetween(filter),
      overdueAt: isOverdue ? getMerchantTime(context) : undefined,
      currency: currency ?? undefined,
      subscriptionId: subscriptionId ?? undefined,
    },
  });
  const status = inList(statuses);
  return { AND: [where, status ? { status } : {}] };
}
