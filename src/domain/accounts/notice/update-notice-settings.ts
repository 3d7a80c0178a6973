import type { MerchantUser, NoticeSetting, Prisma } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { parseTargetUrl } from '../../platform/target-url.ts';
import { lockSessionUser } from '../user/lock-user.ts';
import type { SessionContext } from '../user/reauthenticate.ts';
import { getChatHost } from './chat-address.ts';
import { getNextSummary } from './next-summary.ts';
import { listNoticeChoices, type NoticeChoice, requireNoticeRole } from './notice-topics.ts';

type NoticeSettingsInput = {
  settings: readonly NoticeChoice[];
  /** The incoming webhook of a chat; null removes it, undefined leaves it unchanged. */
  chatUrl?: string | null | undefined;
};

/**
 * Changes what a signed-in user is notified about. A topic that is turned on reports only new events. A change of its
 * frequency loses no events. Without a chat address, all topics of the chat are off. Errors: `unauthenticated`,
 * `permission_denied` for a cashier, `invalid_request`, `target_refused` for a private address.
 */
export async function updateNoticeSettings(
  service: Service,
  options: SessionContext & { merchantId: string; input: NoticeSettingsInput },
): Promise<MerchantUser> {
  const { merchantId, input, ipAddress, now } = options;
  const { chatUrl } = input;
  if (chatUrl != null) parseTargetUrl(chatUrl, '/chatUrl', { mode: 'live', ...service.settings });
  return transact(service, async (uow) => {
    const { tx, secrets } = uow;
    const before = await lockSessionUser(tx, options);
    requireNoticeRole(before);
    const settings = await tx.noticeSetting.findMany({ where: { userId: before.id } });
    const choices = listNoticeChoices(before.role, settings);
    const hasChat = chatUrl === undefined ? before.chatUrlEncrypted !== null : chatUrl !== null;
    const changed = findChanges(choices, input.settings, hasChat);
    await saveChoices(uow, { user: before, merchantId, settings, changed, now });
    const chatHosts = { from: await getChatHost(service, before), to: toHost(chatUrl) };
    const user =
      chatUrl === undefined
        ? before
        : await tx.merchantUser.update({
            where: { id: before.id },
            data: {
              chatUrlEncrypted:
                chatUrl && secrets.encrypt(chatUrl, 'merchant_user.chat_url_encrypted', before.id),
            },
          });
    if (changed.length === 0 && chatUrl === undefined) return before;
    const detail = {
      email: before.email,
      ...(chatUrl !== undefined && { chatHost: chatHosts }),
      ...toDetail(choices, changed),
    };
    const entry = { merchantId, actor: `user:${user.id}`, ipAddress, objectId: user.id, now };
    await recordAudit(uow, { ...entry, action: 'user.updated', detail });
    return user;
  });
}

function toHost(chatUrl: string | null | undefined): string | null {
  return chatUrl == null ? null : new URL(chatUrl).host;
}

/** Returns the choices that differ from the present ones. Throws 400 if the chat is used without an address. */
function findChanges(
  present: readonly NoticeChoice[],
  requested: readonly NoticeChoice[],
  hasChat: boolean,
): NoticeChoice[] {
  return present.flatMap((choice) => {
    const wanted = requested.find(
      ({ channel, topic }) => channel === choice.channel && topic === choice.topic,
    );
    const isUnreachable = choice.channel === 'chat' && !hasChat;
    if (isUnreachable && wanted !== undefined && wanted.frequency !== 'off')
      throw invalidInputError('/chatUrl', 'must be set to receive notifications in a chat');
    const frequency = isUnreachable ? 'off' : (wanted?.frequency ?? choice.frequency);
    return frequency === choice.frequency ? [] : [{ ...choice, frequency }];
  });
}

type ChoiceChange = {
  user: MerchantUser;
  merchantId: string;
  settings: readonly NoticeSetting[];
  changed: readonly NoticeChoice[];
  now: Date;
};

async function saveChoices(uow: UnitOfWork<Service>, change: ChoiceChange): Promise<void> {
  const { user, merchantId, settings, changed, now } = change;
  if (changed.length === 0) return;
  const { tx } = uow;
  const { timeZone } = await tx.merchant.findUniqueOrThrow({ where: { id: merchantId } });
  const counter = await tx.eventCounter.findUnique({
    where: { merchantId_mode: { merchantId, mode: 'live' } },
  });
  for (const { channel, topic, frequency } of changed) {
    const before = settings.find((row) => row.channel === channel && row.topic === topic);
    const wasOff = before === undefined || before.frequency === 'off';
    const nextTimes = { off: null, at_once: now, daily: getNextSummary(now, timeZone) };
    const data = {
      frequency,
      nextAt: nextTimes[frequency],
      ...(wasOff && { eventPosition: counter?.last ?? 0n }),
      ...(frequency === 'off' && { alertIds: [] }),
    };
    const key = { userId: user.id, channel, topic };
    await tx.noticeSetting.upsert({
      where: { userId_channel_topic: key },
      create: { ...key, ...data },
      update: data,
    });
  }
}

/** Returns the changes by name, such as `emailPayments`. */
function toDetail(
  present: readonly NoticeChoice[],
  changed: readonly NoticeChoice[],
): Prisma.InputJsonObject {
  return Object.fromEntries(
    changed.map(({ channel, topic, frequency }) => {
      const from = present.find((row) => row.channel === channel && row.topic === topic)!.frequency;
      return [`${channel}${topic[0]!.toUpperCase()}${topic.slice(1)}`, { from, to: frequency }];
    }),
  );
}
