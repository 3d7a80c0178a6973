import type { Prisma, ReceivingAccount, ReceivingAccountStatus } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { DomainError } from '../../../kit/errors.ts';
import { toDecimal } from '../../../kit/money.ts';
import type { MethodCode } from '../../../method/catalogue.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { type RequestContext, requirePermission } from '../api-key/permissions.ts';
import {
  type AccountTerms,
  type AccountTermsInput,
  checkTerms,
  createErrorCollector,
  parseTerms,
  throwInputErrors,
} from './account-terms.ts';
import { lockReceivingAccount } from './lock-receiving-account.ts';
import { type AccountChange, notifyOwners, type TermChange } from './notify-owners.ts';
import { accountTransitions, isActive } from './receiving-account-state.ts';

export type UpdateReceivingAccountInput = AccountTermsInput & {
  status?: ReceivingAccountStatus | null | undefined;
};

/**
 * Changes the terms or status of an account. New terms apply to new charges. The account number cannot
 * change; that is a new account. A retired account can change only when it is reactivated in the same call.
 * In live mode all owners are notified by mail.
 * Errors: `permission_denied`, `receiving_account_not_found`, `receiving_account_retired`,
 * `receiving_account_invalid` with all errors.
 */
export async function updateReceivingAccount(
  service: Service,
  options: RequestContext & { id: string; input: UpdateReceivingAccountInput },
): Promise<ReceivingAccount> {
  const { caller, id, input, now, address } = options;
  requirePermission(caller, 'manage');
  const { merchant, mode, actor } = caller;
  const owner = { merchantId: merchant.id, mode };
  return transact(service, async (uow) => {
    const before = await lockReceivingAccount(uow.tx, { ...owner, id });
    const terms = readTerms(before, input);
    const status = input.status ?? before.status;
    const changes = diffTerms(before, terms);
    if (changes.length > 0 && !isActive(before) && status === 'retired') throw accountRetired(before);
    if (changes.length === 0 && status === before.status) return before;
    const account = await uow.tx.receivingAccount.update({
      where: { id },
      data: { ...terms, ...getStatusChange(before, status, now), updatedAt: now },
    });
    const detail = { ...toAuditDetail(changes), ...(status !== before.status && { status }) };
    const entry = { ...owner, actor, address, objectId: id, detail, now };
    await recordAudit(uow, { ...entry, action: 'receiving_account.updated' });
    const change = getAccountChange(before.status, status);
    await notifyOwners(uow, { caller, account, change, changes, now });
    return account;
  });
}

function readTerms(before: ReceivingAccount, input: UpdateReceivingAccountInput): Partial<AccountTerms> {
  const method = before.method as MethodCode;
  const { errors, collect } = createErrorCollector();
  const terms = parseTerms(method, input, collect);
  if (errors.length === 0)
    collect(() => checkTerms({ ...before, ...terms }, { method, details: before.details }));
  throwInputErrors(errors);
  return terms;
}

/** All status changes go through this function; the row must be locked. */
function getStatusChange(
  before: ReceivingAccount,
  to: ReceivingAccountStatus,
  now: Date,
): Pick<Prisma.ReceivingAccountUpdateInput, 'status' | 'retiredAt'> {
  if (!accountTransitions[before.status].includes(to)) return {};
  return { status: to, retiredAt: to === 'retired' ? now : null };
}

function getAccountChange(from: ReceivingAccountStatus, to: ReceivingAccountStatus): AccountChange {
  if (from === to) return 'updated';
  return to === 'retired' ? 'retired' : 'reactivated';
}

function diffTerms(before: ReceivingAccount, terms: Partial<AccountTerms>): TermChange[] {
  return (Object.keys(terms) as (keyof AccountTerms)[]).flatMap((name) => {
    const [from, to] = [
      formatTerm(name, before[name], before),
      formatTerm(name, terms[name] ?? null, before),
    ];
    return from === to ? [] : [{ name, from, to }];
  });
}

function formatTerm(
  name: keyof AccountTerms,
  value: AccountTerms[keyof AccountTerms],
  { currency }: ReceivingAccount,
): string | null {
  if (typeof value === 'bigint') return `${toDecimal({ minor: value, currency })} ${currency}`;
  return value === null || name === 'bank' || name === 'holder' ? (value as string | null) : String(value);
}

function toAuditDetail(changes: readonly TermChange[]): Prisma.InputJsonObject {
  return Object.fromEntries(changes.map(({ name, from, to }) => [name, { from, to }]));
}

function accountRetired({ id }: ReceivingAccount): DomainError {
  return new DomainError('receiving_account_retired', `${id} is retired; reactivate it first`);
}
