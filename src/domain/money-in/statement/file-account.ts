import type { StatementSummary } from '../../../statement/control-totals.ts';
import type { StatementEntry } from '../../../statement/statement-entry.ts';
import { isSameAccountNumber } from './account-number.ts';

/** The accounts that a file names, as the bank writes them; undefined for entries without an account. */
export type FileAccounts = Set<string | undefined>;

/** The result of choosing the account whose entries are recorded: undefined for all entries. */
type FileAccountChoice = { fileAccount: string | undefined } | { error: string };

/**
 * Chooses the account of a file whose entries are recorded. A file with one account is recorded as a whole.
 * Of a file with several, only the chosen account is recorded, or else the one with the number of the
 * receiving account.
 */
export function chooseFileAccount(
  accounts: FileAccounts,
  { ownAccount, chosen }: { ownAccount: string; chosen: string | null },
): FileAccountChoice {
  const names = [...accounts].filter((account) => account !== undefined);
  const list = names.slice(0, 20).join(', ');
  if (chosen !== null) {
    if (names.includes(chosen)) return { fileAccount: chosen };
    return { error: `the file has no entries of the account ${chosen}; its accounts: ${list}` };
  }
  if (accounts.size <= 1) return { fileAccount: undefined };
  if (accounts.has(undefined)) return { error: 'some entries of this file do not name their account' };
  const [own, ...others] = names.filter((name) => isSameAccountNumber(name, ownAccount));
  if (own !== undefined && others.length === 0) return { fileAccount: own };
  return {
    error: `the file contains several accounts (${list}); choose the one that is this receiving account (fileAccount)`,
  };
}

/** Returns whether an entry belongs to the account that is recorded. */
export function isOfFileAccount(
  { accountId }: StatementEntry,
  fileAccount: string | null | undefined,
): boolean {
  return fileAccount == null || accountId === fileAccount;
}

/** Returns the summaries of the account that is recorded, and of trailers, which concern the whole file. */
export function selectOwnSummaries(
  summaries: readonly StatementSummary[],
  fileAccount: string | null | undefined,
): StatementSummary[] {
  return summaries.filter(
    ({ accountId, trailerTotals }) =>
      fileAccount == null || accountId === fileAccount || trailerTotals !== undefined,
  );
}
