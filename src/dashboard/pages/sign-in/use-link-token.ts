import { useState } from 'react';

/** Returns the token in the URL fragment of an emailed link. Fragments reach no server and no log. */
export function useLinkToken(): string {
  const [token] = useState(() => window.location.hash.slice(1));
  return token;
}
