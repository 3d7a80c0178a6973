export type PersonName = { firstName?: string | null | undefined; lastName?: string | null | undefined };

/** Scripts of China, Korea and Japan: the family name comes first, without a space. */
const eastAsianName = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}·・ ]+$/u;

/**
 * Returns the full name in the order of its script and language (CLDR person names): the family name comes first in
 * Chinese, Japanese and Korean script, and in Vietnamese.
 */
export function formatName(language: string, { firstName, lastName }: PersonName): string {
  const parts = [firstName, lastName].filter((part): part is string => part != null && part !== '');
  if (parts.every((part) => eastAsianName.test(part))) return parts.toReversed().join('');
  return (language === 'vi' ? parts.toReversed() : parts).join(' ');
}

/** Returns the name fields of a form in the order in which the language writes names. */
export function orderNameFields(language: string): ('firstName' | 'lastName')[] {
  const isFamilyNameFirst = ['zh-Hant', 'zh', 'ko', 'vi'].includes(language);
  return isFamilyNameFirst ? ['lastName', 'firstName'] : ['firstName', 'lastName'];
}
