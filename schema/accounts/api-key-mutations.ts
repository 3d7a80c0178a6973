import { createApiKey } from '../../src/domain/accounts/api-key/create-api-key.ts';
import { revokeApiKey } from '../../src/domain/accounts/api-key/revoke-api-key.ts';
import { rotateApiKey } from '../../src/domain/accounts/api-key/rotate-api-key.ts';
import { updateApiKey } from '../../src/domain/accounts/api-key/update-api-key.ts';
import { ownerOnlyDescription } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { toRequestContext } from '../kit/graphql-context.ts';
import { redactOnReplay } from '../kit/idempotency-plugin.ts';
import { successType } from '../kit/success-type.ts';
import { ApiKeyKind, ApiKeyType } from './api-key.ts';
import { PermissionEnum } from './user.ts';

const keyIdArg = { required: true, description: 'The ID of the key, `key_…`.' } as const;
const descriptions = {
  name: 'The name of the key, at most 80 characters.',
  permissions: 'The permissions of a secret key. The default is `read`, `write` and `refund`.',
  origins:
    'The allowed origins of the `notifyUrl` of checkout URLs, and of the `redirectUrl` of checkout links, that use this publishable key, such as `https://shop.example.com`. An empty list allows any origin.',
  secret:
    'The secret of the key. It is returned only once: it is null if the response is repeated for an `Idempotency-Key`. Also null for a publishable key, which has no secret.',
};

const CreateApiKeyInput = builder.inputType('CreateApiKeyInput', {
  description: 'The properties of a new API key.',
  fields: (t) => ({
    name: t.string({ required: true, description: descriptions.name }),
    kind: t.field({
      type: ApiKeyKind,
      required: true,
      description: 'Whether to create a secret key for your server or a publishable key for checkout URLs.',
    }),
    permissions: t.field({
      type: [PermissionEnum],
      description:
        'The permissions of a secret key. The default is `read`, `write` and `refund`. A publishable key has none.',
    }),
    allowedOrigins: t.stringList({
      description:
        'The allowed origins of the `notifyUrl` of checkout URLs, and of the `redirectUrl` of checkout links, that use this publishable key, such as `https://shop.example.com`. An empty list, which is the default, allows any origin.',
    }),
  }),
});

const CreateApiKeySuccess = successType('CreateApiKeySuccess', {
  description: 'The result of creating an API key. The key can be used immediately.',
  fields: {
    apiKey: { type: ApiKeyType, description: 'The created API key, without its secret.' },
    secret: { type: 'String', ...redactOnReplay, nullable: true, description: descriptions.secret },
  },
});

builder.mutationField('createApiKey', (t) =>
  t.field({
    type: CreateApiKeySuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { merchant: true },
    description: `Creates an API key for the mode of the request. ${ownerOnlyDescription}`,
    args: {
      input: t.arg({
        type: CreateApiKeyInput,
        required: true,
        description: 'The properties of the new API key.',
      }),
    },
    resolve: (_root, { input }, context) =>
      createApiKey(context.service, { ...toRequestContext(context), input }),
  }),
);

const UpdateApiKeyInput = builder.inputType('UpdateApiKeyInput', {
  description: 'The changes to an API key. Omitted fields remain unchanged.',
  fields: (t) => ({
    id: t.id(keyIdArg),
    name: t.string({ description: descriptions.name }),
    permissions: t.field({
      type: [PermissionEnum],
      description: 'The permissions of a secret key, which replace the current permissions.',
    }),
    allowedOrigins: t.stringList({ description: descriptions.origins }),
  }),
});

const UpdateApiKeySuccess = successType('UpdateApiKeySuccess', {
  description: 'The result of updating an API key. The changes apply from the next request on.',
  fields: { apiKey: { type: ApiKeyType, description: 'The updated API key.' } },
});

builder.mutationField('updateApiKey', (t) =>
  t.field({
    type: UpdateApiKeySuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { merchant: true },
    description: `Updates the name, the permissions or the allowed origins of an API key. The mutation fails with \`api_key_not_found\` if the key does not exist. ${ownerOnlyDescription}`,
    args: {
      input: t.arg({ type: UpdateApiKeyInput, required: true, description: 'The changes to the API key.' }),
    },
    resolve: async (_root, { input: { id, ...input } }, context) => ({
      apiKey: await updateApiKey(context.service, { ...toRequestContext(context), id, input }),
    }),
  }),
);

const RotateApiKeyInput = builder.inputType('RotateApiKeyInput', {
  description: 'The API key to replace, and the time during which the old key remains valid.',
  fields: (t) => ({
    id: t.id(keyIdArg),
    overlapHours: t.int({
      description:
        'The number of hours after which the old key expires, 0 to 2,160 (90 days). The default is 24. With 0, the old key expires immediately.',
    }),
  }),
});

const RotateApiKeySuccess = successType('RotateApiKeySuccess', {
  description: 'The result of replacing an API key. Both keys are valid until the old key expires.',
  fields: {
    apiKey: { type: ApiKeyType, description: 'The new API key, which replaces the old one.' },
    secret: { type: 'String', ...redactOnReplay, nullable: true, description: descriptions.secret },
    previousApiKey: {
      property: 'replaced',
      type: ApiKeyType,
      description: 'The replaced API key, which remains valid until its `expiresAt`.',
    },
  },
});

builder.mutationField('rotateApiKey', (t) =>
  t.field({
    type: RotateApiKeySuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { merchant: true },
    description: `Replaces an API key with a new one that has the same permissions. The old key remains valid for \`overlapHours\`. The mutation fails with \`api_key_not_found\`, or with \`api_key_ended\` if the key was revoked, has expired or was already replaced. ${ownerOnlyDescription}`,
    args: {
      input: t.arg({ type: RotateApiKeyInput, required: true, description: 'The API key to replace.' }),
    },
    resolve: (_root, { input }, context) =>
      rotateApiKey(context.service, { ...toRequestContext(context), ...input }),
  }),
);

const RevokeApiKeyInput = builder.inputType('RevokeApiKeyInput', {
  description: 'The API key to revoke.',
  fields: (t) => ({ id: t.id(keyIdArg) }),
});

const RevokeApiKeySuccess = successType('RevokeApiKeySuccess', {
  description: 'The result of revoking an API key. The key is rejected from the next request on.',
  fields: { apiKey: { type: ApiKeyType, description: 'The revoked API key.' } },
});

builder.mutationField('revokeApiKey', (t) =>
  t.field({
    type: RevokeApiKeySuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { merchant: true },
    description: `Permanently revokes an API key. The mutation fails with \`api_key_not_found\` if the key does not exist. ${ownerOnlyDescription}`,
    args: {
      input: t.arg({ type: RevokeApiKeyInput, required: true, description: 'The API key to revoke.' }),
    },
    resolve: async (_root, { input }, context) => ({
      apiKey: await revokeApiKey(context.service, { ...toRequestContext(context), ...input }),
    }),
  }),
);
