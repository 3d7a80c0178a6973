import type { ApiKey } from '../../prisma/client/client.ts';
import { addApiKey, type NewApiKey } from '../../src/domain/accounts/api-key/add-api-key.ts';
import { revokeApiKey } from '../../src/domain/accounts/api-key/revoke-api-key.ts';
import { rotateApiKey } from '../../src/domain/accounts/api-key/rotate-api-key.ts';
import { updateApiKey } from '../../src/domain/accounts/api-key/update-api-key.ts';
import { onlyOwners } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { acting } from '../kit/graphql-context.ts';
import { shownOnce } from '../kit/once-plugin.ts';
import { ApiKeyKind, ApiKeyType } from './api-key.ts';
import { PermissionEnum } from './user.ts';

const idOfKey = { required: true, description: 'The id of the key, `key_…`.' } as const;
const texts = {
  name: 'What it is for, in your words; at most 80 characters.',
  permissions: 'What a secret key may do; left out: `read`, `write` and `refund`.',
  origins:
    'Origins that a publishable key accepts in notifyUrl and redirectUrl, such as `https://shop.example.com`; none: any.',
  secret: 'The secret, shown this once; null for a publishable key, which has none.',
};

const CreateApiKeyInput = builder.inputType('CreateApiKeyInput', {
  description: 'What key to make.',
  fields: (t) => ({
    name: t.string({ required: true, description: texts.name }),
    kind: t.field({ type: ApiKeyKind, required: true, description: 'What it is for.' }),
    permissions: t.field({ type: [PermissionEnum], description: texts.permissions }),
    allowedOrigins: t.stringList({ description: texts.origins }),
  }),
});

const CreateApiKeySuccess = builder.objectRef<NewApiKey>('CreateApiKeySuccess').implement({
  description: 'The key works from now on.',
  fields: (t) => ({
    apiKey: t.expose('apiKey', { type: ApiKeyType, description: 'The key.' }),
    secret: t.exposeString('secret', { ...shownOnce, nullable: true, description: texts.secret }),
  }),
});

builder.mutationField('createApiKey', (t) =>
  t.field({
    type: CreateApiKeySuccess,
    errors: {},
    authScopes: { merchant: true },
    description: `Makes an API key for the mode that is shown. ${onlyOwners}`,
    args: { input: t.arg({ type: CreateApiKeyInput, required: true, description: 'What key.' }) },
    resolve: (_root, { input }, context) => addApiKey(context.service, { ...acting(context), input }),
  }),
);

const UpdateApiKeyInput = builder.inputType('UpdateApiKeyInput', {
  description: 'What to change of a key: what is left out stays as it is.',
  fields: (t) => ({
    id: t.id(idOfKey),
    name: t.string({ description: texts.name }),
    permissions: t.field({ type: [PermissionEnum], description: 'What a secret key may do.' }),
    allowedOrigins: t.stringList({ description: texts.origins }),
  }),
});

const UpdateApiKeySuccess = builder.objectRef<{ apiKey: ApiKey }>('UpdateApiKeySuccess').implement({
  description: 'It holds from the next request on.',
  fields: (t) => ({ apiKey: t.expose('apiKey', { type: ApiKeyType, description: 'The key.' }) }),
});

builder.mutationField('updateApiKey', (t) =>
  t.field({
    type: UpdateApiKeySuccess,
    errors: {},
    authScopes: { merchant: true },
    description: `Renames a key, or changes what it may do. ${onlyOwners}`,
    args: { input: t.arg({ type: UpdateApiKeyInput, required: true, description: 'What.' }) },
    resolve: async (_root, { input: { id, ...input } }, context) => ({
      apiKey: await updateApiKey(context.service, { ...acting(context), id, input }),
    }),
  }),
);

const RotateApiKeyInput = builder.inputType('RotateApiKeyInput', {
  description: 'Which key to replace, and until when the old one works.',
  fields: (t) => ({
    id: t.id(idOfKey),
    oldWorksUntil: t.field({
      type: 'DateTime',
      description: 'Until when the old key works, within 90 days; left out: 24 hours.',
    }),
  }),
});

const RotateApiKeySuccess = builder
  .objectRef<NewApiKey & { replaced: ApiKey }>('RotateApiKeySuccess')
  .implement({
    description: 'There is a new key; both work until the chosen time.',
    fields: (t) => ({
      apiKey: t.expose('apiKey', { type: ApiKeyType, description: 'The new key.' }),
      secret: t.exposeString('secret', { ...shownOnce, nullable: true, description: texts.secret }),
      replaced: t.expose('replaced', { type: ApiKeyType, description: 'The old key.' }),
    }),
  });

builder.mutationField('rotateApiKey', (t) =>
  t.field({
    type: RotateApiKeySuccess,
    errors: {},
    authScopes: { merchant: true },
    description: `Replaces a key by a new one that may do the same; the old one works until a chosen time. ${onlyOwners}`,
    args: { input: t.arg({ type: RotateApiKeyInput, required: true, description: 'Which key.' }) },
    resolve: (_root, { input }, context) => rotateApiKey(context.service, { ...acting(context), ...input }),
  }),
);

const RevokeApiKeyInput = builder.inputType('RevokeApiKeyInput', {
  description: 'Which key to revoke.',
  fields: (t) => ({ id: t.id(idOfKey) }),
});

const RevokeApiKeySuccess = builder.objectRef<{ apiKey: ApiKey }>('RevokeApiKeySuccess').implement({
  description: 'The key is refused from the next request on.',
  fields: (t) => ({ apiKey: t.expose('apiKey', { type: ApiKeyType, description: 'The key.' }) }),
});

builder.mutationField('revokeApiKey', (t) =>
  t.field({
    type: RevokeApiKeySuccess,
    errors: {},
    authScopes: { merchant: true },
    description: `Revokes a key for good. ${onlyOwners}`,
    args: { input: t.arg({ type: RevokeApiKeyInput, required: true, description: 'Which key.' }) },
    resolve: async (_root, { input }, context) => ({
      apiKey: await revokeApiKey(context.service, { ...acting(context), ...input }),
    }),
  }),
);
