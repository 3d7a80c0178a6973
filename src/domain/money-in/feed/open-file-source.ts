import { decryptFile, isPgpName } from '../../../feed/pull/decrypt-file.ts';
import type { FileSource } from '../../../feed/pull/file-source.ts';
import { openFolder } from '../../../feed/pull/open-folder.ts';
import { openSftp } from '../../../feed/pull/open-sftp.ts';
import type { Service } from '../../platform/service.ts';
import { decryptFeedCredentials, type OpenBankFeed } from './open-bank-feed.ts';

/**
 * Opens the folder of a feed with files, local or on an SFTP server. OpenPGP files are decrypted while they are read.
 * Throws `PullError`.
 */
export async function openFileSource(
  { settings: { feedDir, allowPrivateTargets }, secrets }: Service,
  { feed, settings }: OpenBankFeed,
): Promise<FileSource> {
  const credentials = await decryptFeedCredentials(secrets, feed);
  const source =
    feed.kind === 'folder'
      ? await openFolder(feedDir, feed.id)
      : await openSftp({ pull: settings.pull ?? {}, credentials, allowPrivateTargets });
  return {
    ...source,
    read: (file) => (isPgpName(file.name) ? decryptFile(source.read(file), credentials) : source.read(file)),
  };
}
