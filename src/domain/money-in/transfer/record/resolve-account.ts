import type { ReceivingAccount } from '../../../../../prisma/client/client.ts';
import { invalidInputError } from '../../../../kit/errors.ts';
import type { MethodCode } from '../../../../method/catalog.ts';
import { getScheme } from '../../../../method/schemes.ts';
import { isActive } from '../../../accounts/receiving-account/receiving-account-state.ts';

/** An account, given by ID, or by method and account number. */
export type AccountIdentifier = {
  receivingAccountId?: string | null | undefined;
  method?: string | null | undefined;
  account?: string | null | undefined;
};

/**
 * Returns the account that a reported transfer identifies: by ID, or by method and number in exact or normalized form.
 * Prefers the active account if several match. Error: `invalid_request` if none matches or the match is
 * ambiguous.
 */
export function resolveAccount(
  accounts: readonly ReceivingAccount[],
  { receivingAccountId, method, account }: AccountIdentifier,
): ReceivingAccount {
  const candidates =
    receivingAccountId != null
      ? accounts.filter(({ id }) => id === receivingAccountId)
      : findByNumber(accounts, method, account ?? '');
  if (candidates.length === 0 && receivingAccountId != null)
    throw invalidInputError('/receivingAccountId', 'must be the ID of one of your receiving accounts');
  if (candidates.length === 0 && (method == null || account == null))
    throw invalidInputError('/receivingAccountId', 'is required, unless both method and account are given');
  if (candidates.length === 0)
    throw invalidInputError(
      '/account',
      `must be the account of one of your receiving accounts for ${method}`,
    );
  const [match, ...others] = candidates.length === 1 ? candidates : candidates.filter(isActive);
  if (match && others.length === 0) return match;
  const ids = candidates.map(({ id }) => id).join(', ');
  throw invalidInputError('/account', `matches several receiving accounts: use receivingAccountId (${ids})`);
}

function findByNumber(
  accounts: readonly ReceivingAccount[],
  method: AccountIdentifier['method'],
  number: string,
): ReceivingAccount[] {
  const sameMethod = accounts.filter((candidate) => candidate.method === method);
  const exact = sameMethod.filter((candidate) => candidate.account === number);
  if (exact.length > 0) return exact;
  return sameMethod.filter(
    (candidate) =>
      foldAccountNumber(candidate.method, candidate.account) === foldAccountNumber(candidate.method, number),
  );
}

/**
 * Normalizes an account number for comparison: ignores case and separators, which differ between banks, and
 * applies the rule of the method's scheme. An email address keeps its separators.
 */
export function foldAccountNumber(method: string, account: string): string {
  const folded = foldText(account);
  if (account.includes('@')) return folded;
  return getScheme(method as MethodCode).foldAccount?.(folded) ?? folded;
}

/** Like `foldAccountNumber`, for an account of an unknown scheme. */
export function foldText(text: string): string {
  return text.includes('@') ? text.trim().toLowerCase() : text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
}
