import type { Merchant } from '../../prisma/client/client.ts';

/** The properties of a merchant that customers see in emails and documents. */
export type Brand = Pick<Merchant, 'name' | 'displayName' | 'brandColor' | 'logo' | 'supportEmail'>;

export const brandColumns = {
  name: true,
  displayName: true,
  brandColor: true,
  logo: true,
  supportEmail: true,
} as const satisfies Record<keyof Brand, true>;

/** Returns the name that customers see. */
export function getDisplayName({ name, displayName }: Pick<Brand, 'name' | 'displayName'>): string {
  return displayName || name;
}

/** A logo, as customer pages embed it. */
export type Logo = { path: string; width: number; height: number };

/** Returns the logo with this key, or undefined for an empty key. */
export function toLogo(key: string): Logo | undefined {
  const size = /-(\d+)x(\d+)$/.exec(key);
  return size ? { path: `/logos/${key}.png`, width: Number(size[1]), height: Number(size[2]) } : undefined;
}
