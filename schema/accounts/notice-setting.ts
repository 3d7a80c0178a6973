import type { NoticeChannel, NoticeChoice } from '../../src/domain/accounts/notice/notice-topics.ts';
import { builder } from '../kit/builder.ts';

const noticeChannels: Record<NoticeChannel, { description: string }> = {
  email: { description: 'The email address of the user.' },
  chat: { description: 'A chat that accepts incoming webhooks in the format of Slack.' },
};
export const NoticeChannelEnum = builder.enumType('NoticeChannel', {
  description: 'The channel through which a user is notified.',
  values: noticeChannels,
});

export const NoticeTopicEnum = builder.enumType('NoticeTopic', {
  description: 'A topic about which a user is notified. More values may be added.',
  values: {
    payments: { description: 'Charges were completed in live mode.' },
    reviews: { description: 'Transfers need review in live mode.' },
    endpoints: { description: 'A webhook or callback fails, was disabled, or has recovered.' },
    accounts: {
      description:
        'A bank feed fails or is silent, or a receiving account is running out of payment references.',
    },
  },
});

export const NoticeFrequencyEnum = builder.enumType('NoticeFrequency', {
  description: 'The frequency with which a user is notified.',
  values: {
    off: { description: 'The user is not notified.' },
    at_once: {
      description: 'The user is notified within a minute. One message may report several events.',
    },
    daily: {
      description:
        'The user receives a summary at 08:00 in the time zone of the merchant, unless it is empty.',
    },
  },
});

export const NoticeSettingType = builder.objectRef<NoticeChoice>('NoticeSetting').implement({
  description: 'The frequency with which a user is notified about a topic through a channel.',
  fields: (t) => ({
    channel: t.expose('channel', {
      type: NoticeChannelEnum,
      description: 'The channel through which the user is notified.',
    }),
    topic: t.expose('topic', {
      type: NoticeTopicEnum,
      description: 'The topic about which the user is notified.',
    }),
    frequency: t.expose('frequency', {
      type: NoticeFrequencyEnum,
      description:
        'The frequency with which the user is notified. By default, owners and developers receive alerts by email at once.',
    }),
  }),
});
