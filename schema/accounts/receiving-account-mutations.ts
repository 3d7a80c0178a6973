import type { ReceivingAccount } from '../../prisma/client/client.ts';
import { createReceivingAccount } from '../../src/domain/accounts/receiving-account/create-receiving-account.ts';
import { updateReceivingAccount } from '../../src/domain/accounts/receiving-account/update-receiving-account.ts';
import { builder } from '../kit/builder.ts';
import { acting } from '../kit/graphql-context.ts';
import { ReceivingAccountStatus, ReceivingAccountType } from './receiving-account.ts';
import { ReceivingAccountDetailsInput, readDetails } from './receiving-account-details.ts';

const texts = {
  holder: 'The holder as customers see it, at most 140 characters.',
  bank: 'The bank or wallet as the customer’s app shows it; left out: as the details say.',
  minAmount: 'The smallest amount it takes, in its currency; null: that of the method.',
  maxAmount: 'The largest amount it takes, in its currency; null: that of the method.',
  windowMinutes:
    'How many minutes a charge on it waits for its money, 5 to 43,200; null: as your settings say.',
  weight: 'Its share of new charges among your accounts for the same method, 1 to 100.',
  timeZone: 'The IANA time zone of its days, for transfers that carry only a date.',
  uniqueAmountsMax:
    'Where payments carry no reference: how many whole units may be added to an amount so that no two open charges ask the same, 1 to 999; null: nothing is added, and its transfers are assigned by hand.',
};

const CreateReceivingAccountInput = builder.inputType('CreateReceivingAccountInput', {
  description: 'Where customers are to pay to.',
  fields: (t) => ({
    details: t.field({
      type: ReceivingAccountDetailsInput,
      required: true,
      description: 'The account itself. It cannot be changed later: another number is another account.',
    }),
    holder: t.string({ required: true, description: texts.holder }),
    bank: t.string({ description: texts.bank }),
    currency: t.field({
      type: 'CurrencyCode',
      description: 'The currency it is kept in, to be sure: it must be that of the payment method.',
    }),
    minAmount: t.field({ type: 'Decimal', description: texts.minAmount }),
    maxAmount: t.field({ type: 'Decimal', description: texts.maxAmount }),
    windowMinutes: t.int({ description: texts.windowMinutes }),
    weight: t.int({ description: `${texts.weight} 1 when left out.` }),
    timeZone: t.string({ description: `${texts.timeZone} That of the country when left out.` }),
    uniqueAmountsMax: t.int({ description: texts.uniqueAmountsMax }),
  }),
});

const CreateReceivingAccountSuccess = successOf(
  'CreateReceivingAccountSuccess',
  'The account was made and takes new charges.',
);

builder.mutationField('createReceivingAccount', (t) =>
  t.field({
    type: CreateReceivingAccountSuccess,
    errors: {},
    authScopes: { permission: 'manage' },
    description:
      'Adds a bank account or wallet that customers pay to. In live mode all owners are told by mail. Permission: `manage`.',
    args: { input: t.arg({ type: CreateReceivingAccountInput, required: true, description: 'Where.' }) },
    resolve: async (_root, { input: { details: given, ...terms } }, context) => {
      const { method, details, detailsPath } = readDetails(given);
      const input = { ...terms, method, details };
      const options = { ...acting(context), input, detailsPath };
      return { receivingAccount: await createReceivingAccount(context.service, options) };
    },
  }),
);

const UpdateReceivingAccountInput = builder.inputType('UpdateReceivingAccountInput', {
  description:
    'What to change of an account: what is left out stays as it is. It holds for new charges; those that are open keep what their customers were shown.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The id of the account, `acc_…`.' }),
    status: t.field({
      type: ReceivingAccountStatus,
      description:
        'Retires it or takes it up again. A retired one is changed only together with being taken up again.',
    }),
    holder: t.string({ description: texts.holder }),
    bank: t.string({ description: 'The bank or wallet as the customer’s app shows it.' }),
    minAmount: t.field({ type: 'Decimal', description: texts.minAmount }),
    maxAmount: t.field({ type: 'Decimal', description: texts.maxAmount }),
    windowMinutes: t.int({ description: texts.windowMinutes }),
    weight: t.int({ description: texts.weight }),
    timeZone: t.string({ description: texts.timeZone }),
    uniqueAmountsMax: t.int({ description: texts.uniqueAmountsMax }),
  }),
});

const UpdateReceivingAccountSuccess = successOf('UpdateReceivingAccountSuccess', 'The account has changed.');

builder.mutationField('updateReceivingAccount', (t) =>
  t.field({
    type: UpdateReceivingAccountSuccess,
    errors: {},
    authScopes: { permission: 'manage' },
    description:
      'Changes the terms of a receiving account, retires it or takes it up again. Charges that are open on a retired account still complete. In live mode all owners are told by mail. Permission: `manage`.',
    args: {
      input: t.arg({ type: UpdateReceivingAccountInput, required: true, description: 'What to change.' }),
    },
    resolve: async (_root, { input: { id, ...input } }, context) => {
      const options = { ...acting(context), id, input };
      return { receivingAccount: await updateReceivingAccount(context.service, options) };
    },
  }),
);

function successOf(name: string, description: string) {
  return builder.objectRef<{ receivingAccount: ReceivingAccount }>(name).implement({
    description,
    fields: (t) => ({
      receivingAccount: t.expose('receivingAccount', {
        type: ReceivingAccountType,
        description: 'The account.',
      }),
    }),
  });
}
