import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError, invalidInput } from '../../../kit/errors.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalogue.ts';
import { getScheme, type ReceivingDetails } from '../../../method/schemes.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { type RequestContext, requirePermission } from '../api-key/permissions.ts';
import { lockMerchant } from '../merchant/lock-merchant.ts';
import {
  type AccountTermsInput,
  checkTerms,
  createErrorCollector,
  parseTerms,
  throwInputErrors,
} from './account-terms.ts';
import { insertReceivingAccount } from './insert-receiving-account.ts';
import { notifyOwners } from './notify-owners.ts';

export type CreateReceivingAccountInput = AccountTermsInput & {
  method: MethodCode;
  /** In the shape of the scheme's `detailsSchema`. */
  details: unknown;
  accountName: string;
  /** A safeguard: must equal the method's only currency. */
  currency?: string | null | undefined;
};

/** The JSON pointer of the details in the request, used in error paths. */
export type DetailsPath = { detailsPath?: string };

/**
 * Creates a receiving account, validated by the rules of its scheme. In live mode all owners are notified by
 * mail.
 * Errors: `permission_denied`, `receiving_account_invalid` with all errors.
 */
export async function createReceivingAccount(
  service: Service,
  options: RequestContext & { input: CreateReceivingAccountInput } & DetailsPath,
): Promise<ReceivingAccount> {
  const { caller, input, now, address, detailsPath = '/details' } = options;
  requirePermission(caller, 'manage');
  const { method } = input;
  const { terms, details } = parseInput(input, detailsPath);
  const { merchant, mode, actor } = caller;
  const owner = { merchantId: merchant.id, mode };
  return transact(service, async (uow) => {
    const { tx } = uow;
    await lockMerchant(tx, merchant.id);
    await rejectDuplicate(tx, { ...owner, method, details, detailsPath });
    const accountInput = { ...terms, method, details, holder: terms.holder ?? input.accountName };
    const account = await insertReceivingAccount(tx, { ...owner, input: accountInput, now });
    const detail = { method, account: account.account, bank: account.bank, holder: account.holder };
    const entry = { ...owner, actor, address, objectId: account.id, detail, now };
    await recordAudit(uow, { ...entry, action: 'receiving_account.created' });
    await notifyOwners(uow, { caller, account, change: 'created', changes: [], now });
    return account;
  });
}

function parseInput(input: CreateReceivingAccountInput, detailsPath: string) {
  const { method, currency } = input;
  const { errors, collect } = createErrorCollector();
  const details = parseDetails(method, input.details, { detailsPath, errors });
  const terms = parseTerms(method, input, collect);
  if (currency != null && currency !== paymentMethods[method].currency) {
    errors.push({
      path: '/currency',
      message: `must be ${paymentMethods[method].currency} for this payment method`,
    });
  }
  const { minAmount = null, maxAmount = null, maxAmountOffset: uniqueAmountsMax = null } = terms;
  if (details && errors.length === 0)
    collect(() =>
      checkTerms({ minAmount, maxAmount, maxAmountOffset: uniqueAmountsMax }, { method, details }),
    );
  throwInputErrors(errors);
  return { terms, details: details as ReceivingDetails };
}

type CollectedErrors = ReturnType<typeof createErrorCollector>['errors'];

/** Prefixes the scheme's error paths, which are relative to the details. */
function parseDetails(
  method: MethodCode,
  details: unknown,
  { detailsPath, errors }: { detailsPath: string; errors: CollectedErrors },
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
 * Rejects a bank account that is already registered, because its transfers and statements would be ambiguous.
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
  throwInputErrors(invalidInput(detailsPath, message).inputErrors);
}
