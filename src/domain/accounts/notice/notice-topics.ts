import type {
  MessageChannel,
  NoticeFrequency,
  NoticeSetting,
  NoticeTopic,
  UserRole,
} from '../../../../prisma/client/client.ts';
import type { AlertKind } from '../alert/alert-kind.ts';

/** Customers receive SMS, users do not. */
export type NoticeChannel = Exclude<MessageChannel, 'sms'>;

const noticeChannels: readonly NoticeChannel[] = ['email', 'chat'];
const noticeTopics: readonly NoticeTopic[] = ['payments', 'reviews', 'endpoints', 'accounts'];

/** Roles that receive alerts by email unless they choose otherwise. */
const alertedRoles: readonly UserRole[] = ['owner', 'developer'];

/** The choice of a user for a channel and a topic. */
export type NoticeChoice = { channel: NoticeChannel; topic: NoticeTopic; frequency: NoticeFrequency };

/** Returns the user's choice for each channel and topic, or the default of the role. */
export function listNoticeChoices(
  role: UserRole,
  settings: readonly Pick<NoticeSetting, 'channel' | 'topic' | 'frequency'>[],
): NoticeChoice[] {
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
