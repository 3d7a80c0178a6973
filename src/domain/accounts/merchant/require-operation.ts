import { DomainError } from '../../../kit/errors.ts';
import type { MerchantCaller } from '../api-key/permissions.ts';

/** A root field of GraphQL, or the REST route that does the same. */
type RequestedOperation = {
  /** The name of the root field, with which an operator can disable it. */
  name: string;
  /** Whether the operation requires restricted access in live mode. */
  isRestricted?: boolean | undefined;
};

/**
 * Checks whether the caller's merchant may use an operation, over any transport. A merchant without restricted
 * access can use restricted operations only in the sandbox. The hosted pages act for no merchant and do not call
 * this function. Errors: `permission_denied` if an operator disabled the operation, `restricted_endpoint`.
 */
export function requireOperation(
  { merchant, mode }: Pick<MerchantCaller, 'merchant' | 'mode'>,
  { name, isRestricted }: RequestedOperation,
): void {
  if (merchant.disabledOperations.includes(name)) {
    throw new DomainError(
      'permission_denied',
      `The operator of this server has disabled the operation ${name} for your account; ask them to enable it`,
    );
  }
  if (!isRestricted || mode === 'sandbox' || merchant.restrictedAccess === 'granted') return;
  const detail = `The operation ${name} requires restricted access in live mode; an owner can request it under API access in the dashboard`;
  throw new DomainError('restricted_endpoint', detail);
}
