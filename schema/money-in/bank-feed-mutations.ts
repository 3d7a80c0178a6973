import { confirmBankFeed } from '../../src/domain/money-in/feed/confirm-bank-feed.ts';
import { createBankFeed } from '../../src/domain/money-in/feed/create-bank-feed.ts';
import { deleteBankFeed } from '../../src/domain/money-in/feed/delete-bank-feed.ts';
import { reprocessDelivery } from '../../src/domain/money-in/feed/reprocess-delivery.ts';
import { requestPoll } from '../../src/domain/money-in/feed/request-poll.ts';
import { updateBankFeed } from '../../src/domain/money-in/feed/update-bank-feed.ts';
import { builder } from '../kit/builder.ts';
import { toSystemContext } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { BankFeedKind, BankFeedType } from './bank-feed.ts';
import { BankFeedPullInputType } from './bank-feed-pull.ts';
import { FeedDeliveryType } from './feed-delivery.ts';

const feedIdArg = { required: true, description: 'The ID of the bank feed, `feed_…`.' } as const;
const descriptions = {
  name: 'The name of the feed, at most 100 characters.',
  accounts: 'The receiving accounts whose transfers the feed reports, 1 to 100.',
  authentication:
    'The authentication method that you configured at the sender. For SePay: `signature` or `key`. For SNAP: `symmetric` or `asymmetric`. Other senders have only one method, which is the default.',
  credentials:
    'The keys with which the sender is authenticated. They are stored encrypted and never returned.',
  signedPath:
    'The path that the sender signs, for example if a proxy changes paths. If null, it is the path of the request.',
  apiUrl: 'The URL of the bank’s API that confirms payments. If null, it is the public one.',
  pull: 'The settings with which the feed is polled. Omit them for senders that only send deliveries.',
  customFormatJson:
    'The description of the format and signature of a custom feed, as JSON. Required for a custom feed; other kinds of feeds reject it.',
  allowedAddresses:
    'The IP addresses and networks that may send deliveries, such as `203.0.113.0/24`. There can be at most 50. If the list is empty, any address may.',
  silenceMinutes:
    'The number of minutes without a delivery after which the feed is late, 5 to 129,600. If null, the limit is one and a half times the longest silence of the last 28 days, at least an hour. It applies once there are 20 deliveries on 7 different days.',
};

const BankFeedAccountInputType = builder.inputType('BankFeedAccountInput', {
  description: 'A receiving account whose transfers a bank feed reports.',
  fields: (t) => ({
    receivingAccountId: t.id({ required: true, description: 'The ID of the receiving account, `acc_…`.' }),
    bankAccount: t.string({
      description:
        'The account as the sender writes it. If omitted, it is the number of the receiving account. With `*`, all transfers of the feed belong to this account, which must be its only one.',
    }),
  }),
});

const FeedCredentialsInputType = builder.inputType('FeedCredentialsInput', {
  description:
    'The keys with which a sender is authenticated. The sender determines which of them are required. In an update, omitted keys remain unchanged, and null removes a key. If the scheme, host or port of `apiUrl`, or the host or port of an SFTP server changes, the keys that are sent there must be given again: `key`, `clientId` and `clientSecret`.',
  fields: (t) => ({
    secret: t.string({ description: 'The shared secret of HMAC signatures.' }),
    publicKey: t.string({
      description:
        'The public key of the sender’s signatures, in PEM format. In the sandbox, a key pair is generated for the simulator if it is omitted.',
    }),
    key: t.string({
      description:
        'The static key, the password of HTTP Basic authentication or SFTP, or the token of an API.',
    }),
    username: t.string({ description: 'The username of HTTP Basic authentication or SFTP.' }),
    privateKey: t.string({
      description: 'The private key for SFTP. Either it or the password in `key` is required.',
    }),
    passphrase: t.string({ description: 'The passphrase of `privateKey`, if it has one.' }),
    pgpPrivateKey: t.string({ description: 'The private OpenPGP key that decrypts fetched files.' }),
    pgpPassphrase: t.string({ description: 'The passphrase of `pgpPrivateKey`, if it has one.' }),
    pgpPublicKey: t.string({
      description:
        'The public OpenPGP key of the bank. If it is given, only files with its signature are imported, whose names end in `.pgp`, `.gpg` or `.asc`.',
    }),
    clientId: t.string({
      description: 'The client ID for the API with which payments are confirmed or transactions fetched.',
    }),
    clientSecret: t.string({
      description: 'The client secret for the API with which payments are confirmed or transactions fetched.',
    }),
  }),
});

const CreateBankFeedInputType = builder.inputType('CreateBankFeedInput', {
  description: 'The properties of a new bank feed.',
  fields: (t) => ({
    kind: t.field({
      type: BankFeedKind,
      required: true,
      description: 'The bank or provider that reports the transfers.',
    }),
    name: t.string({
      description: `${descriptions.name} The default is the name of the kind of feed.`,
    }),
    receivingAccounts: t.field({
      type: [BankFeedAccountInputType],
      required: true,
      description: descriptions.accounts,
    }),
    authentication: t.string({ description: descriptions.authentication }),
    credentials: t.field({ type: FeedCredentialsInputType, description: descriptions.credentials }),
    pull: t.field({ type: BankFeedPullInputType, description: descriptions.pull }),
    signedPath: t.string({ description: descriptions.signedPath }),
    apiUrl: t.string({ description: descriptions.apiUrl }),
    customFormatJson: t.string({ description: descriptions.customFormatJson }),
    allowedAddresses: t.stringList({ description: descriptions.allowedAddresses }),
    silenceMinutes: t.int({ description: descriptions.silenceMinutes }),
  }),
});

const UpdateBankFeedInputType = builder.inputType('UpdateBankFeedInput', {
  description: 'The changes to a bank feed. Omitted fields remain unchanged.',
  fields: (t) => ({
    id: t.id(feedIdArg),
    name: t.string({ description: descriptions.name }),
    receivingAccounts: t.field({ type: [BankFeedAccountInputType], description: descriptions.accounts }),
    authentication: t.string({ description: descriptions.authentication }),
    credentials: t.field({ type: FeedCredentialsInputType, description: descriptions.credentials }),
    pull: t.field({ type: BankFeedPullInputType, description: descriptions.pull }),
    signedPath: t.string({ description: descriptions.signedPath }),
    apiUrl: t.string({ description: descriptions.apiUrl }),
    customFormatJson: t.string({
      description: `${descriptions.customFormatJson} A feed with a changed format only observes until you confirm it again.`,
    }),
    allowedAddresses: t.stringList({ description: descriptions.allowedAddresses }),
    silenceMinutes: t.int({ description: descriptions.silenceMinutes }),
    isPaused: t.boolean({
      description:
        'Whether the feed is paused. Deliveries that arrive during the pause are stored, and recorded when you resume the feed.',
    }),
  }),
});

const feedField = {
  bankFeed: { type: BankFeedType, description: 'The bank feed in its new state.' },
};

const CreateBankFeedSuccess = successType('CreateBankFeedSuccess', {
  description: 'The result of creating a bank feed. Its URL accepts deliveries.',
  fields: feedField,
});
const UpdateBankFeedSuccess = successType('UpdateBankFeedSuccess', {
  description:
    'The result of updating a bank feed. A feed that is polled is polled immediately with the new settings.',
  fields: feedField,
});
const ConfirmBankFeedSuccess = successType('ConfirmBankFeedSuccess', {
  description:
    'The result of confirming a bank feed. From now on, it records transfers, including those of the observed deliveries.',
  fields: feedField,
});

const DeleteBankFeedInput = builder.inputType('DeleteBankFeedInput', {
  description: 'The bank feed to delete.',
  fields: (t) => ({ id: t.id(feedIdArg) }),
});

const DeleteBankFeedSuccess = successType('DeleteBankFeedSuccess', {
  description: 'The result of deleting a bank feed. Its URL accepts no more deliveries.',
  fields: {
    deletedBankFeedId: { property: 'id', type: 'ID', description: 'The ID of the deleted bank feed.' },
  },
});

const ConfirmBankFeedInput = builder.inputType('ConfirmBankFeedInput', {
  description: 'The bank feed to confirm, and the delivery that you checked.',
  fields: (t) => ({
    id: t.id(feedIdArg),
    deliveryId: t.id({
      required: true,
      description: 'The ID of an observed delivery, `fdl_…`, whose transfers were read correctly.',
    }),
  }),
});

const ProcessFeedDeliveryInput = builder.inputType('ProcessFeedDeliveryInput', {
  description: 'The delivery to process again.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The ID of the delivery, `fdl_…`.' }),
  }),
});

const ProcessFeedDeliverySuccess = successType('ProcessFeedDeliverySuccess', {
  description:
    'The result of processing a delivery again. Transfers that were recorded before are reported as duplicates.',
  fields: { feedDelivery: { type: FeedDeliveryType, description: 'The delivery in its new state.' } },
});

const PollBankFeedInput = builder.inputType('PollBankFeedInput', {
  description: 'The bank feed to poll.',
  fields: (t) => ({ id: t.id(feedIdArg) }),
});

const PollBankFeedSuccess = successType('PollBankFeedSuccess', {
  description: 'The result of requesting a poll. A worker polls the feed within seconds.',
  fields: feedField,
});

builder.mutationFields((t) => ({
  pollBankFeed: t.field({
    type: PollBankFeedSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'transfers' },
    description:
      'Polls a bank feed now. The mutation fails with `bank_feed_not_found`, or with `bank_feed_not_pollable` if the feed is paused or only receives deliveries. Requires the permission `transfers`.',
    args: {
      input: t.arg({ type: PollBankFeedInput, required: true, description: 'The bank feed to poll.' }),
    },
    resolve: async (_root, { input: { id } }, context) => ({
      bankFeed: await requestPoll(context.service, { ...toSystemContext(context), id }),
    }),
  }),
  createBankFeed: t.field({
    type: CreateBankFeedSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'manage' },
    description:
      'Creates a bank feed. Each mode can have 50 bank feeds; after that, the mutation fails with `bank_feed_limit_reached`. It fails with `target_refused` if `apiUrl` points to a private address. Requires the permission `manage`.',
    args: {
      input: t.arg({
        type: CreateBankFeedInputType,
        required: true,
        description: 'The properties of the new bank feed.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      bankFeed: await createBankFeed(context.service, { ...toSystemContext(context), input }),
    }),
  }),
  updateBankFeed: t.field({
    type: UpdateBankFeedSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'manage' },
    description:
      'Updates, pauses or resumes a bank feed. The mutation fails with `bank_feed_not_found`, or with `target_refused` if `apiUrl` points to a private address. Requires the permission `manage`.',
    args: {
      input: t.arg({
        type: UpdateBankFeedInputType,
        required: true,
        description: 'The changes to the bank feed.',
      }),
    },
    resolve: async (_root, { input: { id, ...input } }, context) => ({
      bankFeed: await updateBankFeed(context.service, { ...toSystemContext(context), id, input }),
    }),
  }),
  deleteBankFeed: t.field({
    type: DeleteBankFeedSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { permission: 'manage' },
    description:
      'Deletes a bank feed and its credentials. Its deliveries remain in the log. The mutation fails with `bank_feed_not_found` if the feed does not exist. Requires the permission `manage`.',
    args: {
      input: t.arg({ type: DeleteBankFeedInput, required: true, description: 'The bank feed to delete.' }),
    },
    resolve: (_root, { input: { id } }, context) =>
      deleteBankFeed(context.service, { ...toSystemContext(context), id }),
  }),
  confirmBankFeed: t.field({
    type: ConfirmBankFeedSuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'manage' },
    description:
      'Confirms that a bank feed reads real deliveries correctly, so that it records transfers. The mutation fails with `bank_feed_not_found`, with `feed_delivery_not_found`, with `bank_feed_unauthenticated` if deliveries are not authenticated, or with `invalid_request` if the delivery was not observed. Requires the permission `manage`.',
    args: {
      input: t.arg({
        type: ConfirmBankFeedInput,
        required: true,
        description: 'The bank feed to confirm, and the delivery that you checked.',
      }),
    },
    resolve: async (_root, { input }, context) => ({
      bankFeed: await confirmBankFeed(context.service, { ...toSystemContext(context), ...input }),
    }),
  }),
  processFeedDelivery: t.field({
    type: ProcessFeedDeliverySuccess,
    errors: {},
    twoFactor: 'live',
    authScopes: { permission: 'transfers' },
    description:
      'Processes a stored delivery again, for example after you have corrected the accounts of its feed. The mutation fails with `feed_delivery_not_found`, with `bank_feed_not_found` if the feed was deleted, or with `feed_delivery_not_processable` if the body is not stored. Requires the permission `transfers`.',
    args: {
      input: t.arg({
        type: ProcessFeedDeliveryInput,
        required: true,
        description: 'The delivery to process again.',
      }),
    },
    resolve: async (_root, { input: { id } }, context) => ({
      feedDelivery: await reprocessDelivery(context.service, { ...toSystemContext(context), id }),
    }),
  }),
}));
