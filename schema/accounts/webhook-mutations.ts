import type { Webhook } from '../../prisma/client/client.ts';
import { createWebhook, type NewWebhook } from '../../src/domain/accounts/webhook/create-webhook.ts';
import { deleteWebhook } from '../../src/domain/accounts/webhook/delete-webhook.ts';
import { rotateWebhookSecret } from '../../src/domain/accounts/webhook/rotate-webhook-secret.ts';
import { updateWebhook } from '../../src/domain/accounts/webhook/update-webhook.ts';
import { builder } from '../kit/builder.ts';
import { type GraphqlContext, getMerchantScope, requireMerchantCaller } from '../kit/graphql-context.ts';
import { redactOnReplay } from '../kit/idempotency-plugin.ts';
import { WebhookType } from './webhook.ts';

/**
 * Returns the owner and audit context of webhook changes. Uses the machine's time, as deliveries do, not a
 * test clock.
 */
function getWebhookContext(context: GraphqlContext) {
  const { actor } = requireMerchantCaller(context);
  return { ...getMerchantScope(context), actor, address: context.address, now: context.clock.now() };
}

const webhookIdArg = { required: true, description: 'The ID of the webhook, `wh_…`.' } as const;
const descriptions = {
  url: 'The https URL to which notifications are sent. In the sandbox, http is allowed too.',
  username: 'The username for HTTP Basic authentication, without a colon.',
  version: 'The notification version: `0.8`, `0.9` (the default) or `1.0`.',
  messages:
    'The event types to send, from those of the notification version. An empty list selects all of them.',
  concurrency:
    'The maximum number of concurrent deliveries to the webhook, 1 to 50. Without a limit, each worker sends up to 10.',
  ratePerSecond:
    'The maximum number of attempts started per second, 1 to 1,000. By default, there is no limit.',
  signed:
    'Whether notifications also carry a `webhook-signature` as defined by the Standard Webhooks specification.',
};

const CreateWebhookInput = builder.inputType('CreateWebhookInput', {
  description: 'The properties of a new webhook.',
  fields: (t) => ({
    url: t.string({ required: true, description: descriptions.url }),
    username: t.string({ required: true, description: descriptions.username }),
    password: t.string({
      description:
        'The password for HTTP Basic authentication. If omitted, a password is generated and shown once.',
    }),
    notificationVersion: t.string({ description: descriptions.version }),
    eventTypes: t.stringList({ description: descriptions.messages }),
    concurrency: t.int({ description: descriptions.concurrency }),
    ratePerSecond: t.int({ description: descriptions.ratePerSecond }),
    isSigned: t.boolean({ description: descriptions.signed }),
  }),
});

const CreateWebhookSuccess = builder.objectRef<NewWebhook>('CreateWebhookSuccess').implement({
  description: 'The webhook was created and receives all events from now on.',
  fields: (t) => ({
    webhook: t.expose('webhook', { type: WebhookType, description: 'The webhook.' }),
    password: t.exposeString('password', {
      ...redactOnReplay,
      nullable: true,
      description: 'The generated password; null if you provided one. It is not shown again.',
    }),
    signingSecret: t.exposeString('signingSecret', {
      ...redactOnReplay,
      nullable: true,
      description:
        'The signing secret, `whsec_…`; null if notifications are not signed. It is not shown again.',
    }),
  }),
});

builder.mutationField('createWebhook', (t) =>
  t.field({
    type: CreateWebhookSuccess,
    errors: {},
    authScopes: { permission: 'manage' },
    description: 'Creates a webhook. Permission: `manage`.',
    args: {
      input: t.arg({
        type: CreateWebhookInput,
        required: true,
        description: 'The properties of the new webhook.',
      }),
    },
    resolve: (_root, { input }, context) =>
      createWebhook(context.service, { ...getWebhookContext(context), input }),
  }),
);

const UpdateWebhookInput = builder.inputType('UpdateWebhookInput', {
  description: 'The changes to a webhook. Omitted fields remain unchanged.',
  fields: (t) => ({
    id: t.id(webhookIdArg),
    url: t.string({ description: descriptions.url }),
    username: t.string({ description: descriptions.username }),
    password: t.string({
      description:
        'The password for HTTP Basic authentication. Required if the URL is changed to another host.',
    }),
    notificationVersion: t.string({ description: descriptions.version }),
    eventTypes: t.stringList({ description: descriptions.messages }),
    concurrency: t.int({ description: `${descriptions.concurrency} Null removes the limit.` }),
    ratePerSecond: t.int({ description: `${descriptions.ratePerSecond} Null removes the limit.` }),
    isSigned: t.boolean({
      description: `${descriptions.signed} Disabling signatures deletes the signing secret.`,
    }),
    isEnabled: t.boolean({
      description:
        'Whether the webhook is enabled. While it is disabled, its notifications are recorded as skipped; use `replayNotifications` to send them.',
    }),
  }),
});

const UpdateWebhookSuccess = builder.objectRef<NewWebhook>('UpdateWebhookSuccess').implement({
  description: 'The webhook was updated.',
  fields: (t) => ({
    webhook: t.expose('webhook', { type: WebhookType, description: 'The webhook.' }),
    signingSecret: t.exposeString('signingSecret', {
      ...redactOnReplay,
      nullable: true,
      description: 'The signing secret, if signatures were enabled by this update. It is not shown again.',
    }),
  }),
});

builder.mutationField('updateWebhook', (t) =>
  t.field({
    type: UpdateWebhookSuccess,
    errors: {},
    authScopes: { permission: 'manage' },
    description: 'Updates, enables or disables a webhook. Permission: `manage`.',
    args: {
      input: t.arg({ type: UpdateWebhookInput, required: true, description: 'The changes to the webhook.' }),
    },
    resolve: (_root, { input }, context) => {
      const { id, ...changes } = input;
      return updateWebhook(context.service, { ...getWebhookContext(context), id, input: changes });
    },
  }),
);

const DeleteWebhookInput = builder.inputType('DeleteWebhookInput', {
  description: 'The webhook to delete.',
  fields: (t) => ({ id: t.id(webhookIdArg) }),
});

const DeleteWebhookSuccess = builder.objectRef<{ webhook: Webhook }>('DeleteWebhookSuccess').implement({
  description: 'The webhook was deleted and receives no more notifications.',
  fields: (t) => ({ webhook: t.expose('webhook', { type: WebhookType, description: 'The webhook.' }) }),
});

builder.mutationField('deleteWebhook', (t) =>
  t.field({
    type: DeleteWebhookSuccess,
    errors: {},
    authScopes: { permission: 'manage' },
    description: 'Deletes a webhook. Its notifications remain in the delivery log. Permission: `manage`.',
    args: {
      input: t.arg({ type: DeleteWebhookInput, required: true, description: 'The webhook to delete.' }),
    },
    resolve: async (_root, { input: { id } }, context) => ({
      webhook: await deleteWebhook(context.service, { ...getWebhookContext(context), id }),
    }),
  }),
);

const RotateWebhookSecretInput = builder.inputType('RotateWebhookSecretInput', {
  description:
    'The webhook whose signing secret is replaced, and the overlap during which the old secret also signs.',
  fields: (t) => ({
    id: t.id(webhookIdArg),
    overlapHours: t.int({
      description:
        'The number of hours during which notifications carry both signatures, 0 to 168. The default is 24. 0 retires the old secret immediately, and is required while an earlier secret still signs too (`previousSecretExpiresAt`).',
    }),
  }),
});

const RotateWebhookSecretSuccess = builder
  .objectRef<NewWebhook & { signingSecret: string }>('RotateWebhookSecretSuccess')
  .implement({
    description: 'The signing secret was replaced.',
    fields: (t) => ({
      webhook: t.expose('webhook', { type: WebhookType, description: 'The webhook.' }),
      signingSecret: t.exposeString('signingSecret', {
        ...redactOnReplay,
        nullable: true,
        description:
          'The new signing secret, `whsec_…`. It is not shown again: it is null if the response is repeated for an `Idempotency-Key`.',
      }),
    }),
  });

const defaultOverlapHours = 24;

builder.mutationField('rotateWebhookSecret', (t) =>
  t.field({
    type: RotateWebhookSecretSuccess,
    errors: {},
    authScopes: { permission: 'manage' },
    description: 'Replaces the signing secret of a webhook. Permission: `manage`.',
    args: {
      input: t.arg({
        type: RotateWebhookSecretInput,
        required: true,
        description: 'The webhook, and the overlap of its signing secrets.',
      }),
    },
    resolve: (_root, { input }, context) => {
      const overlapHours = input.overlapHours ?? defaultOverlapHours;
      return rotateWebhookSecret(context.service, {
        ...getWebhookContext(context),
        id: input.id,
        overlapHours,
      });
    },
  }),
);
