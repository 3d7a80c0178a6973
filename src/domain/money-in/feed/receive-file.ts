import type { FeedDelivery, Upload } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { DecryptionError } from '../../../feed/pull/decrypt-file.ts';
import type { FileSource, SourceFile } from '../../../feed/pull/file-source.ts';
import { PullError } from '../../../feed/pull/pull-error.ts';
import type { Clock } from '../../../kit/clock.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { newOrderedId } from '../../../kit/id.ts';
import { toLocalDate } from '../../../kit/time-zone.ts';
import type { CsvMapping } from '../../../statement/csv-mapping.ts';
import { readStatement } from '../../../statement/read-statement.ts';
import { merchantNow } from '../../platform/clock/merchant-now.ts';
import type { Service } from '../../platform/service.ts';
import { readUpload } from '../../platform/upload/read-upload.ts';
import { storeUpload } from '../../platform/upload/store-upload.ts';
import { isSameAccountNumber } from '../statement/account-number.ts';
import { importStatement } from '../statement/import/import-statement.ts';
import { readFormat } from '../statement/read-format.ts';
import { findStatementMapping } from '../statement/statement-mapping.ts';
import type { OpenBankFeed } from './open-bank-feed.ts';
import { recordHealth } from './process-delivery.ts';
import {
  type DeliveryOutcome,
  ignoreReplacedFiles,
  transitionDeliveries,
} from './transition-feed-delivery.ts';

type FileOptions = { source: Pick<FileSource, 'read'>; file: SourceFile; clock: Clock };

/** The result of storing a file: its imports, or the outcome without one. */
type FileImport = {
  sha256: string;
  statementIds: string[];
  outcome?: Omit<DeliveryOutcome, 'results'>;
};

/** An account of a feed whose entries a file contains. */
type FileTarget = { receivingAccountId: string; fileAccount?: string };

/**
 * Fetches a file and queues its import into each account of the feed that it names. A delivery records the file,
 * also if the file cannot be imported. If the process ends before the delivery is recorded, the next poll fetches
 * the file again and finds its import. Throws `PullError` if the file cannot be fetched.
 */
export async function receiveFile(
  service: Service,
  open: OpenBankFeed,
  options: FileOptions,
): Promise<FeedDelivery> {
  const { file, clock } = options;
  const imported = await importFile(service, open, options);
  const now = clock.now();
  return transact(service, async (uow) => {
    const { id: feedId, merchantId, mode } = open.feed;
    const delivery = await uow.tx.feedDelivery.create({
      data: {
        id: newOrderedId('feedDelivery', now),
        merchantId,
        mode,
        feedId,
        status: 'received',
        size: file.size,
        fileName: file.name,
        fileModifiedAt: file.modifiedAt,
        bodyHash: imported.sha256,
        statementIds: imported.statementIds,
        createdAt: now,
        nextAttemptAt: now,
      },
    });
    await ignoreReplacedFiles(uow, { feedId, fileName: file.name });
    announceChange(uow, { objectId: delivery.id, merchantId, mode });
    if (!imported.outcome) return delivery;
    const outcome = { ...imported.outcome, results: [] };
    const [updated] = await transitionDeliveries(uow, [{ delivery, outcome }], now);
    await recordHealth(uow, open.feed, { outcome, now });
    return updated!;
  });
}

async function importFile(service: Service, open: OpenBankFeed, options: FileOptions): Promise<FileImport> {
  const { merchantId, mode } = open.feed;
  const scope = { merchantId, mode, actor: 'job' };
  let upload: Upload;
  try {
    const { source, file, clock } = options;
    upload = await storeUpload(service, {
      ...scope,
      fileName: file.name,
      source: source.read(file),
      now: clock.now(),
    });
  } catch (error) {
    return rejectFile(error, '');
  }
  try {
    return await importUpload(service, open, { upload, clock: options.clock });
  } catch (error) {
    return rejectFile(error, upload.sha256 ?? '');
  } finally {
    // Deletes the file unless it was imported, because an imported file no longer expires.
    await service.prisma.upload.deleteMany({ where: { id: upload.id, expiresAt: { not: null } } });
  }
}

async function importUpload(
  service: Service,
  open: OpenBankFeed,
  { upload, clock }: { upload: Upload; clock: Clock },
): Promise<FileImport> {
  const { merchantId, mode } = open.feed;
  const sha256 = upload.sha256 ?? '';
  const names = await readFileAccounts(service, open, upload);
  if (names.size === 0)
    return { sha256, statementIds: [], outcome: { status: 'ignored', reason: 'no_transfers' } };
  const { targets, ambiguousNames } = chooseFileTargets(open, names);
  if (targets.length === 0 || ambiguousNames.length > 0) {
    const unknownNames = ambiguousNames.length > 0 ? ambiguousNames : [...names];
    const detail = unknownNames.map((name) => name ?? 'none').join(', ');
    return {
      sha256,
      statementIds: [],
      outcome: { status: 'failed', reason: 'unknown_account', detail: detail.slice(0, 500) },
    };
  }
  const statementIds: string[] = [];
  for (const target of targets) {
    const systemNow = clock.now();
    const { statement } = await importStatement(service, {
      merchantId,
      mode,
      ...target,
      uploadId: upload.id,
      actor: 'job',
      systemNow,
      now: merchantNow(systemNow, open.merchant, mode),
    });
    statementIds.push(statement.id);
  }
  return { sha256, statementIds };
}

/**
 * Returns the outcome for a file that cannot be imported; rethrows errors after which another attempt can succeed.
 */
function rejectFile(error: unknown, sha256: string): FileImport {
  if (error instanceof DecryptionError)
    return {
      sha256,
      statementIds: [],
      outcome: { status: 'failed', reason: 'pgp_failed', detail: error.message },
    };
  if (error instanceof PullError || !(error instanceof DomainError)) throw error;
  if (error.code === 'rate_limited') throw new PullError('too_many_uploads', error.message, { cause: error });
  const reasons: Partial<Record<DomainError['code'], string>> = {
    payload_too_large: 'file_too_large',
    invalid_request: 'mapping_missing',
  };
  const reason = reasons[error.code] ?? 'file_unreadable';
  return { sha256, statementIds: [], outcome: { status: 'failed', reason, detail: error.message } };
}

/**
 * Returns the accounts that a file names, as the bank writes them; undefined for entries without an account, and
 * for a table of a feed with one account or without a mapping.
 */
async function readFileAccounts(
  db: Db,
  { accounts }: OpenBankFeed,
  upload: Upload,
): Promise<Set<string | undefined>> {
  const { format } = await readFormat(db, upload);
  if (format === 'csv' && accounts.length === 1) return new Set([undefined]);
  const { currency, timeZone } = accounts[0]!.receivingAccount;
  const today = toLocalDate(upload.createdAt, timeZone);
  // An archive may contain tables.
  const hasTables = format === 'csv' || format === 'zip';
  const mapping = hasTables ? await findFirstMapping(db, accounts) : undefined;
  if (format === 'csv' && !mapping) return new Set([undefined]);
  const csv = mapping && { mapping, currency, today };
  const names = new Set<string | undefined>();
  const options = { csv, account: { currency, today } };
  for await (const { accountId } of readStatement(readUpload(db, upload), options)) names.add(accountId);
  return names;
}

/** Returns the first mapping of the accounts, because the tables of one feed usually have one format. */
async function findFirstMapping(db: Db, accounts: OpenBankFeed['accounts']): Promise<CsvMapping | undefined> {
  for (const { receivingAccount } of accounts) {
    const mapping = await findStatementMapping(db, receivingAccount.id);
    if (mapping) return mapping;
  }
  return undefined;
}

/**
 * Returns the accounts of the feed into which a file is imported, and the names in the file that may be the same
 * account of the feed. The entries of accounts that the feed does not report are ignored. A file that names no account
 * belongs to the only account of a feed.
 */
function chooseFileTargets(
  { accounts }: Pick<OpenBankFeed, 'accounts'>,
  names: ReadonlySet<string | undefined>,
): { targets: FileTarget[]; ambiguousNames: string[] } {
  const [first] = accounts;
  if (first && accounts.length === 1 && (first.bankAccount === '*' || names.has(undefined)))
    return { targets: [{ receivingAccountId: first.receivingAccountId }], ambiguousNames: [] };
  const numbers = [...names].filter((name) => name !== undefined);
  const targets: FileTarget[] = [];
  const ambiguousNames: string[] = [];
  for (const { receivingAccountId, bankAccount, receivingAccount } of accounts) {
    const number = bankAccount ?? receivingAccount.account;
    const found = numbers.filter((name) => isSameAccountNumber(name, number));
    // The last digits do not distinguish accounts that share them, so the whole number must match.
    const fileAccount = found.length > 1 ? found.find((name) => name === number) : found[0];
    if (fileAccount !== undefined)
      targets.push({ receivingAccountId, ...(names.size > 1 && { fileAccount }) });
    else ambiguousNames.push(...found);
  }
  return { targets, ambiguousNames };
}
