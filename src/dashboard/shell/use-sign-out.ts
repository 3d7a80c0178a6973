import { useCallback } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../graphql/graphql.ts';

const signOutMutation = graphql(`
  mutation SignOut {
    signOut {
      __typename
    }
  }
`);

/** Leaves the dashboard once the session has been ended by what is given. */
export type SignOut = (end: () => Promise<unknown>) => Promise<void>;

/** Ends the session, here and on the server. */
export function useSignOut(leave: SignOut): () => Promise<void> {
  const [, signOut] = useMutation(signOutMutation);
  return useCallback(() => leave(() => signOut({})), [signOut, leave]);
}
