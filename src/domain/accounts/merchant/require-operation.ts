import { DomainError } from '../../../kit/errors.ts';
import type { MerchantCaller } from '../api-key/permissions.ts';

/** Open only to partners with restricted access. */
const restrictedOperations: ReadonlySet<string> = new Set([
  'createCharge',
  'createChargeHash',
  'requestPhoneVerification',
  'verifyPhone',
  'translation',
]);

/**
 * Whether the caller's merchant may use an operation at all, by whichever route: operations have the names of GraphQL's
 * root fields. The one place of both rules. A restricted operation is open to merchants with access; to others only
 * with a sandbox key, so not from the dashboard. The service's own pages do not call on behalf of a merchant and do not
 * come here. Errors: `permission_denied` for one that the operator switched off, `restricted_endpoint`.
 */
export function requireOperation(
  { merchant, mode, user }: Pick<MerchantCaller, 'merchant' | 'mode' | 'user'>,
  operation: string,
): void {
  if (merchant.offOperations.includes(operation)) {
    throw new DomainError('permission_denied', `${operation} is disabled for this account`);
  }
  if (!restrictedOperations.has(operation) || merchant.restrictedAccess === 'granted') return;
  const isSandboxKey = mode === 'sandbox' && user === undefined;
  if (!isSandboxKey) throw new DomainError('restricted_endpoint', 'Request access in the dashboard');
}
