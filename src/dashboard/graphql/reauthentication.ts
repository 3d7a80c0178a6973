import { type Client, type Exchange, mapExchange, type OperationResult } from 'urql';

/** Asks the user to re-authenticate; answers whether they have. */
type ReauthenticationPrompt = () => Promise<boolean>;

let openPrompt: ReauthenticationPrompt = async () => false;
let pendingPrompt: Promise<boolean> | undefined;

/** The dialog that asks, for as long as it is on the page. */
export function registerReauthenticationPrompt(prompt: ReauthenticationPrompt): () => void {
  openPrompt = prompt;
  return () => {
    if (openPrompt === prompt) openPrompt = async () => false;
  };
}

/** Whatever needs it at the same time shares one dialog. */
export function reauthenticate(): Promise<boolean> {
  pendingPrompt ??= openPrompt().finally(() => {
    pendingPrompt = undefined;
  });
  return pendingPrompt;
}

/** The code of the error that a recent two-factor authentication resolves. */
export const secondFactorRequired = 'second_factor_required';

/** Mutations whose own form has a field for the code. */
const mutationsWithCodeField = new Set([
  'signIn',
  'changePassword',
  'beginSecondFactor',
  'disableSecondFactor',
  'reauthenticate',
]);

/**
 * Asks for a code where a mutation needs a recent two-factor authentication, and then repeats the mutation: its form and
 * what is selected on the page stay as they are.
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
  return payload?.code === secondFactorRequired && !mutationsWithCodeField.has(name ?? '');
}
