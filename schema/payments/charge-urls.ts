import { getChargeUrl } from '../../src/domain/payments/customer-page/checkout-url.ts';
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
  receiptUrl: t.string({
    nullable: true,
    description: 'The URL of the customer’s receipt. Null until the charge is completed.',
    resolve: (charge, _args, { service }) =>
      charge.status === 'completed' ? getChargeUrl(service, charge) : null,
  }),
}));
