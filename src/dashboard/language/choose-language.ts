const storageKey = 'causeway-language';

/** Returns the language that the user chose in this browser, or else the best match of the browser's languages. */
export function chooseLanguage(
  known: readonly string[],
  {
    chosen = readChosenLanguage(),
    preferred = readPreferredLanguages(),
  }: { chosen?: string | null; preferred?: readonly string[] } = {},
): string {
  if (chosen !== null && known.includes(chosen)) return chosen;
  for (const tag of preferred) {
    const match = known.find((code) => isSameWriting(code, tag));
    if (match !== undefined) return match;
  }
  return 'en';
}

/**
 * Returns the locale for dates and numbers beside texts of the language: the browser's own variant, such as `en-HK`,
 * if it has one. Chinese texts have the terms of Hong Kong, so times do not name the parts of the day as in Taiwan.
 * Readers of English, the default, whose browser has another language keep that browser's formats.
 */
export function chooseLocale(language: string, preferred = readPreferredLanguages()): string | undefined {
  if (language === 'zh-Hant') return 'zh-HK';
  return preferred.find((tag) => isSameWriting(language, tag)) ?? (language === 'en' ? undefined : language);
}

/** Stores the language and reloads the page, because texts are loaded before any page. */
export function setLanguage(code: string): void {
  localStorage.setItem(storageKey, code);
  location.reload();
}

/** Returns whether two tags are of one language in one script: `zh-HK` is written as `zh-Hant`. */
function isSameWriting(code: string, tag: string): boolean {
  const [a, b] = [parseLocale(code), parseLocale(tag)];
  return a !== undefined && a.language === b?.language && a.script === b.script;
}

/** Returns undefined for an invalid tag, such as the `en-US@posix` of some browsers on Linux. */
function parseLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return undefined;
  }
}

function readPreferredLanguages(): readonly string[] {
  return globalThis.document ? navigator.languages : [];
}

function readChosenLanguage(): string | null {
  try {
    return globalThis.document ? localStorage.getItem(storageKey) : null;
  } catch {
    // The browser blocks storage.
    return null;
  }
}
