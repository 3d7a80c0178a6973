import type { BankFeed } from '../../prisma/client/client.ts';
import type { FeedSettings } from '../../src/domain/money-in/feed/feed-settings.ts';
import type { FeedPullSettings } from '../../src/feed/pull/pull-settings.ts';
import { builder } from '../kit/builder.ts';

export const BankFeedPullType = builder.objectRef<BankFeed>('BankFeedPull').implement({
  description: 'The settings with which a bank feed is polled.',
  fields: (t) => ({
    intervalMinutes: t.int({
      description: 'The number of minutes between two polls.',
      resolve: (feed) => getPull(feed).intervalMinutes,
    }),
    patterns: t.stringList({
      description:
        'The patterns of the names of files to fetch, such as `*.xml`. `*` matches any characters, and `?` one character. Letter case is ignored.',
      resolve: (feed) => getPull(feed).patterns,
    }),
    archivesFiles: t.boolean({
      description: 'Whether imported files are moved to the subfolder `archive`.',
      resolve: (feed) => getPull(feed).archivesFiles,
    }),
    host: t.string({
      nullable: true,
      description: 'The host name or IP address of the SFTP server. Null for other kinds of feeds.',
      resolve: (feed) => getPull(feed).host,
    }),
    port: t.int({
      nullable: true,
      description: 'The port of the SFTP server. If null, it is 22.',
      resolve: (feed) => getPull(feed).port,
    }),
    folder: t.string({
      nullable: true,
      description:
        'The folder of the files. For a `folder` feed, it is below the folder that the operator configured. Null for the login folder of an SFTP server, and for feeds without files.',
      resolve: (feed) => (feed.kind === 'folder' ? feed.id : getPull(feed).folder),
    }),
    hostKeyFingerprint: t.string({
      nullable: true,
      description: 'The SHA-256 fingerprint of the host key that you approved. Null before the approval.',
      resolve: (feed) => getPull(feed).hostKeyFingerprint,
    }),
    presentedHostKeyFingerprint: t.string({
      nullable: true,
      description:
        'The SHA-256 fingerprint of the host key that the server last presented. Null before the first connection.',
      resolve: ({ pollState }) =>
        (pollState as { presentedHostKeyFingerprint?: string }).presentedHostKeyFingerprint,
    }),
    providerAccountId: t.string({
      nullable: true,
      description: 'Your ID at the provider. Null if the provider needs none.',
      resolve: (feed) => getPull(feed).providerAccountId,
    }),
    nextPollAt: t.expose('nextPollAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time of the next poll. Null if no poll is scheduled.',
    }),
    lastPollAt: t.expose('lastPollAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time of the last poll, whether it succeeded or not. Null before the first poll.',
    }),
  }),
});

function getPull({ settings }: BankFeed): FeedPullSettings {
  const { pull } = settings as FeedSettings;
  if (!pull) throw new Error('The feed is not polled');
  return pull;
}

export const BankFeedPullInputType = builder.inputType('BankFeedPullInput', {
  description:
    'The settings with which a bank feed is polled. The sender determines which fields are required.',
  fields: (t) => ({
    intervalMinutes: t.int({
      description:
        'The number of minutes between two polls, up to 1,440. The default is 15, or 1 for a `folder` feed. The minimum is 10 for Popbill, 5 for Akahu and 1 for other senders.',
    }),
    patterns: t.stringList({
      description:
        'The patterns of the names of files to fetch, such as `*.xml`, 1 to 20. `*` matches any characters, and `?` one character. Letter case is ignored. The default is `*`.',
    }),
    archivesFiles: t.boolean({
      description:
        'Whether imported files are moved to the subfolder `archive`. The default is false: they stay in the folder.',
    }),
    host: t.string({
      description: 'The host name or IP address of the SFTP server. Required for an `sftp` feed.',
    }),
    port: t.int({ description: 'The port of the SFTP server. The default is 22.' }),
    folder: t.string({
      description: 'The folder on the SFTP server, at most 500 characters. The default is the login folder.',
    }),
    hostKeyFingerprint: t.string({
      description:
        'The SHA-256 fingerprint of the host key that you approve, such as `SHA256:…`. No file is fetched from a server with another key.',
    }),
    providerAccountId: t.string({
      description: 'Your ID at the provider: the profile ID at Wise, or the business number for Popbill.',
    }),
  }),
});
