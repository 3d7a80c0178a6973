import { createWebhook } from '../../src/domain/accounts/webhook/create-webhook.ts';
import { deleteWebhook } from '../../src/domain/accounts/webhook/delete-webhook.ts';
import { rotateWebhookSecret } from '../../src/domain/accounts/webhook/rotate-webhook-secret.ts';
import { updateWebhook } from '../../src/domain/accounts/webhook/update-webhook.ts';
import { builder } from '../kit/builder.ts';
import { toSystemContext } from '../kit/graphql-context.ts';
import { redactOnReplay } from '../kit/idempotency-plugin.ts';
import { successType } from '../kit/success-type.ts';
import { EventTypeEnum, NotificationVersionEnum } from '../platform/event-type.ts';
import { WebhookType } from './webhook.ts';

const webhookIdArg = { required: true, description: 'The ID of the webhook, `wh_…`.' } as const;
const descriptions = {
  name: 'Your own name for the webhook, at most 80 characters.',
  url: 'The URL to which notifications are sent. It must be an https URL; in the sandbox, http is allowed too.',
  username:
    'The username for HTTP Basic authentication, at most 255 characters. It must not contain a colon.',
  version:
    'The notification version, which determines the event types that the webhook can receive. The default for a new webhook is `v0_9`.',
  eventTypes:
    'The event types that the webhook receives. Each must belong to the notification version. An empty list selects all event types of the version.',
  concurrency:
    'The maximum number of concurrent deliveries to the webhook, 1 to 50. If there is no limit, which is the default, each worker sends up to 10 at a time.',
  ratePerSecond:
    'The maximum number of attempts that are started per second, 1 to 1,000. By default, there is no limit.',
  signed:
    'Whether notifications also carry a `webhook-signature` as defined by the Standard Webhooks specification.',
};

const CreateWebhookInput = builder.inputType('CreateWebhookInput', {
  description: 'The properties of a new webhook.',
  fields: (t) => ({
    name: t.string({ description: descriptions.name }),
    url: t.string({ required: true, description: descriptions.url }),
    username: t.string({ required: true, description: descriptions.username }),
    password: t.string({
      description:
        'The password for HTTP Basic authentication, at most 255 characters. If omitted, a password is generated and returned once.',
    }),
    notificationVersion: t.field({ type: NotificationVersionEnum, description: descriptions.version }),
    eventTypes: t.field({
      type: [EventTypeEnum],
      description: `${descriptions.eventTypes} The default is an empty list.`,
    }),
    concurrency: t.int({ description: descriptions.concurrency }),
    ratePerSecond: t.int({ description: descriptions.ratePerSecond }),
    isSigned: t.boolean({ description: `${descriptions.signed} The default is false.` }),
  }),
});

const CreateWebhookSuccess = successType('CreateWebhookSuccess', {
  description: 'The result of creating a webhook. The webhook receives notifications of all new events.',
  fields: {
    webhook: { type: WebhookType, description: 'The created webhook, without its secrets.' },
    password: {
      type: 'String',
      ...redactOnReplay,
      nullable: true,
      description:
        'The generated password. It is returned only once: it is null if the response is repeated for an `Idempotency-Key`. Also null if you provided a password.',
    },
    signingSecret: {
      type: 'String',
      ...redactOnReplay,
      nullable: true,
      description:
        'The signing secret, `whsec_…`. It is returned only once: it is null if the response is repeated for an `Idempotency-Key`. Also null if notifications are not signed.',
    },
  },
});

builder.mutationField('createWebhook', (t) =>
  t.field({
    type: CreateWebhookSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'manage' },
    description:
      'Creates a webhook for the mode of the request. Each mode can have 50 webhooks; after that, the mutation fails with `webhook_limit_reached`. It fails with `target_refused` if the URL points to a private address. Requires the permission `manage`.',
    args: {
      input: t.arg({
        type: CreateWebhookInput,
        required: true,
        description: 'The properties of the new webhook.',
      }),
    },
    resolve: (_root, { input }, context) =>
      createWebhook(context.service, { ...toSystemContext(context), input }),
  }),
);

const UpdateWebhookInput = builder.inputType('UpdateWebhookInput', {
  description: 'The changes to a webhook. Omitted fields remain unchanged.',
  fields: (t) => ({
    id: t.id(webhookIdArg),
    name: t.string({ description: `${descriptions.name} Null removes the name.` }),
    url: t.string({ description: descriptions.url }),
    username: t.string({ description: descriptions.username }),
    password: t.string({
      description:
        'The password for HTTP Basic authentication, at most 255 characters. Required if the scheme, host or port of the URL changes.',
    }),
    notificationVersion: t.field({ type: NotificationVersionEnum, description: descriptions.version }),
    eventTypes: t.field({ type: [EventTypeEnum], description: descriptions.eventTypes }),
    concurrency: t.int({ description: `${descriptions.concurrency} Null removes the limit.` }),
    ratePerSecond: t.int({ description: `${descriptions.ratePerSecond} Null removes the limit.` }),
    isSigned: t.boolean({
      description: `${descriptions.signed} Disabling signatures deletes the signing secret.`,
    }),
    isEnabled: t.boolean({
      description:
        'Whether the webhook is enabled. While it is disabled, its notifications get the status `skipped`. You can send them later with `replayNotifications`.',
    }),
  }),
});

const UpdateWebhookSuccess = successType('UpdateWebhookSuccess', {
  description: 'The result of updating a webhook. The changes apply to the next attempts.',
  fields: {
    webhook: { type: WebhookType, description: 'The updated webhook.' },
    signingSecret: {
      type: 'String',
      ...redactOnReplay,
      nullable: true,
      description:
        'The signing secret, if this update enabled signatures. Null otherwise. It is returned only once: it is null if the response is repeated for an `Idempotency-Key`.',
    },
  },
});

builder.mutationField('updateWebhook', (t) =>
  t.field({
    type: UpdateWebhookSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'manage' },
    description:
      'Updates, enables or disables a webhook. The mutation fails with `webhook_not_found`, or with `target_refused` if the URL points to a private address. Requires the permission `manage`.',
    args: {
      input: t.arg({ type: UpdateWebhookInput, required: true, description: 'The changes to the webhook.' }),
    },
    resolve: (_root, { input }, context) => {
      const { id, ...changes } = input;
      return updateWebhook(context.service, { ...toSystemContext(context), id, input: changes });
    },
  }),
);

const DeleteWebhookInput = builder.inputType('DeleteWebhookInput', {
  description: 'The webhook to delete.',
  fields: (t) => ({ id: t.id(webhookIdArg) }),
});

const DeleteWebhookSuccess = successType('DeleteWebhookSuccess', {
  description: 'The result of deleting a webhook. The webhook receives no more notifications.',
  fields: { deletedWebhookId: { property: 'id', type: 'ID', description: 'The ID of the deleted webhook.' } },
});

builder.mutationField('deleteWebhook', (t) =>
  t.field({
    type: DeleteWebhookSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'manage' },
    description:
      'Deletes a webhook. Its notifications remain in the delivery log. The mutation fails with `webhook_not_found` if the webhook does not exist. Requires the permission `manage`.',
    args: {
      input: t.arg({ type: DeleteWebhookInput, required: true, description: 'The webhook to delete.' }),
    },
    resolve: (_root, { input: { id } }, context) =>
      deleteWebhook(context.service, { ...toSystemContext(context), id }),
  }),
);

const RotateWebhookSecretInput = builder.inputType('RotateWebhookSecretInput', {
  description:
    'The webhook whose signing secret is replaced, and the time during which notifications are also signed with the old secret.',
  fields: (t) => ({
    id: t.id(webhookIdArg),
    overlapHours: t.int({
      description:
        'The number of hours during which notifications carry the signatures of both secrets, 0 to 168. The default is 24. With 0, the old secret becomes invalid immediately. Only 0 is allowed before `Webhook.previousSecretExpiresAt`.',
    }),
  }),
});

const RotateWebhookSecretSuccess = successType('RotateWebhookSecretSuccess', {
  description:
    'The result of replacing a signing secret. Notifications are signed with both secrets until the `previousSecretExpiresAt` of the webhook.',
  fields: {
    webhook: { type: WebhookType, description: 'The webhook whose signing secret was replaced.' },
    signingSecret: {
      type: 'String',
      ...redactOnReplay,
      nullable: true,
      description:
        'The new signing secret, `whsec_…`. It is returned only once: it is null if the response is repeated for an `Idempotency-Key`.',
    },
  },
});

const defaultOverlapHours = 24;

builder.mutationField('rotateWebhookSecret', (t) =>
  t.field({
    type: RotateWebhookSecretSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'manage' },
    description:
      'Replaces the signing secret of a webhook. The mutation fails with `webhook_not_found`, or with `webhook_unsigned` if signatures are not enabled for the webhook. Requires the permission `manage`.',
    args: {
      input: t.arg({
        type: RotateWebhookSecretInput,
        required: true,
        description:
          'The webhook whose signing secret is replaced, and the time during which notifications are also signed with the old secret.',
      }),
    },
    resolve: (_root, { input }, context) => {
      const overlapHours = input.overlapHours ?? defaultOverlapHours;
      return rotateWebhookSecret(context.service, {
        ...toSystemContext(context),
        id: input.id,
        overlapHours,
      });
    },
  }),
);
