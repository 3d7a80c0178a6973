import { requireOperation } from '../../src/domain/accounts/merchant/operations.ts';
import { requireTwoFactorSetup } from '../../src/domain/accounts/user/require-recent-two-factor.ts';
import { actsForMerchant, type Caller } from '../../src/http/caller.ts';
import { DomainError } from '../../src/kit/errors.ts';
import { endable } from '../../src/live/endable.ts';
import type { GraphqlContext } from './graphql-context.ts';

/** How often the rights of a stream are looked up while it has nothing to tell. */
const checkMs = 60_000;

/**
 * The events of a live field for as long as whoever follows it may: looked up anew for each event before anything is
 * told, and between events each minute and whenever `onChange` says that something about them has changed. Ends with the
 * refusal otherwise.
 */
export function whileAllowed<T>(
  events: AsyncGenerator<T>,
  check: () => Promise<void>,
  {
    everyMs = checkMs,
    onChange = () => () => {},
  }: { everyMs?: number; onChange?: (listener: () => void) => () => void } = {},
): AsyncGenerator<T> {
  return endable(async function* (signal) {
    let refusal: unknown;
    const end = () => void events.return(undefined);
    signal.addEventListener('abort', end, { once: true });
    const look = () => {
      check().catch((error) => {
        // What failed for another reason is asked again.
        if (!(error instanceof DomainError)) return;
        refusal = error;
        end();
      });
    };
    const timer = setInterval(look, everyMs);
    const forget = onChange(look);
    try {
      for await (const event of events) {
        await check();
        yield event;
      }
      if (refusal) throw refusal;
    } finally {
      clearInterval(timer);
      forget();
    }
  });
}

/**
 * Looks up whether the one who asked may still ask for an operation, and what they are now. Errors: as authenticateCaller
 * and requireOperation; `permission_denied` where they may do less than before: what a stream shows was decided then.
 */
export async function checkAgain(context: GraphqlContext, operation: string): Promise<void> {
  const now = await context.authenticate();
  if (now.kind === 'user') requireTwoFactorSetup(now, operation);
  if (mayLess(context.caller, now)) {
    throw new DomainError(
      'permission_denied',
      'The permissions of the credentials have been reduced since this subscription started',
    );
  }
  if (actsForMerchant(now)) requireOperation(now, operation);
  context.caller = now;
}

function mayLess(before: Caller, now: Caller): boolean {
  if (before.kind !== now.kind) return true;
  if (before.kind === 'user' && now.kind === 'user' && before.user.role !== now.user.role) return true;
  if (!('permissions' in before && 'permissions' in now)) return false;
  return ![...before.permissions].every((permission) => now.permissions.has(permission));
}
