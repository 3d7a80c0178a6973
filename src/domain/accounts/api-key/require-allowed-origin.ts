import type { ApiKey } from '../../../../prisma/client/client.ts';
import { invalidInputError } from '../../../kit/errors.ts';

/**
 * Throws 400 at `path` if the key has allowed origins and `url` is on none of them. URLs of apps have no
 * origin, so they pass; the merchant's `redirectSchemes` restrict them.
 */
export function requireAllowedOrigin(
  { allowedOrigins }: Pick<ApiKey, 'allowedOrigins'>,
  url: string | null | undefined,
  path: string,
): void {
  if (url == null || allowedOrigins.length === 0 || !URL.canParse(url)) return;
  const { protocol, origin } = new URL(url);
  if (!['http:', 'https:'].includes(protocol) || allowedOrigins.includes(origin)) return;
  throw invalidInputError(
    path,
    `must be on an allowed origin of the publishable key, or ${origin} must be added to its allowed origins`,
  );
}
