import { type Client, type Exchange, mapExchange, type OperationResult } from 'urql';

/** Asks the user to re-authenticate; answers whether they have. */
type Ask = () => Promise<boolean>;

let dialog: Ask = async () => false;
let asked: Promise<boolean> | undefined;

/** The dialog that asks, for as long as it is on the page. */
export function openReauthenticationWith(ask: Ask): () => void {
  dialog = ask;
  return () => {
    if (dialog === ask) dialog = async () => false;
  };
}

/** Whatever needs it at the same time shares one dialog. */
export function reauthenticate(): Promise<boolean> {
  asked ??= dialog().finally(() => {
    asked = undefined;
  });
  return asked;
}

/** The code of the error that a recent two-factor authentication resolves. */
export const secondFactorRequired = 'second_factor_required';

/** Mutations whose own form has a field for the code. */
const withCodeField = new Set([
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
    onResult: (result) => (isRejected(result) ? repeatOnceReauthenticated(client(), result) : result),
  });
}

async function repeatOnceReauthenticated(client: Client, result: OperationResult): Promise<OperationResult> {
  if (!(await reauthenticate())) return result;
  const { query, variables, context } = result.operation;
  const { additionalTypenames = [] } = context;
  const repeated = await client.mutation(query, variables, { additionalTypenames }).toPromise();
  return { ...repeated, operation: result.operation };
}

function isRejected({ data, operation }: OperationResult): boolean {
  if (operation.kind !== 'mutation') return false;
  const [[name, answer] = []] = Object.entries((data ?? {}) as Record<string, { code?: string } | null>);
  return answer?.code === secondFactorRequired && !withCodeField.has(name ?? '');
}
