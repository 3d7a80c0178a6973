import { type Client, type Exchange, mapExchange, type OperationResult } from 'urql';

/** Asks the user to re-authenticate; resolves to whether they did. */
type ReauthenticationPrompt = () => Promise<boolean>;

let openPrompt: ReauthenticationPrompt = async () => false;
let pendingPrompt: Promise<boolean> | undefined;

/** Registers the dialog that asks the user; returns a function to unregister it. */
export function registerReauthenticationPrompt(prompt: ReauthenticationPrompt): () => void {
  openPrompt = prompt;
  return () => {
    if (openPrompt === prompt) openPrompt = async () => false;
  };
}

/** Asks the user to re-authenticate. Concurrent calls share one dialog. */
export function reauthenticate(): Promise<boolean> {
  pendingPrompt ??= openPrompt().finally(() => {
    pendingPrompt = undefined;
  });
  return pendingPrompt;
}

/** The error code of a mutation that needs a recent re-authentication. */
export const twoFactorRequired = 'two_factor_code_required';

/** Mutations whose own form has a field for the code. */
const mutationsWithCodeField = new Set([
  'signIn',
  'changePassword',
  'changeEmail',
  'beginTwoFactorSetup',
  'disableTwoFactor',
  'reauthenticate',
]);

/**
 * Asks the user to re-authenticate if a mutation needs it, and then repeats the mutation, so that the form and the
 * selection on the page stay unchanged.
 */
export function reauthenticationExchange(client: () => Client): Exchange {
  return mapExchange({
    onResult: (result) =>
      needsReauthentication(result) ? retryAfterReauthentication(client(), result) : result,
  });
}

async function retryAfterReauthentication(client: Client, result: OperationResult): Promise<OperationResult> {
  if (!(await reauthenticate())) return result;
  const { query, variables, context } = result.operation;
  const { additionalTypenames = [] } = context;
  const retried = await client.mutation(query, variables, { additionalTypenames }).toPromise();
  return { ...retried, operation: result.operation };
}

function needsReauthentication({ data, operation }: OperationResult): boolean {
  if (operation.kind !== 'mutation') return false;
  const [[name, payload] = []] = Object.entries((data ?? {}) as Record<string, { code?: string } | null>);
  return payload?.code === twoFactorRequired && !mutationsWithCodeField.has(name ?? '');
}
