import { requireOperation } from '../../src/domain/accounts/merchant/require-operation.ts';
import { requireTwoFactorSetup } from '../../src/domain/accounts/user/require-recent-two-factor.ts';
import { type Caller, isMerchantScoped } from '../../src/http/caller.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { DomainError } from '../../src/kit/errors.ts';
import { abortable } from '../../src/live/abortable.ts';
import type { GraphqlContext } from './graphql-context.ts';

/** How often the authorization of an idle stream is checked. */
const reauthorizeIntervalMs = minuteMs;

/**
 * Forwards the events of a subscription while the subscriber is authorized. Checks before each event, every
 * minute between events, and when `onChange` reports a change of the user. Ends the stream with the error of a
 * failed check.
 */
export function withReauthorization<T>(
  events: AsyncGenerator<T>,
  check: () => Promise<void>,
  {
    intervalMs = reauthorizeIntervalMs,
    onChange = () => () => {},
  }: { intervalMs?: number; onChange?: (listener: () => void) => () => void } = {},
): AsyncGenerator<T> {
  return abortable(async function* (signal) {
    let denial: unknown;
    const end = () => void events.return(undefined);
    signal.addEventListener('abort', end, { once: true });
    const recheck = () => {
      check().catch((error) => {
        // Other errors may be temporary; the next check tries again.
        if (!(error instanceof DomainError)) return;
        denial = error;
        end();
      });
    };
    const timer = setInterval(recheck, intervalMs);
    const unsubscribe = onChange(recheck);
    try {
      for await (const event of events) {
        await check();
        yield event;
      }
      if (denial) throw denial;
    } finally {
      clearInterval(timer);
      unsubscribe();
    }
  });
}

/**
 * Authenticates the caller again and checks that they may still use the operation. Also rejects a caller with another
 * role or fewer permissions than at the start, when the visible fields were decided.
 */
export async function reauthorize(context: GraphqlContext, operation: string): Promise<void> {
  const current = await context.authenticate();
  if (current.kind === 'user') requireTwoFactorSetup(current);
  if (hasFewerRights(context.caller, current)) {
    throw new DomainError(
      'permission_denied',
      'The permissions of the credentials have been reduced since this subscription started',
    );
  }
  if (isMerchantScoped(current)) requireOperation(current, { name: operation });
  context.caller = current;
}

function hasFewerRights(before: Caller, after: Caller): boolean {
  if (before.kind !== after.kind) return true;
  if (before.kind === 'user' && after.kind === 'user' && before.user.role !== after.user.role) return true;
  if (!('permissions' in before && 'permissions' in after)) return false;
  return ![...before.permissions].every((permission) => after.permissions.has(permission));
}
