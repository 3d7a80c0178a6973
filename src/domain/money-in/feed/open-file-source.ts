import type { FileSource } from '../../../feed/pull/file-source.ts';
import { openFolder } from '../../../feed/pull/open-folder.ts';
import type { Service } from '../../platform/service.ts';
import type { OpenBankFeed } from './open-bank-feed.ts';
import type { PollRun } from './poll-bank-feed.ts';

/** Opens the folder of a feed with files, local or on an SFTP server. Throws `PullError`. */
export async function openFileSource(
  service: Service,
  { feed }: OpenBankFeed,
  _run: PollRun,
): Promise<FileSource> {
  return openFolder(service.settings.feedDir, feed.id);
}
