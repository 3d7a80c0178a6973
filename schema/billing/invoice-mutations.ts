import { markInvoicePaid } from '../../src/domain/billing/collection/mark-invoice-paid.ts';
import { resendInvoice } from '../../src/domain/billing/collection/resend-invoice.ts';
import { voidInvoice } from '../../src/domain/billing/collection/void-invoice.ts';
import { builder } from '../kit/builder.ts';
import { toMutationContext } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { InvoiceType } from './invoice.ts';

const invoiceId = { required: true, description: 'The ID of an open invoice, `in_…`.' } as const;
const codes = '`invoice_not_found`, or with `invoice_not_open` if the invoice is paid or void';

const MarkInvoicePaidInput = builder.inputType('MarkInvoicePaidInput', {
  description: 'The invoice that was paid outside Causeway.',
  fields: (t) => ({
    id: t.id(invoiceId),
    note: t.string({
      description:
        'The way in which it was paid, for the audit trail, at most 200 characters. Enter no personal data.',
    }),
  }),
});

const MarkInvoicePaidSuccess = successType('MarkInvoicePaidSuccess', {
  description:
    'The result of marking an invoice as paid. The pending charges of the subscription are cancelled, and the subscription is extended as by a payment.',
  fields: { invoice: { type: InvoiceType, description: 'The invoice, with the status `paid`.' } },
});

builder.mutationField('markInvoicePaid', (t) =>
  t.field({
    type: MarkInvoicePaidSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'write' },
    description: `Marks an open invoice as paid outside Causeway, for example in cash. The subscription is extended as by a payment, and the event \`subscription_paid\` is sent. The mutation fails with ${codes}, or with \`invalid_request\` if a charge of the invoice is partly paid. Requires the permission \`write\`.`,
    args: { input: t.arg({ type: MarkInvoicePaidInput, required: true, description: 'The paid invoice.' }) },
    resolve: async (_root, { input }, context) => ({
      invoice: await markInvoicePaid(context.service, { ...toMutationContext(context), ...input }),
    }),
  }),
);

const VoidInvoiceInput = builder.inputType('VoidInvoiceInput', {
  description: 'The invoice to void.',
  fields: (t) => ({
    id: t.id(invoiceId),
    isReissued: t.boolean({
      description:
        'Whether a new invoice with the current terms and your current details replaces it. The default is false: the payment is no longer requested, and an active subscription continues with the next period.',
    }),
  }),
});

const VoidInvoiceSuccess = successType('VoidInvoiceSuccess', {
  description: 'The result of voiding an invoice. The pending charges of the subscription are cancelled.',
  fields: { invoice: { type: InvoiceType, description: 'The invoice, with the status `void`.' } },
});

builder.mutationField('voidInvoice', (t) =>
  t.field({
    type: VoidInvoiceSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description: `Voids an open invoice, and informs the customer by email. A subscription that is paused after a missed payment stays paused. The mutation fails with ${codes}. Requires the permission \`write\`.`,
    args: { input: t.arg({ type: VoidInvoiceInput, required: true, description: 'The invoice to void.' }) },
    resolve: async (_root, { input }, context) => ({
      invoice: await voidInvoice(context.service, {
        ...toMutationContext(context),
        id: input.id,
        isReissued: input.isReissued ?? false,
      }),
    }),
  }),
);

const ResendInvoiceInput = builder.inputType('ResendInvoiceInput', {
  description: 'The invoice to send again.',
  fields: (t) => ({ id: t.id(invoiceId) }),
});

const ResendInvoiceSuccess = successType('ResendInvoiceSuccess', {
  description: 'The result of sending an invoice again.',
  fields: {
    invoice: {
      type: InvoiceType,
      description:
        'The invoice. If its charge had expired, a new one was created, provided that the payment method is available.',
    },
  },
});

builder.mutationField('resendInvoice', (t) =>
  t.field({
    type: ResendInvoiceSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description: `Requests the payment of an open invoice again: creates a charge if the last one has expired and the payment method is available, and emails the invoice, at most once an hour. The mutation fails with ${codes}, with \`rate_limited\` within the hour, or with \`invalid_request\` if the customer has no email address. Requires the permission \`write\`.`,
    args: {
      input: t.arg({ type: ResendInvoiceInput, required: true, description: 'The invoice to send again.' }),
    },
    resolve: async (_root, { input }, context) => ({
      invoice: await resendInvoice(context.service, { ...toMutationContext(context), ...input }),
    }),
  }),
);
