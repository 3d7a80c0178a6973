import { useCallback, useState } from 'react';
import { useMutation } from 'urql';
import { getErrorMessage } from '../graphql/errors.ts';
import { graphql } from '../graphql/graphql.ts';

const signOutMutation = graphql(`
  mutation SignOut {
    signOut {
      __typename
    }
  }
`);

/** Leaves the dashboard once what is given has ended the session; answers why where it has not. */
export type SignOut = (endSession: () => Promise<string | undefined>) => Promise<string | undefined>;

/** Ends the session, here and on the server; `refusal` is why one is still signed in. */
export function useSignOut(leaveDashboard: SignOut): {
  signOut: () => Promise<void>;
  error: string | undefined;
} {
  const [, execute] = useMutation(signOutMutation);
  const [error, setError] = useState<string>();
  const signOut = useCallback(async () => {
    setError(undefined);
    const message = await leaveDashboard(async () => getErrorMessage(await execute({})));
    if (message !== undefined) setError(`You are still signed in. ${message}`);
  }, [execute, leaveDashboard]);
  return { signOut, error };
}
