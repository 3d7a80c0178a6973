import { useCallback, useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../graphql/graphql.ts';
import { refusalOf } from '../graphql/refusal.ts';

const signOutMutation = graphql(`
  mutation SignOut {
    signOut {
      __typename
    }
  }
`);

/** Leaves the dashboard once what is given has ended the session; answers why where it has not. */
export type SignOut = (end: () => Promise<string | undefined>) => Promise<string | undefined>;

/** Ends the session, here and on the server; `refusal` is why one is still signed in. */
export function useSignOut(leave: SignOut): { signOut: () => Promise<void>; refusal: string | undefined } {
  const [, execute] = useMutation(signOutMutation);
  const [refusal, setRefusal] = useState<string>();
  const signOut = useCallback(async () => {
    setRefusal(undefined);
    const refused = await leave(async () => refusalOf(await execute({})));
    if (refused !== undefined) setRefusal(`You are still signed in. ${refused}`);
  }, [execute, leave]);
  return { signOut, refusal };
}
