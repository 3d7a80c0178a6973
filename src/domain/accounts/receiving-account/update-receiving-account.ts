import type { Prisma, ReceivingAccount, ReceivingAccountStatus } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { DomainError } from '../../../kit/errors.ts';
import { toDecimal } from '../../../kit/money.ts';
import type { MethodCode } from '../../../method/catalogue.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { type Acting, requirePermission } from '../api-key/permissions.ts';
import {
  type AccountTerms,
  type AccountTermsInput,
  checkTerms,
  faultReader,
  parseTerms,
  refuseFaults,
} from './account-terms.ts';
import { lockReceivingAccount } from './lock-receiving-account.ts';
import { accountTransitions, isActive } from './receiving-account-state.ts';
import { type AccountChange, type TermChange, tellOwners } from './tell-owners.ts';

export type UpdateReceivingAccountInput = AccountTermsInput & {
  status?: ReceivingAccountStatus | null | undefined;
};

/**
 * Changes the terms of an account, retires it or takes it up again; never its number, which makes another account. New
 * terms hold for new charges. A retired account changes only together with being taken up again. In live mode all
 * owners are notified by mail. Errors: `permission_denied`, `receiving_account_not_found`, `receiving_account_retired`,
 * `receiving_account_invalid` with every fault.
 */
export async function updateReceivingAccount(
  service: Service,
  options: Acting & { id: string; input: UpdateReceivingAccountInput },
): Promise<ReceivingAccount> {
  const { caller, id, input, now, address } = options;
  requirePermission(caller, 'manage');
  const { merchant, mode, actor } = caller;
  const owner = { merchantId: merchant.id, mode };
  return transact(service, async (uow) => {
    const before = await lockReceivingAccount(uow.tx, { ...owner, id });
    const terms = readTerms(before, input);
    const status = input.status ?? before.status;
    const changes = changesOf(before, terms);
    if (changes.length > 0 && !isActive(before) && status === 'retired') throw accountRetired(before);
    if (changes.length === 0 && status === before.status) return before;
    const account = await uow.tx.receivingAccount.update({
      where: { id },
      data: { ...terms, ...statusChange(before, status, now), updatedAt: now },
    });
    const detail = { ...auditOf(changes), ...(status !== before.status && { status }) };
    const entry = { ...owner, actor, address, objectId: id, detail, now };
    await recordAudit(uow, { ...entry, action: 'receiving_account.updated' });
    const change = changeOf(before.status, status);
    await tellOwners(uow, { caller, account, change, changes, now });
    return account;
  });
}

function readTerms(before: ReceivingAccount, input: UpdateReceivingAccountInput): Partial<AccountTerms> {
  const method = before.method as MethodCode;
  const { faults, read } = faultReader();
  const terms = parseTerms(method, input, read);
  if (faults.length === 0)
    read(() => checkTerms({ ...before, ...terms }, { method, details: before.details }));
  refuseFaults(faults);
  return terms;
}

/** The one writer of the status; the row is locked. */
function statusChange(
  before: ReceivingAccount,
  to: ReceivingAccountStatus,
  now: Date,
): Pick<Prisma.ReceivingAccountUpdateInput, 'status' | 'retiredAt'> {
  if (!accountTransitions[before.status].includes(to)) return {};
  return { status: to, retiredAt: to === 'retired' ? now : null };
}

function changeOf(from: ReceivingAccountStatus, to: ReceivingAccountStatus): AccountChange {
  if (from === to) return 'updated';
  return to === 'retired' ? 'retired' : 'reactivated';
}

function changesOf(before: ReceivingAccount, terms: Partial<AccountTerms>): TermChange[] {
  return (Object.keys(terms) as (keyof AccountTerms)[]).flatMap((name) => {
    const [from, to] = [asText(name, before[name], before), asText(name, terms[name] ?? null, before)];
    return from === to ? [] : [{ name, from, to }];
  });
}

function asText(
  name: keyof AccountTerms,
  value: AccountTerms[keyof AccountTerms],
  { currency }: ReceivingAccount,
): string | null {
  if (typeof value === 'bigint') return `${toDecimal({ minor: value, currency })} ${currency}`;
  return value === null || name === 'bank' || name === 'holder' ? (value as string | null) : String(value);
}

function auditOf(changes: readonly TermChange[]): Prisma.InputJsonObject {
  return Object.fromEntries(changes.map(({ name, from, to }) => [name, { from, to }]));
}

function accountRetired({ id }: ReceivingAccount): DomainError {
  return new DomainError('receiving_account_retired', `${id} is retired; reactivate it first`);
}
