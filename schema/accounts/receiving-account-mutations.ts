import { createReceivingAccount } from '../../src/domain/accounts/receiving-account/create-receiving-account.ts';
import { updateReceivingAccount } from '../../src/domain/accounts/receiving-account/update-receiving-account.ts';
import { builder } from '../kit/builder.ts';
import { toRequestContext } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { ReceivingAccountStatus, ReceivingAccountType } from './receiving-account.ts';
import { ReceivingAccountDetailsInput, readDetails } from './receiving-account-details.ts';

const descriptions = {
  holder: 'The name of the account holder as customers see it, at most 140 characters.',
  bank: 'The name of the bank or wallet, as the customer’s app shows it. If omitted, it is derived from the account details.',
  minAmount:
    'The minimum amount of a payment, in major units of the currency of the account. If null, the minimum of the payment method applies.',
  maxAmount:
    'The maximum amount of a payment, in major units of the currency of the account. If null, the maximum of the payment method applies.',
  paymentWindowMinutes:
    'The number of minutes for which charges to this account stay open for payment, 5 to 43,200. If null, the payment window in your settings applies.',
  weight:
    'The weight of the account, 1 to 100. New charges are distributed over your accounts for the same payment method in proportion to their weights.',
  timeZone:
    'The IANA time zone of dates, and of times without an offset, in bank feeds and statements for this account.',
  maxAmountOffset:
    'The maximum number of whole currency units that can be added to an amount so that no two open charges have the same amount, 1 to 999. At most one percent of the amount is added. It applies only if payments to the account carry no reference. If null, nothing is added, and transfers must be assigned manually.',
  maxBankFee:
    'The largest fee that banks may deduct from a payment, in major units. A charge then completes in full, and the fee is recorded. A fee is never more than half of the amount. If null, no fixed fee is accepted.',
  maxBankFeeRate:
    'The largest fee as a fraction of the amount, at most 0.05, such as 0.015 for an acquirer that deducts 1.5%. If null, no such fee is accepted.',
  reusesBankReferences:
    'Whether the bank gives several payments the same bank reference, such as the number of a virtual account. The lines of its statements are then identified by their date, amount and text too. Set it before the first import.',
  sameBankAccountAs:
    'The ID of another of your receiving accounts, `acc_…`, that is the same bank account, for example because customers pay into it by two methods. Both must have the same currency. Statements and bank feeds of either account are then matched to the charges of both. The account takes over `timeZone` and `reusesBankReferences` of the other account, and later changes of these settings apply to both.',
};

const CreateReceivingAccountInput = builder.inputType('CreateReceivingAccountInput', {
  description: 'The properties of a new receiving account.',
  fields: (t) => ({
    details: t.field({
      type: ReceivingAccountDetailsInput,
      required: true,
      description:
        'The details that identify the account. They cannot be changed later. If the account number changes, create another receiving account.',
    }),
    accountName: t.string({ required: true, description: descriptions.holder }),
    bank: t.string({ description: descriptions.bank }),
    currency: t.field({
      type: 'CurrencyCode',
      description:
        'The currency of the account. It is optional and only serves as a check: it must be the currency of the payment method.',
    }),
    minAmount: t.field({ type: 'Decimal', description: descriptions.minAmount }),
    maxAmount: t.field({ type: 'Decimal', description: descriptions.maxAmount }),
    paymentWindowMinutes: t.int({ description: descriptions.paymentWindowMinutes }),
    weight: t.int({ description: `${descriptions.weight} The default is 1.` }),
    timeZone: t.string({
      description: `${descriptions.timeZone} The default is the time zone of the country.`,
    }),
    maxAmountOffset: t.int({
      description: `${descriptions.maxAmountOffset} The default is 999 if payments to the account carry no reference.`,
    }),
    maxBankFee: t.field({ type: 'Decimal', description: descriptions.maxBankFee }),
    maxBankFeeRate: t.field({ type: 'Decimal', description: descriptions.maxBankFeeRate }),
    reusesBankReferences: t.boolean({
      description: `${descriptions.reusesBankReferences} The default is false.`,
    }),
    sameBankAccountAs: t.id({ description: descriptions.sameBankAccountAs }),
  }),
});

const CreateReceivingAccountSuccess = successType('CreateReceivingAccountSuccess', {
  description: 'The result of creating a receiving account. The account accepts new charges.',
  fields: { receivingAccount: { type: ReceivingAccountType, description: 'The created receiving account.' } },
});

builder.mutationField('createReceivingAccount', (t) =>
  t.field({
    type: CreateReceivingAccountSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'manage' },
    description:
      'Creates a receiving account, which is a bank account or wallet to which customers pay. In live mode, all owners are notified by email. The mutation fails with `receiving_account_invalid` and lists all errors in the details and the settings. Requires the permission `manage`.',
    args: {
      input: t.arg({
        type: CreateReceivingAccountInput,
        required: true,
        description: 'The properties of the new receiving account.',
      }),
    },
    resolve: async (_root, { input: { details: detailsInput, ...settings } }, context) => {
      const { method, details, detailsPath } = readDetails(detailsInput);
      const input = { ...settings, method, details };
      const options = { ...toRequestContext(context), input, detailsPath };
      return { receivingAccount: await createReceivingAccount(context.service, options) };
    },
  }),
);

const UpdateReceivingAccountInput = builder.inputType('UpdateReceivingAccountInput', {
  description:
    'The changes to a receiving account. Omitted fields remain unchanged. The changes apply to new charges. Open charges keep the payment instructions that their customers were shown.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The ID of the receiving account, `acc_…`.' }),
    status: t.field({
      type: ReceivingAccountStatus,
      description:
        'The new status, which deactivates or reactivates the account. A retired account can be changed only if it is reactivated in the same request.',
    }),
    accountName: t.string({ description: descriptions.holder }),
    bank: t.string({ description: 'The name of the bank or wallet, as the customer’s app shows it.' }),
    minAmount: t.field({ type: 'Decimal', description: descriptions.minAmount }),
    maxAmount: t.field({ type: 'Decimal', description: descriptions.maxAmount }),
    paymentWindowMinutes: t.int({ description: descriptions.paymentWindowMinutes }),
    weight: t.int({ description: descriptions.weight }),
    timeZone: t.string({ description: descriptions.timeZone }),
    maxAmountOffset: t.int({ description: descriptions.maxAmountOffset }),
    maxBankFee: t.field({ type: 'Decimal', description: descriptions.maxBankFee }),
    maxBankFeeRate: t.field({ type: 'Decimal', description: descriptions.maxBankFeeRate }),
    reusesBankReferences: t.boolean({ description: descriptions.reusesBankReferences }),
    sameBankAccountAs: t.id({
      description: `${descriptions.sameBankAccountAs} If null, the account is separated from the others.`,
    }),
  }),
});

const UpdateReceivingAccountSuccess = successType('UpdateReceivingAccountSuccess', {
  description: 'The result of updating a receiving account. The changes apply to new charges.',
  fields: { receivingAccount: { type: ReceivingAccountType, description: 'The updated receiving account.' } },
});

builder.mutationField('updateReceivingAccount', (t) =>
  t.field({
    type: UpdateReceivingAccountSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'manage' },
    description:
      'Updates, deactivates or reactivates a receiving account. Open charges to a retired account can still complete. In live mode, all owners are notified by email. The mutation fails with `receiving_account_not_found`, with `receiving_account_retired` if the account is retired and not reactivated, or with `receiving_account_invalid`, which lists all errors in the settings. Requires the permission `manage`.',
    args: {
      input: t.arg({
        type: UpdateReceivingAccountInput,
        required: true,
        description: 'The changes to the receiving account.',
      }),
    },
    resolve: async (_root, { input: { id, ...input } }, context) => {
      const options = { ...toRequestContext(context), id, input };
      return { receivingAccount: await updateReceivingAccount(context.service, options) };
    },
  }),
);
