import { useState } from 'react';

/**
 * Returns the token in the URL fragment of an emailed link. Fragments are not sent to servers, so they are
 * not in logs.
 */
export function useLinkToken(): string {
  const [token] = useState(() => window.location.hash.slice(1));
  return token;
}
