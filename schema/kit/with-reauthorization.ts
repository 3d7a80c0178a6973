import { requireOperation } from '../../src/domain/accounts/merchant/require-operation.ts';
import { requireTwoFactorSetup } from '../../src/domain/accounts/user/require-recent-two-factor.ts';
import { type Caller, isMerchantScoped } from '../../src/http/caller.ts';
import { DomainError } from '../../src/kit/errors.ts';
import { abortable } from '../../src/live/abortable.ts';
import type { GraphqlContext } from './graphql-context.ts';

/** How often the rights of a stream are looked up while it has nothing to tell. */
const reauthorizeIntervalMs = 60_000;

/**
 * The events of a live field for as long as whoever follows it may: looked up anew for each event before anything is
 * told, and between events each minute and whenever `onChange` says that something about them has changed. Ends with the
 * refusal otherwise.
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
        // What failed for another reason is asked again.
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
 * Looks up whether the one who asked may still ask for an operation, and what they are now. Errors: as authenticateCaller
 * and requireOperation; `permission_denied` where they may do less than before: what a stream shows was decided then.
 */
export async function reauthorize(context: GraphqlContext, operation: string): Promise<void> {
  const current = await context.authenticate();
  if (current.kind === 'user') requireTwoFactorSetup(current, operation);
  if (hasFewerRights(context.caller, current)) {
    throw new DomainError(
      'permission_denied',
      'The permissions of the credentials have been reduced since this subscription started',
    );
  }
  if (isMerchantScoped(current)) requireOperation(current, operation);
  context.caller = current;
}

function hasFewerRights(before: Caller, after: Caller): boolean {
  if (before.kind !== after.kind) return true;
  if (before.kind === 'user' && after.kind === 'user' && before.user.role !== after.user.role) return true;
  if (!('permissions' in before && 'permissions' in after)) return false;
  return ![...before.permissions].every((permission) => after.permissions.has(permission));
}
