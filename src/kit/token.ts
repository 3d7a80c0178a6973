import { randomBytes } from 'node:crypto';

const tokenBytes = 32;

/** Returns 256 random bits in Base64url, for URLs, cookies and configuration. */
export function newToken(): string {
  return randomBytes(tokenBytes).toString('base64url');
}
