import { useState } from 'react';

/** What the link of a mail carries after `#`, where no server and no log sees it. */
export function useLinkToken(): string {
  const [token] = useState(() => window.location.hash.slice(1));
  return token;
}
