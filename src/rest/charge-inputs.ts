import { Type } from 'typebox';
import { methodCodes } from '../method/catalog.ts';
import { dateRangeQuery } from './date-range.ts';
import { customerQuery, enumSchema, orderInputSchema } from './inputs.ts';
import { metadataQuery, metadataSchema } from './metadata.ts';
import { pagingQuery } from './paging.ts';
import { timestampsQuery } from './timestamp.ts';

/** The query of routes that return one charge. */
export const chargeQuery = Type.Object(timestampsQuery, { additionalProperties: false });

export const listChargesQuery = Type.Object(
  {
    method: Type.Optional(
      enumSchema(methodCodes, 'Returns only charges that are paid with this payment method.'),
    ),
    status: Type.Optional(
      enumSchema(['pending', 'completed', 'expired', 'cancelled'], 'Returns only charges with this status.'),
    ),
    ...dateRangeQuery,
    customerCurrency: Type.Optional(
      Type.String({ description: 'Returns only charges that are paid in this currency.' }),
    ),
    ...customerQuery,
    ...metadataQuery,
    ...pagingQuery,
    ...timestampsQuery,
  },
  { additionalProperties: false },
);

export const createChargeBody = Type.Object(
  {
    verificationCode: Type.Optional(
      Type.String({
        description:
          'The code that `POST /customers/phone/verify` returned. It identifies the customer by phone number, and can be used for one charge within 5 minutes.',
      }),
    ),
    email: Type.Optional(
      Type.String({
        description: 'The customer’s email address. Required unless `verificationCode` is given.',
      }),
    ),
    merchantAmount: Type.Number({
      description: 'The amount to charge, in major units of `merchantCurrency`.',
    }),
    merchantCurrency: Type.String({
      description:
        'The ISO 4217 code of the currency of `merchantAmount`. The customer pays the converted amount in the currency of the payment method.',
    }),
    method: enumSchema(methodCodes, 'The code of the payment method that the customer uses.'),
    orders: Type.Optional(
      Type.Array(orderInputSchema, {
        description: 'The order lines that the customer pays for, at most 100.',
      }),
    ),
    notifyPayload: Type.Optional(
      Type.String({
        description:
          'Your reference for the charge, at most 4,096 characters. The notifications of the charge include it.',
      }),
    ),
    metadata: Type.Optional(metadataSchema),
    notifyUrl: Type.Optional(
      Type.String({
        description:
          'The callback URL that is notified when the charge completes. It must be an https URL; in the sandbox, http is allowed too.',
      }),
    ),
    hash: Type.Optional(
      Type.String({ description: 'The hash from `POST /charges/hash`. Required if secure mode is on.' }),
    ),
  },
  { title: 'CreateChargeRequest', description: 'The terms of a new charge.', additionalProperties: false },
);

export const chargeHashBody = Type.Object(
  {
    merchantAmount: Type.Number({
      description: 'The amount to charge, in major units of `merchantCurrency`.',
    }),
    merchantCurrency: Type.String({ description: 'The ISO 4217 code of the currency of `merchantAmount`.' }),
    orders: Type.Optional(
      Type.Array(orderInputSchema, {
        description: 'The order lines that you will send when you create the charge, unchanged.',
      }),
    ),
    notifyPayload: Type.Optional(
      Type.String({
        description:
          'The `notifyPayload` of a `/checkout` URL that you build yourself. The hash of such a URL covers it.',
      }),
    ),
    notifyUrl: Type.Optional(
      Type.String({
        description:
          'The `notifyUrl` of a `/checkout` URL that you build yourself. The hash of such a URL covers it.',
      }),
    ),
  },
  {
    title: 'ChargeHashRequest',
    description: 'The parts of a charge that its hash covers.',
    additionalProperties: false,
  },
);
