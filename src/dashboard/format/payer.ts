type PersonName = { firstName: string | null; lastName: string | null };

/** Joins both names, or returns the only one; `''` if there is none. */
export function formatName({ firstName, lastName }: PersonName): string {
  return [firstName, lastName].filter(Boolean).join(' ');
}

/** Returns the payer's name, else the email address, else the phone number. */
export function formatPayer(payer: PersonName & { email: string | null; phone: string | null }): string {
  return formatName(payer) || payer.email || payer.phone || 'Unknown';
}
