import type { Message } from '../../prisma/client/client.ts';
import type { Permission } from '../../src/domain/accounts/api-key/permissions.ts';
import { isReauthenticated } from '../../src/domain/accounts/user/require-recent-two-factor.ts';
import { decryptContent, type MessageContent } from '../../src/message/message-content.ts';
import { builder } from '../kit/builder.ts';
import { connectionOf, keyset, pagedById } from '../kit/connection.ts';
import { boundCaller, type GraphqlContext, merchantCaller, owned } from '../kit/graphql-context.ts';
import { withheldFromUsers } from '../kit/once-plugin.ts';
import { LocaleEnum } from './locale.ts';

const MessageChannel = builder.enumType('MessageChannel', {
  description: 'How a message is sent.',
  values: { email: { description: 'By e-mail.' }, sms: { description: 'By SMS.' } },
});

const MessageStatus = builder.enumType('MessageStatus', {
  description: 'Where a message stands.',
  values: {
    pending: { description: 'Not handed over yet; it is tried, or will be tried again.' },
    sent: { description: 'Handed over to the mail server or SMS gateway. What it said is gone from here.' },
    mailbox: {
      description:
        'Kept here and never sent: in the sandbox, and where no mail server or SMS gateway is set.',
    },
    failed: { description: 'Given up. What it said is gone.' },
    skipped: { description: 'Never sent, because a limit was reached; `lastError` names it.' },
  },
});

const MessageAudience = builder.enumType('MessageAudience', {
  description: 'Whom a message is for.',
  values: {
    customer: { description: 'A customer of yours.' },
    team: { description: 'A user of your account. Only its owners see these.' },
  },
});

/**
 * The messages a caller may see. Those to the merchant's own people may open the account, such as a link to a new
 * password: they are for signed-in owners, never for a key.
 */
function visibleMessages(context: GraphqlContext) {
  const caller = boundCaller(context);
  const { merchantId, mode } = owned(context);
  const isOwner = caller.kind === 'user' && caller.user.role === 'owner';
  if (!isOwner) return { merchantId, mode, audience: 'customer' as const };
  return { merchantId, OR: [{ mode }, { mode: null }] };
}

/** What the link in a message does, where that takes more than the permission `read`. */
const linkPermissions: Readonly<Record<string, Permission>> = {
  'refund-link': 'refund',
  'cancel-subscription': 'write',
};

/**
 * Only a message that is never sent can be read: a code on its way is the recipient's. Messages grant access, such as by a
 * link to a new password. So users re-authenticate to read one, except a customer's message of the sandbox.
 */
async function readContent(message: Message, context: GraphqlContext): Promise<MessageContent | undefined> {
  const { id, status, contentEncrypted } = message;
  if (status !== 'mailbox' || contentEncrypted === null) return undefined;
  const caller = merchantCaller(context);
  if (!caller.permissions.has(linkPermissions[message.kind] ?? 'read')) return undefined;
  if (message.mode !== 'sandbox' && !isReauthenticated(caller, context.clock.now())) return undefined;
  return decryptContent(context.service.secrets, { id, contentEncrypted });
}

const MessageType = builder.prismaNode('Message', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...visibleMessages(context) }),
  description: 'An e-mail or SMS to a customer or a user. Kept 90 days.',
  fields: (t) => ({
    channel: t.expose('channel', { type: MessageChannel, description: 'How it is sent.' }),
    audience: t.expose('audience', { type: MessageAudience, description: 'Whom it is for.' }),
    kind: t.exposeString('kind', { description: 'What it is, such as `phone-code` or `refund-link`.' }),
    to: t.exposeString('recipient', { description: 'The e-mail address or phone number.' }),
    subject: t.exposeString('subject', { nullable: true, description: 'Of an e-mail.' }),
    language: t.field({
      type: LocaleEnum,
      description: 'What it is written in.',
      resolve: ({ language }) => language as typeof LocaleEnum.$inferType,
    }),
    text: t.string({
      ...withheldFromUsers,
      nullable: true,
      description:
        'The content, where it is kept in the mailbox. Null for a message that is sent, for callers without the permission that its link needs, and for users who have not re-authenticated recently (`reauthenticate`), except customers’ messages of the sandbox.',
      resolve: async (message, _args, context) => (await readContent(message, context))?.text,
    }),
    html: t.string({
      ...withheldFromUsers,
      nullable: true,
      description: 'An e-mail in the mailbox as HTML. Show it in a sandboxed frame only.',
      resolve: async (message, _args, context) => (await readContent(message, context))?.html,
    }),
    status: t.expose('status', { type: MessageStatus, description: 'Where it stands.' }),
    attemptsMade: t.exposeInt('attemptsMade', { description: 'How often it has been tried.' }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'Why the last attempt failed, or why the message was skipped.',
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it is tried next; null when it is not tried any more.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was handed over, put into the mailbox or given up.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

const MessageFilter = builder.inputType('MessageFilter', {
  description: 'Which messages to list; what is left out does not narrow.',
  fields: (t) => ({
    channel: t.field({ type: MessageChannel, description: 'Sent in this way.' }),
    status: t.field({ type: MessageStatus, description: 'Standing there.' }),
    to: t.string({ description: 'To this e-mail address or phone number in E.164, whole.' }),
  }),
});

function filtered(context: GraphqlContext, filter: typeof MessageFilter.$inferInput | null | undefined) {
  const { channel, status, to } = filter ?? {};
  return {
    ...visibleMessages(context),
    ...(channel != null && { channel }),
    ...(status != null && { status }),
    ...(to != null && { recipient: { equals: escapeLike(to), mode: 'insensitive' as const } }),
  };
}

/** Prisma compares without case by ILIKE. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

builder.queryFields((t) => ({
  message: t.prismaField({
    type: MessageType,
    nullable: true,
    description: 'One message.',
    args: { id: t.arg.id({ required: true, description: 'Its id, `msg_…`.' }) },
    resolve: (query, _root, { id }, context) =>
      context.service.prisma.message.findFirst({ ...query, where: { id, ...visibleMessages(context) } }),
  }),
  messages: t.prismaConnection(
    {
      type: MessageType,
      ...pagedById,
      description: 'The e-mail and SMS of the last 90 days, newest first.',
      args: { filter: t.arg({ type: MessageFilter, description: 'Which.' }) },
      resolve: (query, _root, { filter }, context) =>
        context.service.prisma.message.findMany(keyset(query, 'Message', filtered(context, filter))),
      totalCount: (_root, { filter }, context) =>
        context.service.prisma.message.count({ where: filtered(context, filter) }),
    },
    connectionOf(MessageType, 'Message'),
  ),
}));
