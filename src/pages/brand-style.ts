import type { Merchant } from '../../prisma/client/client.ts';
import { type BrandScheme, toBrandColors } from '../kit/brand-colors.ts';

/** Returns a stylesheet that replaces the colors of `base.css` by the merchant's, if it has any. */
export function brandStyle(merchant: Merchant | undefined): string | undefined {
  const { brandColor = '' } = merchant ?? {};
  if (brandColor === '') return undefined;
  const { button, buttonHover, buttonText, light, dark } = toBrandColors(brandColor);
  const brand = `--brand:${button};--brand-strong:${buttonHover};--on-brand:${buttonText};`;
  return `:root{${brand}${toVariables(light, '#ffffff')}}
@media (prefers-color-scheme:dark){:root{${toVariables(dark, '#000000')}}}`;
}

function toVariables({ accent, accentSoft }: BrandScheme, onAccent: string): string {
  return `--accent:${accent};--accent-strong:${accent};--accent-soft:${accentSoft};--on-accent:${onAccent};`;
}
