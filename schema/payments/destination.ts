import type { Destination } from '../../src/method/destination.ts';
import { type InstructionRow, instructionFields } from '../../src/method/instructions.ts';
import { builder } from '../kit/builder.ts';

const InstructionField = builder.enumType('InstructionField', {
  description: 'A field of the payment apps of a country. The translations contain a label for each field.',
  values: Object.fromEntries(
    instructionFields.map((field) => [
      field,
      { description: `The field whose label is \`rows.${field}\` in a translation.` },
    ]),
  ) as Record<(typeof instructionFields)[number], { description: string }>,
});

const InstructionRowType = builder.objectRef<InstructionRow>('InstructionRow').implement({
  description: 'A value that the customer enters or chooses in the payment app.',
  fields: (t) => ({
    field: t.expose('field', {
      type: InstructionField,
      description: 'The field of the payment app in which the customer enters the value.',
    }),
    value: t.exposeString('value', { description: 'The value, without separators that apps reject.' }),
    code: t.string({
      nullable: true,
      description:
        'The code of the bank, to show in brackets after its name. Null if the field is not the bank, or the bank has no code.',
      resolve: ({ code }) => code,
    }),
  }),
});

export const DestinationType = builder.objectRef<Destination>('Destination').implement({
  description: 'The payment instructions for the customer. Show them unchanged.',
  fields: (t) => ({
    qrCode: t.string({
      nullable: true,
      description: 'The content of the QR code that a payment app scans. Null if the method has no QR code.',
      resolve: ({ qrCode }) => qrCode || null,
    }),
    account: t.exposeString('account', {
      description: 'The account number, phone number or other identifier that the customer pays to.',
    }),
    paymentReference: t.exposeString('nonce', {
      description:
        'The payment reference of the charge. The customer enters it in the transfer, unless the QR code contains it or the method has no field for it.',
    }),
    accountName: t.exposeString('accountName', {
      description: 'The name of the account holder, with which the customer can check the account.',
    }),
    bank: t.exposeString('bank', {
      description: 'The name of the bank or wallet, as the customer’s app shows it.',
    }),
    deepLink: t.string({
      nullable: true,
      description:
        'The link that opens the payment in an app on the same phone. Null if the method has no such link.',
      resolve: (destination) => destination.deepLink,
    }),
    rows: t.field({
      type: [InstructionRowType],
      description:
        'The values that the customer enters, in the order in which the payment apps of the country ask for them. Each value can be copied separately.',
      resolve: ({ rows }) => rows,
    }),
  }),
});
