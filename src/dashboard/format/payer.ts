type Name = { firstName: string | null; lastName: string | null };

/** Both names as people write them, or the one there is; `''` where there is none. */
export function fullName({ firstName, lastName }: Name): string {
  return [firstName, lastName].filter(Boolean).join(' ');
}

/** Who pays, by the best name there is. */
export function payerText(payer: Name & { email: string | null; phone: string | null }): string {
  return fullName(payer) || payer.email || payer.phone || 'Unknown';
}
