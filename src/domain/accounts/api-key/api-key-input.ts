import type { ApiKeyKind, Mode } from '../../../../prisma/client/client.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { checkNonEmpty } from '../../../kit/text.ts';
import { type Permission, permissions } from './permissions.ts';

const nameLengthMax = 80;
const originsMax = 50;

const defaultPermissions: readonly Permission[] = ['read', 'write', 'refund'];

export type ApiKeyInput = {
  name?: string | null | undefined;
  /** Only for secret keys. */
  permissions?: readonly string[] | null | undefined;
  /** Only for publishable keys: the origins accepted in notifyUrl and redirectUrl; empty allows any. */
  allowedOrigins?: readonly string[] | null | undefined;
};

export function parseName(name: string): string {
  return checkNonEmpty(name, '/name', { max: nameLengthMax });
}

/** Returns the permissions of a key in the order of `permissions`; a publishable key has none. */
export function parsePermissions(
  input: readonly string[] | null | undefined,
  kind: ApiKeyKind,
): Permission[] {
  if (kind === 'publishable') {
    if (input != null && input.length > 0)
      throw invalidInputError('/permissions', 'must not be set for a publishable key');
    return [];
  }
  const names = input ?? defaultPermissions;
  const validNames = new Set<string>(permissions);
  const invalidIndex = names.findIndex((name) => !validNames.has(name));
  if (invalidIndex !== -1)
    throw invalidInputError(`/permissions/${invalidIndex}`, `must be one of ${permissions.join(', ')}`);
  if (names.length === 0) throw invalidInputError('/permissions', 'must contain at least one permission');
  return permissions.filter((permission) => names.includes(permission));
}

/**
 * Returns the unique origins, sorted and in the form that browsers send: scheme, host and port, unless it is the
 * default port.
 */
export function parseOrigins(
  input: readonly string[] | null | undefined,
  { kind, mode }: { kind: ApiKeyKind; mode: Mode },
): string[] {
  const origins = input ?? [];
  if (kind === 'secret' && origins.length > 0)
    throw invalidInputError('/allowedOrigins', 'must not be set for a secret key');
  if (origins.length > originsMax)
    throw invalidInputError('/allowedOrigins', `must have at most ${originsMax} entries`);
  return [...new Set(origins.map((origin, i) => parseOrigin(origin, `/allowedOrigins/${i}`, mode)))].sort();
}

function parseOrigin(text: string, path: string, mode: Mode): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const hasOnlyOrigin =
    url && url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  const isAllowedScheme = url?.protocol === 'https:' || (url?.protocol === 'http:' && mode === 'sandbox');
  if (hasOnlyOrigin && isAllowedScheme) return url.origin;
  throw invalidInputError(
    path,
    `must be an ${mode === 'live' ? 'https' : 'http or https'} origin without a path, such as https://shop.example.com`,
  );
}
