import type {
  MerchantUser,
  MessageChannel,
  NoticeFrequency,
  NoticeSetting,
  NoticeTopic,
  UserRole,
} from '../../../../prisma/client/client.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { AlertKind } from '../alert/alert-kind.ts';
import { noticeRoles } from '../user/roles.ts';

/** Customers receive SMS, users do not. */
export type NoticeChannel = Exclude<MessageChannel, 'sms'>;

const noticeChannels: readonly NoticeChannel[] = ['email', 'chat'];
const noticeTopics: readonly NoticeTopic[] = ['payments', 'reviews', 'endpoints', 'accounts'];

/** Throws `permission_denied` if the role of the user cannot receive notices. */
export function requireNoticeRole({ role }: MerchantUser): void {
  if (!noticeRoles.includes(role))
    throw new DomainError('permission_denied', 'Your role cannot receive notifications');
}

/** Roles that receive alerts by email unless they choose otherwise. */
const alertedRoles: readonly UserRole[] = ['owner', 'developer'];

/** The choice of a user for a channel and a topic. */
export type NoticeChoice = { channel: NoticeChannel; topic: NoticeTopic; frequency: NoticeFrequency };

/** Returns the user's choice for each channel and topic, or the default of the role; none for other roles. */
export function listNoticeChoices(
  role: UserRole,
  settings: readonly Pick<NoticeSetting, 'channel' | 'topic' | 'frequency'>[],
): NoticeChoice[] {
  if (!noticeRoles.includes(role)) return [];
  return noticeChannels.flatMap((channel) =>
    noticeTopics.map((topic) => {
      const setting = settings.find((row) => row.channel === channel && row.topic === topic);
      return {
        channel,
        topic,
        frequency: setting?.frequency ?? getDefaultFrequency(role, { channel, topic }),
      };
    }),
  );
}

function getDefaultFrequency(
  role: UserRole,
  { channel, topic }: { channel: NoticeChannel; topic: NoticeTopic },
): NoticeFrequency {
  const isAlert = topic === 'endpoints' || topic === 'accounts';
  return channel === 'email' && isAlert && alertedRoles.includes(role) ? 'at_once' : 'off';
}

const accountAlertKinds: readonly AlertKind[] = ['references_low', 'feed_failing', 'feed_late'];

export function getAlertTopic(kind: AlertKind): 'endpoints' | 'accounts' {
  return accountAlertKinds.includes(kind) ? 'accounts' : 'endpoints';
}
