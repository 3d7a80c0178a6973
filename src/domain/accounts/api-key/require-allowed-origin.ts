import type { ApiKey } from '../../../../prisma/client/client.ts';
import { invalidInput } from '../../../kit/errors.ts';

/**
 * Requires that `address` is on an allowed origin of a publishable key, if the key has any. App schemes have
 * no origin; the merchant's settings restrict them. Throws 400 at `path`.
 */
export function requireAllowedOrigin(
  { allowedOrigins }: Pick<ApiKey, 'allowedOrigins'>,
  address: string | null | undefined,
  path: string,
): void {
  if (address == null || allowedOrigins.length === 0 || !URL.canParse(address)) return;
  const { protocol, origin } = new URL(address);
  if (!['http:', 'https:'].includes(protocol) || allowedOrigins.includes(origin)) return;
  throw invalidInput(path, 'must be on an allowed origin of the publishable key');
}
