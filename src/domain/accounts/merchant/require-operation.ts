import { DomainError } from '../../../kit/errors.ts';
import type { MerchantCaller } from '../api-key/permissions.ts';

/** Only for merchants with restricted access. */
const restrictedOperations: ReadonlySet<string> = new Set([
  'createCharge',
  'createChargeHash',
  'requestPhoneVerification',
  'verifyPhone',
  'translation',
]);

/**
 * Checks whether the caller's merchant may use an operation, over any transport. `operation` is the name of
 * the GraphQL root field. Without granted access, restricted operations require a sandbox key; dashboard
 * users are rejected. The hosted pages act for no merchant and skip this check.
 * Errors: `permission_denied` if an operator disabled the operation, `restricted_endpoint`.
 */
export function requireOperation(
  { merchant, mode, user }: Pick<MerchantCaller, 'merchant' | 'mode' | 'user'>,
  operation: string,
): void {
  if (merchant.disabledOperations.includes(operation)) {
    throw new DomainError('permission_denied', `${operation} is disabled for this account`);
  }
  if (!restrictedOperations.has(operation) || merchant.restrictedAccess === 'granted') return;
  const isSandboxKey = mode === 'sandbox' && user === undefined;
  if (!isSandboxKey) throw new DomainError('restricted_endpoint', 'Request access in the dashboard');
}
