import type { Webhook } from '../../prisma/client/client.ts';
import { createWebhook, type NewWebhook } from '../../src/domain/accounts/webhook/create-webhook.ts';
import { deleteWebhook } from '../../src/domain/accounts/webhook/delete-webhook.ts';
import { rotateWebhookSecret } from '../../src/domain/accounts/webhook/rotate-webhook-secret.ts';
import { updateWebhook } from '../../src/domain/accounts/webhook/update-webhook.ts';
import { builder } from '../kit/builder.ts';
import { type GraphqlContext, merchantCaller, owned } from '../kit/graphql-context.ts';
import { shownOnce } from '../kit/once-plugin.ts';
import { WebhookType } from './webhook.ts';

/** Whose webhooks, and who changes them: at the machine's time, by which they are delivered. */
function changingWebhooks(context: GraphqlContext) {
  const { actor } = merchantCaller(context);
  return { ...owned(context), actor, address: context.address, now: context.clock.now() };
}

const idOfWebhook = { required: true, description: 'The id of the webhook, `wh_…`.' } as const;
const texts = {
  url: 'Where the notifications go: an https address; in the sandbox http too.',
  username: 'The user name they carry by HTTP Basic, without a colon.',
  version: 'The notification version: `0.8`, `0.9` (the default) or `1.0`.',
  messages: 'Only these messages, of those of its version; none: all of them.',
  concurrency: 'How many deliveries go to it side by side, 1 to 50; none: 10 from each worker.',
  ratePerSecond: 'How many attempts begin in a second at most, 1 to 1,000; none: no limit.',
  signed: 'Whether notifications also carry `webhook-signature` after the Standard Webhooks specification.',
};

const CreateWebhookInput = builder.inputType('CreateWebhookInput', {
  description: 'Whom to tell, and of what.',
  fields: (t) => ({
    url: t.string({ required: true, description: texts.url }),
    username: t.string({ required: true, description: texts.username }),
    password: t.string({ description: 'The password they carry; left out, one is made and shown once.' }),
    version: t.string({ description: texts.version }),
    messages: t.stringList({ description: texts.messages }),
    concurrency: t.int({ description: texts.concurrency }),
    ratePerSecond: t.int({ description: texts.ratePerSecond }),
    signed: t.boolean({ description: texts.signed }),
  }),
});

const CreateWebhookSuccess = builder.objectRef<NewWebhook>('CreateWebhookSuccess').implement({
  description: 'The webhook was made: it is told of everything from now on.',
  fields: (t) => ({
    webhook: t.expose('webhook', { type: WebhookType, description: 'The webhook.' }),
    password: t.exposeString('password', {
      ...shownOnce,
      nullable: true,
      description: 'The password that was made; null when you gave one. It is not shown again.',
    }),
    signingSecret: t.exposeString('signingSecret', {
      ...shownOnce,
      nullable: true,
      description:
        'The secret of its signatures, `whsec_…`; null when it is not signed. It is not shown again.',
    }),
  }),
});

builder.mutationField('createWebhook', (t) =>
  t.field({
    type: CreateWebhookSuccess,
    errors: {},
    authScopes: { permission: 'manage' },
    description: 'Creates a webhook. Permission: `manage`.',
    args: { input: t.arg({ type: CreateWebhookInput, required: true, description: 'Whom to tell.' }) },
    resolve: (_root, { input }, context) =>
      createWebhook(context.service, { ...changingWebhooks(context), input }),
  }),
);

const UpdateWebhookInput = builder.inputType('UpdateWebhookInput', {
  description: 'What to change of a webhook: what is left out stays as it is.',
  fields: (t) => ({
    id: t.id(idOfWebhook),
    url: t.string({ description: texts.url }),
    username: t.string({ description: texts.username }),
    password: t.string({ description: 'The password they carry; needed with an address on another host.' }),
    version: t.string({ description: texts.version }),
    messages: t.stringList({ description: texts.messages }),
    concurrency: t.int({ description: `${texts.concurrency} Null takes the limit away.` }),
    ratePerSecond: t.int({ description: `${texts.ratePerSecond} Null takes the limit away.` }),
    signed: t.boolean({ description: `${texts.signed} Turned off, its secret is forgotten.` }),
    enabled: t.boolean({
      description:
        'Switches it on or off. While it is off its notifications are recorded as skipped: `replayNotifications` sends them.',
    }),
  }),
});

const UpdateWebhookSuccess = builder.objectRef<NewWebhook>('UpdateWebhookSuccess').implement({
  description: 'The webhook was changed.',
  fields: (t) => ({
    webhook: t.expose('webhook', { type: WebhookType, description: 'The webhook.' }),
    signingSecret: t.exposeString('signingSecret', {
      ...shownOnce,
      nullable: true,
      description: 'The secret of its signatures, when they were turned on just now. It is not shown again.',
    }),
  }),
});

builder.mutationField('updateWebhook', (t) =>
  t.field({
    type: UpdateWebhookSuccess,
    errors: {},
    authScopes: { permission: 'manage' },
    description: 'Changes a webhook, or switches it on or off. Permission: `manage`.',
    args: { input: t.arg({ type: UpdateWebhookInput, required: true, description: 'What to change.' }) },
    resolve: (_root, { input }, context) => {
      const { id, ...changes } = input;
      return updateWebhook(context.service, { ...changingWebhooks(context), id, input: changes });
    },
  }),
);

const DeleteWebhookInput = builder.inputType('DeleteWebhookInput', {
  description: 'Which webhook to delete.',
  fields: (t) => ({ id: t.id(idOfWebhook) }),
});

const DeleteWebhookSuccess = builder.objectRef<{ webhook: Webhook }>('DeleteWebhookSuccess').implement({
  description: 'The webhook was deleted: it is told of nothing more.',
  fields: (t) => ({ webhook: t.expose('webhook', { type: WebhookType, description: 'The webhook.' }) }),
});

builder.mutationField('deleteWebhook', (t) =>
  t.field({
    type: DeleteWebhookSuccess,
    errors: {},
    authScopes: { permission: 'manage' },
    description: 'Deletes a webhook; its deliveries stay in the log. Permission: `manage`.',
    args: { input: t.arg({ type: DeleteWebhookInput, required: true, description: 'Which webhook.' }) },
    resolve: async (_root, { input: { id } }, context) => ({
      webhook: await deleteWebhook(context.service, { ...changingWebhooks(context), id }),
    }),
  }),
);

const RotateWebhookSecretInput = builder.inputType('RotateWebhookSecretInput', {
  description: 'Which secret to replace, and how long the old one signs too.',
  fields: (t) => ({
    id: t.id(idOfWebhook),
    overlapHours: t.int({
      description:
        'For how many hours notifications carry both signatures, 0 to 168; 24 when left out. 0 ends the old secret at once, and is needed while another before it signs too (`lastSecretSignsUntil`).',
    }),
  }),
});

const RotateWebhookSecretSuccess = builder
  .objectRef<NewWebhook & { signingSecret: string }>('RotateWebhookSecretSuccess')
  .implement({
    description: 'There is another secret.',
    fields: (t) => ({
      webhook: t.expose('webhook', { type: WebhookType, description: 'The webhook.' }),
      signingSecret: t.exposeString('signingSecret', {
        ...shownOnce,
        nullable: true,
        description:
          'The new secret, `whsec_…`. It is not shown again: null in the repeat of an answer by `Idempotency-Key`.',
      }),
    }),
  });

const overlapHoursPreset = 24;

builder.mutationField('rotateWebhookSecret', (t) =>
  t.field({
    type: RotateWebhookSecretSuccess,
    errors: {},
    authScopes: { permission: 'manage' },
    description: 'Replaces the secret of a webhook’s signatures. Permission: `manage`.',
    args: { input: t.arg({ type: RotateWebhookSecretInput, required: true, description: 'Which secret.' }) },
    resolve: (_root, { input }, context) => {
      const overlapHours = input.overlapHours ?? overlapHoursPreset;
      return rotateWebhookSecret(context.service, {
        ...changingWebhooks(context),
        id: input.id,
        overlapHours,
      });
    },
  }),
);
