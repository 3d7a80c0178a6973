import type { Upload } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { toLocalDate } from '../../../kit/time-zone.ts';
import { readStatement } from '../../../statement/read-statement.ts';
import { readUpload } from '../../platform/upload/read-upload.ts';
import { isSameAccount } from '../statement/file-account.ts';
import { readFormat } from '../statement/read-format.ts';
import { findStatementMapping } from '../statement/statement-mapping.ts';
import type { OpenBankFeed } from './open-bank-feed.ts';

/** An account of a feed whose entries a file contains. */
type FileTarget = { receivingAccountId: string; fileAccount?: string };

/**
 * Returns the accounts that a file names, as the bank writes them; undefined for entries without an account, as in
 * tables. Error: `invalid_statement`.
 */
export async function readFileAccounts(
  db: Db,
  { accounts }: OpenBankFeed,
  upload: Upload,
): Promise<Set<string | undefined>> {
  const { format } = await readFormat(db, upload);
  if (format === 'csv') return new Set([undefined]);
  const { currency, timeZone, id } = accounts[0]!.receivingAccount;
  const today = toLocalDate(upload.createdAt, timeZone);
  // An archive may contain tables.
  const mapping = format === 'zip' ? await findStatementMapping(db, id) : undefined;
  const csv = mapping && { mapping, currency, today };
  const names = new Set<string | undefined>();
  const options = { csv, account: { currency, today } };
  for await (const { accountId } of readStatement(readUpload(db, upload), options)) names.add(accountId);
  return names;
}

/**
 * Returns the accounts of the feed into which a file is imported. The entries of accounts that the feed does not
 * report are ignored. A file that names no account belongs to the only account of a feed.
 */
export function chooseFileTargets(
  { accounts }: Pick<OpenBankFeed, 'accounts'>,
  names: ReadonlySet<string | undefined>,
): FileTarget[] {
  const [first] = accounts;
  if (first && accounts.length === 1 && (first.bankAccount === '*' || names.has(undefined)))
    return [{ receivingAccountId: first.receivingAccountId }];
  return accounts.flatMap(({ receivingAccountId, bankAccount, receivingAccount }) => {
    const number = bankAccount ?? receivingAccount.account;
    const found = [...names].filter((name) => name !== undefined && isSameAccount(name, number));
    // The last digits do not distinguish accounts that share them, so the whole number must match.
    const exact = found.length > 1 ? found.filter((name) => name === number) : found;
    const [fileAccount] = exact;
    if (fileAccount === undefined) return [];
    return [{ receivingAccountId, ...(names.size > 1 && { fileAccount }) }];
  });
}
