import { sendTestNotice } from '../../src/domain/accounts/notice/send-test-notice.ts';
import { updateNoticeSettings } from '../../src/domain/accounts/notice/update-notice-settings.ts';
import { DomainError } from '../../src/kit/errors.ts';
import { builder } from '../kit/builder.ts';
import { type GraphqlContext, requireScopedCaller, requireSessionUser } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';
import { MessageType } from '../platform/message.ts';
import { NoticeChannelEnum, NoticeFrequencyEnum, NoticeTopicEnum } from './notice-setting.ts';
import { ViewerType } from './viewer.ts';

const availability = 'Available only to the pages of the dashboard.';

/** Returns the signed-in user with their merchant. Rejects an operator, who has no notices. */
function requireMerchantUser(context: GraphqlContext) {
  const session = requireSessionUser(context);
  const caller = requireScopedCaller(context);
  if (caller.kind !== 'user') throw new DomainError('permission_denied', 'Sign in to the dashboard');
  return { session, caller };
}

const NoticeSettingInput = builder.inputType('NoticeSettingInput', {
  description: 'The frequency with which you are notified about a topic through a channel.',
  fields: (t) => ({
    channel: t.field({
      type: NoticeChannelEnum,
      required: true,
      description: 'The channel through which you are notified.',
    }),
    topic: t.field({
      type: NoticeTopicEnum,
      required: true,
      description: 'The topic about which you are notified.',
    }),
    frequency: t.field({
      type: NoticeFrequencyEnum,
      required: true,
      description: 'The frequency with which you are notified.',
    }),
  }),
});

const UpdateNoticeSettingsInput = builder.inputType('UpdateNoticeSettingsInput', {
  description:
    'The changes to your notifications. Omitted fields, and topics that are not listed, remain unchanged.',
  fields: (t) => ({
    settings: t.field({
      type: [NoticeSettingInput],
      description: 'The frequencies to change, each for a topic and a channel.',
    }),
    chatUrl: t.string({
      description:
        'The URL of an incoming webhook of your chat, which accepts `{"text": "…"}`. It is stored encrypted. Null removes it and turns off all topics of the chat.',
    }),
  }),
});

const UpdateNoticeSettingsSuccess = successType('UpdateNoticeSettingsSuccess', {
  description: 'The result of changing your notifications.',
  fields: { viewer: { type: ViewerType, description: 'The signed-in user.' } },
});

builder.mutationField('updateNoticeSettings', (t) =>
  t.field({
    type: UpdateNoticeSettingsSuccess,
    errors: {},
    twoFactor: 'always',
    authScopes: { self: true },
    description: `Changes what you are notified about, how often and where. Topics that you turn on report only what happens from now on. The mutation fails with \`permission_denied\` for a cashier, with \`target_refused\` if \`chatUrl\` points to a private address, or with \`invalid_request\` if you choose the channel \`chat\` without a \`chatUrl\`. ${availability}`,
    args: {
      input: t.arg({
        type: UpdateNoticeSettingsInput,
        required: true,
        description: 'The changes to your notifications.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { session, caller } = requireMerchantUser(context);
      const user = await updateNoticeSettings(context.service, {
        ...session,
        merchantId: caller.merchant.id,
        input: { settings: input.settings ?? [], chatUrl: input.chatUrl },
      });
      return { viewer: { ...caller, user } };
    },
  }),
);

const SendTestNoticeInput = builder.inputType('SendTestNoticeInput', {
  description: 'The channel to which the test message is sent.',
  fields: (t) => ({
    channel: t.field({
      type: NoticeChannelEnum,
      required: true,
      description: 'Whether the message is sent to your email address or to your chat.',
    }),
  }),
});

const SendTestNoticeSuccess = successType('SendTestNoticeSuccess', {
  description: 'The result of requesting a test message. It is sent within a few seconds.',
  fields: {
    viewer: { type: ViewerType, description: 'The signed-in user.' },
    outboundMessage: {
      type: MessageType,
      description:
        'The test message. Query it until its status is no longer `pending`, or until `lastError` states why the first attempt failed.',
    },
  },
});

builder.mutationField('sendTestNotice', (t) =>
  t.field({
    type: SendTestNoticeSuccess,
    errors: {},
    twoFactor: 'never',
    authScopes: { self: true },
    description: `Sends you a test message. The mutation fails with \`permission_denied\` for a cashier, with \`rate_limited\` after 20 messages in an hour, or with \`invalid_request\` if you have no address for the channel. ${availability}`,
    args: {
      input: t.arg({
        type: SendTestNoticeInput,
        required: true,
        description: 'The channel to which the test message is sent.',
      }),
    },
    resolve: async (_root, { input: { channel } }, context) => {
      const { session, caller } = requireMerchantUser(context);
      const { merchant, mode } = caller;
      const { user, message } = await sendTestNotice(context.service, {
        ...session,
        merchant,
        mode,
        channel,
      });
      return { viewer: { ...caller, user }, outboundMessage: message };
    },
  }),
);
