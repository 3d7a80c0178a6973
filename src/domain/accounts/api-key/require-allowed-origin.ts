import type { ApiKey } from '../../../../prisma/client/client.ts';
import { invalidInput } from '../../../kit/errors.ts';

/**
 * A publishable key may list the origins its addresses lead to; an app's scheme has none, and is held to the settings.
 * Error: 400 naming the address.
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
