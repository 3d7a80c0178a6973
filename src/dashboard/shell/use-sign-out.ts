import { useCallback, useState } from 'react';
import { useMutation } from 'urql';
import { fillText } from '../../language/fill-text.ts';
import { getErrorMessage } from '../graphql/errors.ts';
import { graphql } from '../graphql/graphql.ts';
import { t } from '../language/texts.ts';

const signOutMutation = graphql(`
  mutation SignOut {
    signOut {
      __typename
    }
  }
`);

/** Leaves the dashboard if `endSession` succeeds. Otherwise resolves to its error message. */
export type SignOut = (endSession: () => Promise<string | undefined>) => Promise<string | undefined>;

/**
 * Returns a function that ends the session on the server and leaves the dashboard. If the request fails,
 * `error` says why.
 */
export function useSignOut(leaveDashboard: SignOut): {
  signOut: () => Promise<void>;
  error: string | undefined;
} {
  const [, execute] = useMutation(signOutMutation);
  const [error, setError] = useState<string>();
  const signOut = useCallback(async () => {
    setError(undefined);
    const message = await leaveDashboard(async () => getErrorMessage(await execute({})));
    if (message !== undefined) setError(fillText(t.shell.youAreStillSigned, { message }));
  }, [execute, leaveDashboard]);
  return { signOut, error };
}
