import { randomBytes } from 'node:crypto';

const tokenBytes = 32;

/** 256 random bits as text for addresses, cookies and configuration: who knows it was given it. */
export function newToken(): string {
  return randomBytes(tokenBytes).toString('base64url');
}
