import { changeSubscriptionTerms } from '../../src/domain/billing/subscription/change-subscription-terms.ts';
import {
  pauseSubscription,
  resumeSubscription,
} from '../../src/domain/billing/subscription/pause-subscription.ts';
import { replaceSubscriptionLinks } from '../../src/domain/billing/subscription/replace-subscription-links.ts';
import { skipPayment } from '../../src/domain/billing/subscription/skip-payment.ts';
import { builder } from '../kit/builder.ts';
import { toMutationContext } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { SubscriptionContractType, subscriptionId } from './subscription.ts';

const codes =
  '`subscription_not_found`, with `subscription_unstarted` before the first payment, with `subscription_ended` if the subscription is completed or cancelled';

const PauseSubscriptionInput = builder.inputType('PauseSubscriptionInput', {
  description: 'The subscription to pause.',
  fields: (t) => ({
    id: t.id(subscriptionId),
    resumesAt: t.field({
      type: 'DateTime',
      description:
        'The time at which the subscription resumes automatically, at most 10 years from now. If omitted, it is paused until you resume it.',
    }),
  }),
});

const PauseSubscriptionSuccess = successType('PauseSubscriptionSuccess', {
  description:
    'The result of pausing a subscription. Its open invoice is void, and its pending charges are cancelled.',
  fields: {
    subscription: {
      type: SubscriptionContractType,
      description: 'The subscription, with the status `inactive` and the phase `paused`.',
    },
  },
});

builder.mutationField('pauseSubscription', (t) =>
  t.field({
    type: PauseSubscriptionSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description: `Pauses a subscription until \`resumesAt\`, or until you resume it: no payment is due, and the customer is informed by email. The mutation fails with ${codes}, with \`invalid_request\` if \`resumesAt\` is not in the future, or with \`subscription_paused\` if you have already paused it. Requires the permission \`write\`.`,
    args: {
      input: t.arg({
        type: PauseSubscriptionInput,
        required: true,
        description: 'The subscription to pause.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      subscription: await pauseSubscription(context.service, { ...toMutationContext(context), ...input }),
    }),
  }),
);

const ResumeSubscriptionInput = builder.inputType('ResumeSubscriptionInput', {
  description: 'The subscription to resume.',
  fields: (t) => ({ id: t.id(subscriptionId) }),
});

const ResumeSubscriptionSuccess = successType('ResumeSubscriptionSuccess', {
  description:
    'The result of resuming a subscription. The paid time that remained at the pause continues from now on.',
  fields: {
    subscription: {
      type: SubscriptionContractType,
      description: 'The subscription, with the status `active`.',
    },
  },
});

builder.mutationField('resumeSubscription', (t) =>
  t.field({
    type: ResumeSubscriptionSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description: `Resumes a subscription that you paused, and informs the customer by email. If no paid time was left, the next payment is due immediately. The mutation fails with ${codes}, or with \`subscription_not_paused\` if you have not paused it. Requires the permission \`write\`.`,
    args: {
      input: t.arg({
        type: ResumeSubscriptionInput,
        required: true,
        description: 'The subscription to resume.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      subscription: await resumeSubscription(context.service, { ...toMutationContext(context), ...input }),
    }),
  }),
);

const SkipSubscriptionPaymentInput = builder.inputType('SkipSubscriptionPaymentInput', {
  description: 'The subscription whose next payment is skipped.',
  fields: (t) => ({ id: t.id(subscriptionId) }),
});

const SkipSubscriptionPaymentSuccess = successType('SkipSubscriptionPaymentSuccess', {
  description: 'The result of skipping a payment. The open invoice is void.',
  fields: {
    subscription: {
      type: SubscriptionContractType,
      description: 'The subscription, whose `activeUntil` is one billing period later.',
    },
  },
});

builder.mutationField('skipSubscriptionPayment', (t) =>
  t.field({
    type: SkipSubscriptionPaymentSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description: `Skips the next payment of an active subscription: the customer gets the period for free, and an email. The skipped payment does not count toward \`numPaymentsComplete\`. The mutation fails with ${codes}, or with \`subscription_paused\` if the subscription is paused. Requires the permission \`write\`.`,
    args: {
      input: t.arg({
        type: SkipSubscriptionPaymentInput,
        required: true,
        description: 'The subscription whose next payment is skipped.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      subscription: await skipPayment(context.service, { ...toMutationContext(context), ...input }),
    }),
  }),
);

const ReplaceSubscriptionLinksInput = builder.inputType('ReplaceSubscriptionLinksInput', {
  description: 'The subscription whose links are replaced.',
  fields: (t) => ({ id: t.id(subscriptionId) }),
});

const ReplaceSubscriptionLinksSuccess = successType('ReplaceSubscriptionLinksSuccess', {
  description: 'The result of replacing the links of a subscription.',
  fields: {
    subscription: {
      type: SubscriptionContractType,
      description: 'The subscription with its new `manageUrl`.',
    },
  },
});

builder.mutationField('replaceSubscriptionLinks', (t) =>
  t.field({
    type: ReplaceSubscriptionLinksSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description:
      'Replaces the links to the customer’s page of a subscription and to its invoices, for example if they were forwarded. Earlier links fail with `link_closed`. If the plan sends emails, the customer receives the new link. The mutation fails with `subscription_not_found`. Requires the permission `write`.',
    args: {
      input: t.arg({
        type: ReplaceSubscriptionLinksInput,
        required: true,
        description: 'The subscription whose links are replaced.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      subscription: await replaceSubscriptionLinks(context.service, {
        ...toMutationContext(context),
        ...input,
      }),
    }),
  }),
);

const ChangeSubscriptionTermsInput = builder.inputType('ChangeSubscriptionTermsInput', {
  description: 'The new plan or price of a subscription.',
  fields: (t) => ({
    id: t.id(subscriptionId),
    subscriptionPlanId: t.id({
      description:
        'The ID of the new plan, `pl_…`: an active plan in the same currency. If omitted, the plan stays the same.',
    }),
    amount: t.field({
      type: 'Decimal',
      description:
        'The new recurring price, in major units. It includes tax if the amounts of the plan do. If omitted, it is the price of the plan.',
    }),
  }),
});

const ChangeSubscriptionTermsSuccess = successType('ChangeSubscriptionTermsSuccess', {
  description: 'The result of changing the terms of a subscription, from its next invoice on.',
  fields: {
    subscription: {
      type: SubscriptionContractType,
      description: 'The subscription with its new plan and price.',
    },
  },
});

builder.mutationField('changeSubscriptionTerms', (t) =>
  t.field({
    type: ChangeSubscriptionTermsSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'write' },
    description: `Changes the plan or the price of a subscription from the next invoice on, and informs the customer by email. The paid period and an open invoice remain unchanged, and nothing is prorated; to apply the change to an open invoice, reissue it with \`voidInvoice\`. The payment methods become those of the new plan. The mutation fails with ${codes}, with \`subscription_plan_not_found\`, or with \`subscription_plan_inactive\` if the new plan is closed. Requires the permission \`write\`.`,
    args: {
      input: t.arg({
        type: ChangeSubscriptionTermsInput,
        required: true,
        description: 'The new plan or price.',
      }),
    },
    resolve: async (_root, { input: { id, ...input } }, context) => ({
      subscription: await changeSubscriptionTerms(context.service, {
        ...toMutationContext(context),
        id,
        input,
      }),
    }),
  }),
);
