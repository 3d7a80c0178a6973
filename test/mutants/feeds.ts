import type { Mutant } from './mutant.ts';

export const feeds: Mutant[] = [
  {
    promise: 'A bank feed never verifies with a missing secret',
    file: 'src/feed/verify-request.ts',
    find: '.some((name) => !credentials[name])',
    replace: '.some(() => false)',
    tests: ['test/feed/presets.test.ts'],
  },
  {
    promise: 'A delivery that was signed more than 5 minutes ago is rejected',
    file: 'src/feed/verify-request.ts',
    find: 'freshnessMs = 5 * minuteMs',
    replace: 'freshnessMs = 50 * minuteMs',
    tests: ['test/feed/presets.test.ts', 'test/rest/feeds.test.ts'],
  },
  {
    promise: 'An unconfirmed feed records nothing',
    file: 'src/domain/money-in/feed/process-delivery.ts',
    find: 'feed.confirmedAt !== null',
    replace: 'feed.id !== null',
    tests: ['test/domain/feed/trust.test.ts'],
  },
  {
    promise: 'A payment without a signature must have the same amount in the bank’s API',
    file: 'src/feed/scb-inquiry.ts',
    find: ' && Number(amount) === Number(claim.amount)',
    replace: ' && Number(amount) > 0',
    tests: ['test/domain/feed/trust.test.ts'],
  },
  {
    promise: 'The same payment in two feeds is recorded once',
    file: 'src/domain/money-in/transfer/duplicates/find-duplicates.ts',
    find: "(${first.source} <> 'feed' OR source_key IS DISTINCT FROM ${first.fileKind})",
    replace: "(${first.source} <> 'feed' AND source_key IS DISTINCT FROM ${first.fileKind})",
    tests: ['test/rest/feeds.test.ts'],
  },
  {
    promise: 'An SFTP server must present the approved host key before it receives the login',
    file: 'src/feed/pull/open-sftp.ts',
    find: 'return presentedHostKeyFingerprint === pull.hostKeyFingerprint;',
    replace: 'return presentedHostKeyFingerprint !== undefined;',
    tests: ['test/domain/feed/sftp-feed.test.ts'],
  },
  {
    promise: 'An SFTP server that hangs in a file does not block the poll',
    file: 'src/feed/pull/open-sftp.ts',
    find: '      socket.destroy();\n    }, answerMs);',
    replace: '      void socket;\n    }, answerMs);',
    tests: ['test/domain/feed/sftp-feed.test.ts'],
  },
  {
    promise: 'A file that may still be written is not fetched',
    file: 'src/domain/money-in/feed/fetch-files.ts',
    find: 'before[file.name] === toVersion(file)',
    replace: 'before[file.name] !== file.name',
    tests: ['test/domain/feed/folder-feed.test.ts'],
  },
  {
    promise: 'A feed is polled by one worker at a time',
    file: 'src/domain/money-in/feed/poll-bank-feed.ts',
    find: ' AND ${isLeaseFree(now)}',
    replace: ' AND (${isLeaseFree(now)} OR TRUE)',
    tests: ['test/domain/feed/folder-feed.test.ts'],
  },
  {
    promise: 'An API that repeats a page fails visibly',
    file: 'src/feed/pull/akahu.ts',
    find: 'if (cursors.has(cursor))',
    replace: 'if (cursors.has(cursor)) return;\n      if (cursors.size > 1_000)',
    tests: ['test/domain/feed/api-feeds.test.ts'],
  },
];
