import {
  createIgnoreRule,
  deleteIgnoreRule,
  type IgnoreRulePreview,
  previewIgnoreRule,
} from '../../src/domain/money-in/transfer/review/ignore-rules.ts';
import { ReceivingAccountType } from '../accounts/receiving-account.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { TransferType } from './transfer.ts';
import { decisionContext } from './transfer-decisions.ts';

builder.prismaObjectField('ReceivingAccount', 'ignoredTexts', (t) =>
  t.exposeStringList('ignoredTexts', {
    description:
      'The texts of the ignore rules. A transfer whose reference or payer’s name contains one of them is dismissed when it is recorded, if it names no charge.',
  }),
);

const accountId = {
  required: true,
  description: 'The ID of the receiving account to which the rule belongs, `acc_…`.',
} as const;
const ruleText = {
  required: true,
  description:
    'The text that the reference or the payer’s name contains, 3 to 100 characters. Letter case is ignored.',
} as const;

const previewedTransfersMax = 10;

const IgnoreRulePreviewType = builder.objectRef<IgnoreRulePreview>('IgnoreRulePreview').implement({
  description:
    'The transfers that a rule would have ignored, among your 20,000 newest transfers. Transfers that were matched automatically are never ignored.',
  fields: (t) => ({
    count: t.int({
      description: 'The number of transfers that the rule would have ignored.',
      resolve: ({ ids }) => ids.length,
    }),
    unmatchedCount: t.int({
      description: 'The number of these transfers that need review now.',
      resolve: ({ unmatchedIds }) => unmatchedIds.length,
    }),
    assignedCount: t.exposeInt('assignedCount', {
      description:
        'The number of these transfers that you assigned to charges. If it is not zero, the rule ignores payments of customers.',
    }),
    transfers: t.field({
      type: [TransferType],
      description: 'The newest of these transfers, at most 10.',
      resolve: ({ ids }, _args, context) =>
        context.service.prisma.transfer.findMany({
          where: { ...getMerchantScope(context), id: { in: ids.slice(0, previewedTransfersMax) } },
          orderBy: { id: 'desc' },
        }),
    }),
  }),
});

builder.queryField('ignoreRulePreview', (t) =>
  t.field({
    type: IgnoreRulePreviewType,
    nullable: true,
    description:
      'Returns the transfers that an ignore rule would have ignored, so that you can check the rule before you add it.',
    args: { receivingAccountId: t.arg.id(accountId), text: t.arg.string(ruleText) },
    resolve: (_root, args, context) =>
      previewIgnoreRule(context.service, { ...getMerchantScope(context), ...args }),
  }),
);

const CreateIgnoreRuleInput = builder.inputType('CreateIgnoreRuleInput', {
  description: 'The rule to add, and the account to which it belongs.',
  fields: (t) => ({
    receivingAccountId: t.id(accountId),
    text: t.string(ruleText),
    dismissUnmatched: t.boolean({
      description:
        'Whether the newest transfers that need review and contain the text, at most 100, are dismissed immediately. The default is false.',
    }),
  }),
});

const CreateIgnoreRuleSuccess = successType('CreateIgnoreRuleSuccess', {
  description: 'The result of adding an ignore rule.',
  fields: {
    receivingAccount: {
      property: 'account',
      type: ReceivingAccountType,
      description: 'The receiving account with its rules.',
    },
    dismissedCount: {
      type: 'Int',
      description:
        'The number of transfers that the mutation dismissed. Zero unless `dismissUnmatched` is true.',
    },
  },
});

builder.mutationField('createIgnoreRule', (t) =>
  t.field({
    type: CreateIgnoreRuleSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'transfers' },
    description:
      'Adds a rule to a receiving account: transfers that name no charge and contain the text, such as `INTEREST`, are dismissed when they are recorded. The money stays on the account. Check the rule with `ignoreRulePreview` first. The mutation fails with `receiving_account_not_found`, or with `invalid_request` if the rule exists or the account already has 50 rules. Requires the permission `transfers`.',
    args: { input: t.arg({ type: CreateIgnoreRuleInput, required: true, description: 'The rule to add.' }) },
    resolve: (_root, { input }, context) =>
      createIgnoreRule(context.service, { ...decisionContext(context), input }),
  }),
);

const DeleteIgnoreRuleInput = builder.inputType('DeleteIgnoreRuleInput', {
  description: 'The rule to remove.',
  fields: (t) => ({
    receivingAccountId: t.id(accountId),
    text: t.string({
      required: true,
      description: 'The text of the rule, exactly as it is listed in `ReceivingAccount.ignoredTexts`.',
    }),
  }),
});

const DeleteIgnoreRuleSuccess = successType('DeleteIgnoreRuleSuccess', {
  description: 'The result of removing an ignore rule.',
  fields: {
    receivingAccount: {
      property: 'account',
      type: ReceivingAccountType,
      description: 'The receiving account with the remaining rules.',
    },
  },
});

builder.mutationField('deleteIgnoreRule', (t) =>
  t.field({
    type: DeleteIgnoreRuleSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'transfers' },
    description:
      'Removes an ignore rule. Transfers that it dismissed stay dismissed. The mutation fails with `receiving_account_not_found`, or with `invalid_request` if the account has no such rule. Requires the permission `transfers`.',
    args: {
      input: t.arg({ type: DeleteIgnoreRuleInput, required: true, description: 'The rule to remove.' }),
    },
    resolve: async (_root, { input }, context) => ({
      account: await deleteIgnoreRule(context.service, { ...decisionContext(context), input }),
    }),
  }),
);
