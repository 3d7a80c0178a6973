type PersonName = { firstName: string | null; lastName: string | null };

/** Both names as people write them, or the one there is; `''` where there is none. */
export function formatName({ firstName, lastName }: PersonName): string {
  return [firstName, lastName].filter(Boolean).join(' ');
}

/** Who pays, by the best name there is. */
export function formatPayer(payer: PersonName & { email: string | null; phone: string | null }): string {
  return formatName(payer) || payer.email || payer.phone || 'Unknown';
}
