import type { ReceivingAccount } from '../../../prisma/client/client.ts';
import { invalidInput } from '../../kit/errors.ts';
import type { MethodCode } from '../../method/catalogue.ts';
import { schemeOf } from '../../method/schemes.ts';
import { isActive } from '../receiving-account/receiving-account-state.ts';

type Named = {
  receivingAccountId?: string | null | undefined;
  method?: string | null | undefined;
  account?: string | null | undefined;
};

/**
 * The account that an item of a feed names: by its id, or by method and number as the account shows it, else as banks
 * write it. Where several fit, the one in use. Error: `invalid_request` where none fits, or nothing tells which.
 */
export function findToldAccount(
  accounts: readonly ReceivingAccount[],
  { receivingAccountId, method, account }: Named,
): ReceivingAccount {
  const fitting =
    receivingAccountId != null
      ? accounts.filter(({ id }) => id === receivingAccountId)
      : findByNumber(accounts, method, account ?? '');
  if (fitting.length === 0)
    throw invalidInput('/receivingAccountId', 'or method and account must name a receiving account of yours');
  const [found, ...others] = fitting.length === 1 ? fitting : fitting.filter(isActive);
  if (found && others.length === 0) return found;
  const ids = fitting.map(({ id }) => id).join(', ');
  throw invalidInput('/account', `fits several receiving accounts: name one by receivingAccountId (${ids})`);
}

function findByNumber(
  accounts: readonly ReceivingAccount[],
  method: Named['method'],
  number: string,
): ReceivingAccount[] {
  const ofMethod = accounts.filter((one) => one.method === method);
  const exact = ofMethod.filter((one) => one.account === number);
  if (exact.length > 0) return exact;
  return ofMethod.filter((one) => fold(one.method, one.account) === fold(one.method, number));
}

/** Banks group numbers in their own ways; in an address every character but its case counts. */
function fold(method: string, account: string): string {
  if (account.includes('@')) return account.trim().toLowerCase();
  const digitsAndLetters = account.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
  return schemeOf(method as MethodCode).foldAccount?.(digitsAndLetters) ?? digitsAndLetters;
}
