import type { Message } from '../../prisma/client/client.ts';
import type { Permission } from '../../src/domain/accounts/api-key/permissions.ts';
import { getNoticeKeyPrefix } from '../../src/domain/accounts/notice/enqueue-notice.ts';
import { isReauthenticated } from '../../src/domain/accounts/user/require-recent-two-factor.ts';
import { escapeLike } from '../../src/kit/escape-like.ts';
import { decryptContent, type MessageContent } from '../../src/message/message-content.ts';
import { type MessageKind, messageKinds } from '../../src/message/message-kinds.ts';
import { builder } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import {
  type GraphqlContext,
  getMerchantScope,
  requireMerchantCaller,
  requireScopedCaller,
} from '../kit/graphql-context.ts';
import { redactOnUserReplay } from '../kit/idempotency-plugin.ts';
import { filterArg, inList } from '../list-filters.ts';
import { LocaleEnum } from './locale.ts';

const MessageChannel = builder.enumType('OutboundMessageChannel', {
  description: 'The channel through which a message is sent.',
  values: {
    email: { description: 'The message is sent as an email.' },
    sms: { description: 'The message is sent as an SMS.' },
    chat: { description: 'The message is posted to the incoming webhook of a user’s chat.' },
  },
});

const MessageStatus = builder.enumType('OutboundMessageStatus', {
  description: 'Whether a message is waiting, was sent or captured, or could not be sent.',
  values: {
    pending: { description: 'The message has not been sent yet. An attempt is scheduled or in progress.' },
    sent: {
      description:
        'The mail server, the SMS gateway or the chat accepted the message. Its content has been deleted.',
    },
    captured: {
      description:
        'The message was captured and is never sent. All messages to customers in the sandbox are captured, and so are live messages if no mail server or SMS gateway is configured.',
    },
    failed: { description: 'All attempts failed. The content of the message has been deleted.' },
    skipped: {
      description: 'The message was not sent because a limit was reached. `lastError` names the limit.',
    },
  },
});

const MessageAudience = builder.enumType('OutboundMessageAudience', {
  description: 'The group of people to which the recipient of a message belongs.',
  values: {
    customer: { description: 'The message is for one of your customers.' },
    staff: {
      description:
        'The message is for a user of your account. Only owners can see these messages. Each user can also query a notification to them by its ID.',
    },
  },
});

const kindDescriptions: Record<MessageKind, string> = {
  'account-notice': 'A user is informed that their sign-in settings have changed.',
  'cancel-subscription': 'A customer is asked to confirm the cancellation of a subscription.',
  'email-change': 'A user is sent a link with which they confirm a new email address.',
  'endpoint-alert': 'Users are informed that an endpoint has a problem or has recovered.',
  invitation: 'A person is invited to the dashboard.',
  'invoice-due': 'An invoice is sent to a customer.',
  'invoice-paused': 'A customer is informed that a subscription was paused because an invoice is unpaid.',
  'invoice-reminder': 'A customer is reminded of an unpaid invoice.',
  notice: 'A user is informed of payments, transfers that need review, or alerts.',
  'password-reset': 'A user is sent a link with which they can reset their password.',
  'phone-code': 'A customer is sent a code with which their phone number is verified.',
  receipt: 'A customer is sent a receipt for a payment.',
  'receiving-account': 'Owners are informed that a receiving account was created or changed.',
  'bank-feed': 'Users are informed that a bank feed fails or is silent.',
  'references-low': 'Users are informed that a receiving account is running out of payment references.',
  'refund-link': 'A customer is asked for the bank details of a refund.',
  'refund-sent': 'A customer is informed that a refund was paid.',
  'subscription-changed':
    'A customer is informed that you paused, resumed or changed a subscription, or that a payment is not due.',
};

const MessageKindEnum = builder.enumType('OutboundMessageKind', {
  description: 'The purpose of a message. More values may be added.',
  values: Object.fromEntries(
    messageKinds.map((kind) => [
      kind.replaceAll('-', '_'),
      { value: kind, description: kindDescriptions[kind] },
    ]),
  ),
});

/**
 * Returns a filter for the messages that the caller may see. Messages to the merchant's users may grant access
 * to the account, such as a password reset link, so only signed-in owners see them, never API keys.
 */
function visibleMessages(context: GraphqlContext) {
  const caller = requireScopedCaller(context);
  const { merchantId, mode } = getMerchantScope(context);
  const isOwner = caller.kind === 'user' && caller.user.role === 'owner';
  if (!isOwner) return { merchantId, mode, audience: 'customer' as const };
  return { merchantId, OR: [{ mode }, { mode: null }] };
}

/** Returns a filter for a single message, which may also be a notice to the caller. Notices grant no access. */
function readableMessage(id: string, context: GraphqlContext) {
  const caller = requireScopedCaller(context);
  const visible = visibleMessages(context);
  if (caller.kind !== 'user') return { id, ...visible };
  const { merchantId, mode } = getMerchantScope(context);
  const dedupeKey = { startsWith: getNoticeKeyPrefix(caller.user) };
  return { id, OR: [visible, { merchantId, mode, kind: 'notice', dedupeKey }] };
}

/** The permission for the action of a message's link, if it is more than `read`. */
const linkPermissions: Readonly<Record<string, Permission>> = {
  'refund-link': 'refund',
  'refund-sent': 'refund',
  'cancel-subscription': 'write',
};

/**
 * Only a message that is never sent can be read: a code in transit is for its recipient only. Messages grant
 * access, such as by a password reset link, so users must re-authenticate to read one. Customer messages in the
 * sandbox are exempt.
 */
async function readContent(message: Message, context: GraphqlContext): Promise<MessageContent | undefined> {
  const { id, status, contentEncrypted } = message;
  if (status !== 'captured' || contentEncrypted === null) return undefined;
  const caller = requireMerchantCaller(context);
  if (!caller.permissions.has(linkPermissions[message.kind] ?? 'read')) return undefined;
  if (message.mode !== 'sandbox' && !isReauthenticated(caller, context.clock.now())) return undefined;
  return decryptContent(context.service.secrets, { id, contentEncrypted });
}

export const MessageType = builder.prismaNode('Message', {
  name: 'OutboundMessage',
  id: { field: 'id' },
  nullable: true,
  findUnique: readableMessage,
  description:
    'An email or SMS to a customer, or an email or chat message to a user of the dashboard. Messages are kept for 90 days.',
  fields: (t) => ({
    channel: t.expose('channel', {
      type: MessageChannel,
      description: 'Whether the message is sent as an email, as an SMS or to a chat.',
    }),
    audience: t.expose('audience', {
      type: MessageAudience,
      description: 'Whether the message is for a customer or for a user of your account.',
    }),
    kind: t.field({
      type: MessageKindEnum,
      description: 'The purpose of the message, such as an invoice or a password reset.',
      resolve: ({ kind }) => kind as MessageKind,
    }),
    recipient: t.exposeString('recipient', {
      description:
        'The email address, the phone number or the host name of the chat to which the message is sent.',
    }),
    subject: t.exposeString('subject', {
      nullable: true,
      description: 'The subject of the email. Null for other channels.',
    }),
    locale: t.field({
      type: LocaleEnum,
      description: 'The language of the message.',
      resolve: ({ language }) => language as typeof LocaleEnum.$inferType,
    }),
    text: t.string({
      ...redactOnUserReplay,
      nullable: true,
      description:
        'The text of a captured message. Null for any other status. If the text contains a link, reading it requires the permission to use that link. A user must also have re-authenticated recently (`reauthenticate`), except for messages in the sandbox. If a requirement is not met, the text is null.',
      resolve: async (message, _args, context) => (await readContent(message, context))?.text,
    }),
    html: t.string({
      ...redactOnUserReplay,
      nullable: true,
      description:
        'The HTML content of an email. Null for other channels, and whenever `text` is null. Render it only in a sandboxed frame.',
      resolve: async (message, _args, context) => (await readContent(message, context))?.html,
    }),
    status: t.expose('status', {
      type: MessageStatus,
      description: 'Whether the message is waiting, was sent or captured, or could not be sent.',
    }),
    attemptCount: t.exposeInt('attemptCount', { description: 'The number of attempts so far.' }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'The reason why the last attempt failed, or why the message was skipped. Null otherwise.',
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time of the next attempt. Null if there are no more attempts.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'The time at which the message was sent, captured or skipped, or failed permanently. Null while it is pending.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the message was created.',
    }),
  }),
});

const MessageFilter = builder.inputType('OutboundMessageFilter', {
  description:
    'The conditions that the messages of a list must meet. If several are given, all of them must be met.',
  fields: (t) => ({
    channel: t.field({
      type: MessageChannel,
      description: 'Returns only messages that are sent through this channel.',
    }),
    statuses: t.field({
      type: [MessageStatus],
      description: 'Returns only messages with one of these delivery statuses.',
    }),
    recipient: t.string({
      description:
        'Returns only messages to this email address or to this phone number in E.164 format. Provide the complete address or number.',
    }),
  }),
});

function buildMessageFilter(
  context: GraphqlContext,
  filter: typeof MessageFilter.$inferInput | null | undefined,
) {
  const { channel, statuses, recipient } = filter ?? {};
  const status = inList(statuses);
  return {
    ...visibleMessages(context),
    ...(channel != null && { channel }),
    ...(status && { status }),
    ...(recipient != null && {
      recipient: { equals: escapeLike(recipient), mode: 'insensitive' as const },
    }),
  };
}

builder.queryFields((t) => ({
  outboundMessage: t.prismaField({
    type: MessageType,
    nullable: true,
    description: 'Returns the message with this ID, or null if it does not exist.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the message, `msg_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.message.findFirst({ ...query, where: readableMessage(id, context) }),
  }),
  outboundMessages: t.prismaConnection(
    {
      type: MessageType,
      nullable: true,
      ...idPagingOptions,
      description: 'Returns the emails, SMS and chat messages of the last 90 days, newest first.',
      args: {
        filter: t.arg(filterArg(MessageFilter)),
      },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.message.findMany(
          toKeysetQuery(query, 'OutboundMessage', buildMessageFilter(context, filter)),
        ),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.message.count({ where: buildMessageFilter(context, filter) }),
    },
    createConnectionType(MessageType, 'OutboundMessage'),
  ),
}));
