import type { Prisma, ReceivingAccount, ReceivingAccountStatus } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { DomainError } from '../../../kit/errors.ts';
import { formatMoney } from '../../../kit/money.ts';
import type { ReceivingAccountChange, SettingChange } from '../../../message/mails/receiving-account-mail.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { type RequestContext, requirePermission } from '../api-key/permissions.ts';
import {
  type AccountSettings,
  type AccountSettingsInput,
  checkAccountSettings,
  createErrorCollector,
  parseAccountSettings,
  throwInputErrors,
} from './account-settings.ts';
import {
  type BankAccountChoice,
  chooseBankAccount,
  lockReceivingAccount,
  storeBankAccount,
} from './bank-account.ts';
import { notifyOwners } from './notify-owners.ts';
import { accountTransitions, isActive } from './receiving-account-state.ts';

export type UpdateReceivingAccountInput = AccountSettingsInput & {
  status?: ReceivingAccountStatus | null | undefined;
};

/**
 * Changes the settings or the status of a receiving account, or which other accounts are the same bank account.
 * New settings apply to new charges. The account number cannot be changed: a different number requires a new
 * receiving account. A retired account can be changed only if it is reactivated in the same call. In live mode,
 * all owners are notified by email.
 * Errors: `permission_denied`, `receiving_account_not_found`, `receiving_account_retired`,
 * `receiving_account_invalid` with all errors.
 */
export async function updateReceivingAccount(
  service: Service,
  options: RequestContext & { id: string; input: UpdateReceivingAccountInput },
): Promise<ReceivingAccount> {
  const { caller, id, input, now, ipAddress } = options;
  requirePermission(caller, 'manage');
  const { merchant, mode, actor } = caller;
  const scope = { merchantId: merchant.id, mode };
  return transact(service, async (uow) => {
    const before = await lockReceivingAccount(uow.tx, { ...scope, id });
    const current = await chooseBankAccount(uow.tx, before, undefined);
    const choice = await chooseBankAccount(uow.tx, before, input.sameBankAccountAs);
    const settings = { ...choice.settings, ...readSettings(before, input) };
    const status = input.status ?? before.status;
    const changes = [...diffSettings(before, settings), ...diffBankAccounts(current, choice)];
    if (changes.length > 0 && !isActive(before) && status === 'retired') throw accountRetiredError(before);
    if (changes.length === 0 && status === before.status) return before;
    const account = await uow.tx.receivingAccount.update({
      where: { id },
      data: { ...settings, ...getStatusChange(before, status, now), updatedAt: now },
    });
    await storeBankAccount(uow.tx, before, { ...choice, settings });
    const detail = { ...toAuditDetail(changes), ...(status !== before.status && { status }) };
    const entry = { ...scope, actor, ipAddress, objectId: id, detail, now };
    await recordAudit(uow, { ...entry, action: 'receiving_account.updated' });
    const changeKind = getChangeKind(before.status, status);
    await notifyOwners(uow, { caller, account, kind: changeKind, changes, now });
    return account;
  });
}

function readSettings(
  before: ReceivingAccount,
  input: UpdateReceivingAccountInput,
): Partial<AccountSettings> {
  const method = before.method as MethodCode;
  const { errors, collect } = createErrorCollector();
  const settings = parseAccountSettings(method, input, collect);
  if (errors.length === 0)
    collect(() => checkAccountSettings({ ...before, ...settings }, { method, details: before.details }));
  throwInputErrors(errors);
  return settings;
}

/**
 * Returns the columns of a status change. All status changes go through this function; the row must be
 * locked.
 */
function getStatusChange(
  before: ReceivingAccount,
  to: ReceivingAccountStatus,
  now: Date,
): Pick<Prisma.ReceivingAccountUpdateInput, 'status' | 'retiredAt'> {
  if (!accountTransitions[before.status].includes(to)) return {};
  return { status: to, retiredAt: to === 'retired' ? now : null };
}

function getChangeKind(from: ReceivingAccountStatus, to: ReceivingAccountStatus): ReceivingAccountChange {
  if (from === to) return 'updated';
  return to === 'retired' ? 'retired' : 'reactivated';
}

function diffSettings(before: ReceivingAccount, settings: Partial<AccountSettings>): SettingChange[] {
  return (Object.keys(settings) as (keyof AccountSettings)[]).flatMap((name) => {
    const [from, to] = [
      formatSetting(name, before[name], before),
      formatSetting(name, settings[name] ?? null, before),
    ];
    return from === to ? [] : [{ name, from, to }];
  });
}

function diffBankAccounts(from: BankAccountChoice, to: BankAccountChoice): SettingChange[] {
  const toIds = ({ others }: BankAccountChoice) => others.map(({ id }) => id).join(' ');
  if (toIds(from) === toIds(to)) return [];
  const format = ({ others }: BankAccountChoice) => others.map(({ account }) => account).join(', ') || null;
  return [{ name: 'sameBankAccounts', from: format(from), to: format(to) }];
}

function formatSetting(
  name: keyof AccountSettings,
  value: AccountSettings[keyof AccountSettings],
  { currency }: ReceivingAccount,
): string | null {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'bigint') return formatMoney({ minor: value, currency });
  return value === null || name === 'bank' || name === 'holder' ? (value as string | null) : String(value);
}

function toAuditDetail(changes: readonly SettingChange[]): Prisma.InputJsonObject {
  return Object.fromEntries(changes.map(({ name, from, to }) => [name, { from, to }]));
}

function accountRetiredError({ id }: ReceivingAccount): DomainError {
  return new DomainError(
    'receiving_account_retired',
    `The receiving account ${id} is retired; reactivate it first`,
  );
}
