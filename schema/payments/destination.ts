import type { Destination } from '../../src/method/destination.ts';
import type { InstructionField, InstructionRow } from '../../src/method/instructions.ts';
import { builder } from '../kit/builder.ts';

const fieldDescriptions: Record<InstructionField, string> = {
  bank: 'The customer chooses the bank or wallet of the account, or compares it with the one that the app shows.',
  account_number: 'The customer enters the number of the receiving account.',
  account_name:
    'The name of the account holder. The customer enters it, or compares it with the name that the app shows.',
  amount: 'The customer enters the amount.',
  reference: 'The customer enters the payment reference in the field of the app for a message or remark.',
  bsb: 'The customer enters the BSB, which identifies the bank and branch of an Australian account.',
  pay_id:
    'The customer chooses to pay to a PayID, and enters it: a mobile number, an email address or an ABN.',
  upi_id: 'The customer chooses to pay to a UPI ID, and enters it.',
  ifsc: 'The customer enters the IFSC, which identifies the branch of an Indian bank.',
  uen: 'The customer chooses to pay to a UEN, the PayNow identifier of a business in Singapore, and enters it.',
  mobile:
    'The customer chooses to pay to a mobile number (FPS, PayNow or PromptPay), and enters it without the country calling code.',
  email: 'The customer chooses to pay to an email address (FPS), and enters it.',
  fps_id:
    'The customer chooses to pay to an FPS ID, which identifies an account in Hong Kong, and enters it.',
  biller_id: 'The customer chooses to pay a bill, and enters the biller ID of the merchant (PromptPay).',
  reference1: 'The customer enters the payment reference in the first reference field of a bill (PromptPay).',
  reference2:
    'The customer enters the second reference of a bill (PromptPay), which is the same for all payments.',
  tax_id: 'The customer chooses to pay to a national or tax ID (PromptPay), and enters it.',
  e_wallet_id: 'The customer chooses to pay to an e-wallet ID (PromptPay), and enters it.',
  merchant_name:
    'The name that the app shows after the customer has scanned the QR code. The customer only compares it.',
};

const InstructionFieldEnum = builder.enumType('InstructionField', {
  description:
    'What the customer enters or chooses in the payment app. The label of each value is `rows.<value>` in the translations.',
  values: Object.fromEntries(
    Object.entries(fieldDescriptions).map(([field, description]) => [field, { description }]),
  ) as Record<InstructionField, { description: string }>,
});

const InstructionRowType = builder.objectRef<InstructionRow>('InstructionRow').implement({
  description: 'A value that the customer enters or chooses in the payment app.',
  fields: (t) => ({
    field: t.expose('field', {
      type: InstructionFieldEnum,
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
