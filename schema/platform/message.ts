import type { Message } from '../../prisma/client/client.ts';
import type { Permission } from '../../src/domain/accounts/api-key/permissions.ts';
import { isReauthenticated } from '../../src/domain/accounts/user/require-recent-two-factor.ts';
import { decryptContent, type MessageContent } from '../../src/message/message-content.ts';
import { builder } from '../kit/builder.ts';
import { createConnectionType, idPagingOptions, toKeysetQuery } from '../kit/connection.ts';
import {
  type GraphqlContext,
  getMerchantScope,
  requireMerchantCaller,
  requireScopedCaller,
} from '../kit/graphql-context.ts';
import { redactOnUserReplay } from '../kit/idempotency-plugin.ts';
import { inList } from '../list-filters.ts';
import { LocaleEnum } from './locale.ts';

const MessageChannel = builder.enumType('OutboundMessageChannel', {
  description: 'The channel through which a message is sent.',
  values: { email: { description: 'Email.' }, sms: { description: 'SMS.' } },
});

const MessageStatus = builder.enumType('OutboundMessageStatus', {
  description: 'The delivery status of a message.',
  values: {
    pending: { description: 'The message has not been sent yet. An attempt is scheduled or in progress.' },
    sent: {
      description:
        'The message was handed over to the mail server or SMS gateway. Its content has been deleted.',
    },
    captured: {
      description:
        'The message is kept in the mailbox and never sent. This applies in the sandbox, and if no mail server or SMS gateway is configured.',
    },
    failed: { description: 'All attempts failed. The content of the message has been deleted.' },
    skipped: {
      description: 'The message was not sent because a limit was reached; `lastError` names the limit.',
    },
  },
});

const MessageAudience = builder.enumType('OutboundMessageAudience', {
  description: 'The audience of a message.',
  values: {
    customer: { description: 'The message is for one of your customers.' },
    staff: { description: 'The message is for a user of your account. Only owners can see these messages.' },
  },
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

/** The permission for the action of a message's link, if it is more than `read`. */
const linkPermissions: Readonly<Record<string, Permission>> = {
  'refund-link': 'refund',
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

const MessageType = builder.prismaNode('Message', {
  name: 'OutboundMessage',
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...visibleMessages(context) }),
  description: 'An email or SMS to a customer or a user. Messages are kept for 90 days.',
  fields: (t) => ({
    channel: t.expose('channel', {
      type: MessageChannel,
      description: 'The channel through which the message is sent.',
    }),
    audience: t.expose('audience', { type: MessageAudience, description: 'The audience of the message.' }),
    kind: t.exposeString('kind', {
      description: 'The kind of the message, such as `phone-code` or `refund-link`.',
    }),
    recipient: t.exposeString('recipient', {
      description: 'The email address or phone number of the recipient.',
    }),
    subject: t.exposeString('subject', {
      nullable: true,
      description: 'The subject of the email; null for an SMS.',
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
        'The text of a message that is kept in the mailbox. Null for messages that are sent, for callers without the permission that the link in the message requires, and for users who have not re-authenticated recently (`reauthenticate`). Messages to customers in the sandbox do not require re-authentication.',
      resolve: async (message, _args, context) => (await readContent(message, context))?.text,
    }),
    html: t.string({
      ...redactOnUserReplay,
      nullable: true,
      description: 'The HTML content of an email in the mailbox. Render it only in a sandboxed frame.',
      resolve: async (message, _args, context) => (await readContent(message, context))?.html,
    }),
    status: t.expose('status', { type: MessageStatus, description: 'The delivery status of the message.' }),
    attemptCount: t.exposeInt('attemptCount', { description: 'The number of attempts so far.' }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'The reason why the last attempt failed, or why the message was skipped.',
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time of the next attempt; null if there are no more attempts.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the message was handed over, placed in the mailbox or abandoned.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the message was created.',
    }),
  }),
});

const MessageFilter = builder.inputType('OutboundMessageFilter', {
  description: 'Filters for a list of messages. Omitted filters do not restrict the list.',
  fields: (t) => ({
    channel: t.field({ type: MessageChannel, description: 'Returns only messages of this channel.' }),
    statuses: t.field({
      type: [MessageStatus],
      description: 'Returns only messages with one of these delivery statuses.',
    }),
    recipient: t.string({
      description:
        'Returns only messages to this email address or phone number (E.164). Must be the complete address or number.',
    }),
  }),
});

function messageWhere(context: GraphqlContext, filter: typeof MessageFilter.$inferInput | null | undefined) {
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

/** Prisma uses ILIKE for case-insensitive comparisons, so wildcards must be escaped. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

builder.queryFields((t) => ({
  outboundMessage: t.prismaField({
    type: MessageType,
    nullable: true,
    description: 'A single message.',
    args: { id: t.arg.id({ required: true, description: 'The ID of the message, `msg_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.message.findFirst({ ...query, where: { id, ...visibleMessages(context) } }),
  }),
  outboundMessages: t.prismaConnection(
    {
      type: MessageType,
      nullable: true,
      ...idPagingOptions,
      description: 'The email and SMS messages of the last 90 days, newest first.',
      args: { filter: t.arg({ type: MessageFilter, description: 'Filters for the list.' }) },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.message.findMany(
          toKeysetQuery(query, 'OutboundMessage', messageWhere(context, filter)),
        ),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.message.count({ where: messageWhere(context, filter) }),
    },
    createConnectionType(MessageType, 'OutboundMessage'),
  ),
}));
