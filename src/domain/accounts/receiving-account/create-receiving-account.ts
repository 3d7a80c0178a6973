import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalog.ts';
import { getScheme, type ReceivingDetails } from '../../../method/schemes.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import { lockMerchant } from '../../platform/merchant/lock-merchant.ts';
import type { Service } from '../../platform/service.ts';
import { type RequestContext, requirePermission } from '../api-key/permissions.ts';
import {
  type AccountSettingsInput,
  checkAccountSettings,
  createErrorCollector,
  parseAccountSettings,
  throwInputErrors,
} from './account-settings.ts';
import { chooseBankAccount, storeBankAccount } from './bank-account.ts';
import { insertReceivingAccount } from './insert-receiving-account.ts';
import { notifyOwners } from './notify-owners.ts';

type CreateReceivingAccountInput = AccountSettingsInput & {
  method: MethodCode;
  /** Unvalidated; `detailsSchema` of the method's scheme describes the format. */
  details: unknown;
  accountName: string;
  /** Must equal the currency of the method; any other currency is rejected as a mistake. */
  currency?: string | null | undefined;
};

/** The JSON pointer to the details in the request, for the paths of errors. */
type DetailsPath = { detailsPath?: string };

/**
 * Creates a receiving account, validated by the rules of its scheme. In live mode, all owners are notified by
 * email.
 * Errors: `permission_denied`, `receiving_account_invalid` with all errors.
 */
export async function createReceivingAccount(
  service: Service,
  options: RequestContext & { input: CreateReceivingAccountInput } & DetailsPath,
): Promise<ReceivingAccount> {
  const { caller, input, now, ipAddress, detailsPath = '/details' } = options;
  requirePermission(caller, 'manage');
  const { method } = input;
  const { settings, details } = parseInput(input, detailsPath);
  const { merchant, mode, actor } = caller;
  const scope = { merchantId: merchant.id, mode };
  return transact(service, async (uow) => {
    const { tx } = uow;
    await lockMerchant(tx, merchant.id);
    await rejectDuplicate(tx, { ...scope, method, details, detailsPath });
    const { currency } = paymentMethods[method];
    const newAccount = { ...scope, currency, sharedIds: [] };
    const choice = await chooseBankAccount(tx, newAccount, input.sameBankAccountAs ?? null);
    const all = { ...choice.settings, ...settings };
    const accountInput = { ...all, method, details, holder: settings.holder ?? input.accountName };
    const account = await insertReceivingAccount(tx, { ...scope, input: accountInput, now });
    await storeBankAccount(tx, { ...account, sharedIds: [account.id] }, { ...choice, settings: all });
    const detail = {
      ...{ method, account: account.account, bank: account.bank, holder: account.holder },
      ...(choice.others.length > 0 && { sameBankAccounts: choice.others.map(({ id }) => id) }),
    };
    const entry = { ...scope, actor, ipAddress, objectId: account.id, detail, now };
    await recordAudit(uow, { ...entry, action: 'receiving_account.created' });
    await notifyOwners(uow, { caller, account, kind: 'created', changes: [], now });
    return account;
  });
}

function parseInput(input: CreateReceivingAccountInput, detailsPath: string) {
  const { method, currency } = input;
  const { errors, collect } = createErrorCollector();
  const details = parseDetails(method, input.details, { detailsPath, errors });
  const settings = parseAccountSettings(method, input, collect);
  if (currency != null && currency !== paymentMethods[method].currency) {
    errors.push({
      path: '/currency',
      message: `must be ${paymentMethods[method].currency} for this payment method`,
    });
  }
  const { minAmount = null, maxAmount = null, maxAmountOffset = null } = settings;
  if (details && errors.length === 0)
    collect(() => checkAccountSettings({ minAmount, maxAmount, maxAmountOffset }, { method, details }));
  throwInputErrors(errors);
  return { settings, details: details as ReceivingDetails };
}

type InputErrors = ReturnType<typeof createErrorCollector>['errors'];

/**
 * Returns the parsed details, or adds the errors of the scheme to `errors`. Their paths are relative to the
 * details, so they get the prefix `detailsPath`.
 */
function parseDetails(
  method: MethodCode,
  details: unknown,
  { detailsPath, errors }: { detailsPath: string; errors: InputErrors },
): ReceivingDetails | undefined {
  try {
    return getScheme(method).parseDetails(details);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    errors.push(...error.inputErrors.map(({ path, message }) => ({ path: detailsPath + path, message })));
    return undefined;
  }
}

/**
 * Throws if the bank account is already registered, because it would be unclear to which account its
 * transfers and statements belong.
 */
async function rejectDuplicate(
  tx: Tx,
  options: Pick<ReceivingAccount, 'merchantId' | 'mode'> & {
    method: MethodCode;
    details: ReceivingDetails;
    detailsPath: string;
  },
): Promise<void> {
  const { merchantId, mode, method, details, detailsPath } = options;
  const accounts = await tx.receivingAccount.findMany({ where: { merchantId, mode, method } });
  const { getIdentity } = getScheme(method);
  const identity = getIdentity(details);
  const duplicate = accounts.find((account) => getIdentity(account.details as ReceivingDetails) === identity);
  if (!duplicate) return;
  const hint = duplicate.status === 'retired' ? ', which is retired; reactivate it instead' : '';
  const message = `is already used by the account ${duplicate.id}${hint}`;
  throwInputErrors(invalidInputError(detailsPath, message).inputErrors);
}
