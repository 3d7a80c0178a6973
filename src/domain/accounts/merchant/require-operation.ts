import { DomainError } from '../../../kit/errors.ts';
import type { MerchantCaller } from '../api-key/permissions.ts';

/** The operations that require restricted access in live mode. */
const restrictedOperations: ReadonlySet<string> = new Set([
  'createCharge',
  'createChargeHash',
  'requestPhoneVerification',
  'verifyPhone',
  'translation',
]);

/**
 * Checks whether the caller's merchant may use an operation, over any transport. `operation` is the name of
 * the GraphQL root field. A merchant without restricted access can use restricted operations only with a
 * sandbox key, not in the dashboard. The hosted pages act for no merchant and do not call this function.
 * Errors: `permission_denied` if an operator disabled the operation, `restricted_endpoint`.
 */
export function requireOperation(
  { merchant, mode, user }: Pick<MerchantCaller, 'merchant' | 'mode' | 'user'>,
  operation: string,
): void {
  if (merchant.disabledOperations.includes(operation)) {
    throw new DomainError(
      'permission_denied',
      `The operator of this server has disabled the operation ${operation} for your account; ask them to enable it`,
    );
  }
  if (!restrictedOperations.has(operation) || merchant.restrictedAccess === 'granted') return;
  const isSandboxKey = mode === 'sandbox' && user === undefined;
  if (isSandboxKey) return;
  const detail = `The operation ${operation} requires restricted access in live mode; an owner can request it under API access in the dashboard`;
  throw new DomainError('restricted_endpoint', detail);
}
