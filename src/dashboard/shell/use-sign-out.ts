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

/** Ends the session, here and on the server. */
export function useSignOut(onSignedOut: () => void): () => Promise<void> {
  const [, signOut] = useMutation(signOutMutation);
  return useCallback(async () => {
    await signOut({});
    onSignedOut();
  }, [signOut, onSignedOut]);
}
