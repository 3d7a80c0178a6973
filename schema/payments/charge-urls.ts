import { formatOutstandingMessage } from '../../src/domain/payments/checkout/format-outstanding-message.ts';
import { getChargeUrl } from '../../src/domain/payments/customer-page/checkout-url.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { ChargeType } from './charge.ts';

builder.prismaObjectFields(ChargeType, (t) => ({
  paymentUrl: t.string({
    nullable: true,
    description:
      'The URL of the page on which the customer pays the charge, or the rest of it. Null if the charge has ended.',
    resolve: (charge, _args, { service }) =>
      charge.status === 'pending' ? getChargeUrl(service, charge) : null,
  }),
  outstandingMessage: t.string({
    ...merchantOnly,
    nullable: true,
    description:
      'A message that asks the customer of a partly paid charge for the rest, in the customer’s language, with `paymentUrl`. Null if the charge has ended or has received nothing, and for callers with a client token.',
    select: { receivingAccount: { select: { timeZone: true } } },
    resolve: (charge, _args, { service }) => formatOutstandingMessage(service, charge),
  }),
  receiptUrl: t.string({
    nullable: true,
    description: 'The URL of the customer’s receipt. Null until the charge is completed.',
    resolve: (charge, _args, { service }) =>
      charge.status === 'completed' ? getChargeUrl(service, charge) : null,
  }),
}));
