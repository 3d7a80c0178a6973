import { getLocale } from '../language/format.ts';
import { isLanguage, type Language, languages, type Strings } from '../language/languages.ts';

/** The language of a page, and the regions that the reader's browser reports. */
export type PageI18n = {
  /** The language of the strings, and the page's `lang`. */
  code: Language;
  strings: Strings;
  /** The locale of numbers and dates: the language with the reader's own region, if the browser sends one. */
  locale: string;
  /** ISO 3166 regions from the browser's languages, most preferred first. */
  regions: string[];
};

/** A language tag of RFC 5646 as browsers send it: language, script, region. */
const languageTagPattern = /^([a-z]{2,3})(?:-([a-z]{4}))?(?:-([a-z]{2}))?$/i;

/** Selects the language by `lang`, then Accept-Language, then English. */
export function resolveI18n(acceptLanguage: string | undefined, lang: string | undefined): PageI18n {
  const tags = parseAcceptLanguage(acceptLanguage ?? '');
  const preferredCode = tags.map((tag) => tag.language).find(isLanguage) ?? 'en';
  const code = lang !== undefined && isLanguage(lang) ? lang : preferredCode;
  const matchedTag = tags.find((tag) => tag.language === code);
  return {
    code,
    strings: languages[code],
    locale: matchedTag?.region === undefined ? getLocale(code) : matchedTag.locale,
    regions: tags.flatMap((tag) => tag.region ?? []),
  };
}

type LanguageTag = { language: string; region?: string; locale: string };

/** Returns the browser's language tags, most preferred first, without malformed ones. */
function parseAcceptLanguage(header: string): LanguageTag[] {
  return header
    .split(',')
    .map((item) => {
      const [tag = '', ...parameters] = item.split(';').map((part) => part.trim());
      const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { tag, weight: q === undefined ? 1 : Number(q) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .flatMap(({ tag }) => parseTag(tag) ?? []);
}

/** Other tags that browsers send for a language. */
const aliases: Readonly<Record<string, string>> = { in: 'id', tl: 'fil', yue: 'zh-Hant' };
const traditionalRegions = new Set(['HK', 'MO', 'TW']);

function parseTag(tag: string): LanguageTag | undefined {
  const match = languageTagPattern.exec(tag);
  if (!match) return undefined;
  const [sentLanguage = '', script = ''] = match.slice(1, 3).map((part) => part?.toLowerCase());
  const region = match[3]?.toUpperCase();
  const language =
    sentLanguage === 'zh' ? getChinese(script, region) : (aliases[sentLanguage] ?? sentLanguage);
  // The region selects the format of amounts and dates; the language selects the script.
  const locale = [language === 'zh' ? 'zh-Hans' : language, region].filter(Boolean).join('-');
  return { language, locale, ...(region !== undefined && { region }) };
}

/** Readers in Hong Kong, Macao and Taiwan get traditional characters, unless their browser names another script. */
function getChinese(script: string, region: string | undefined): Language {
  if (script !== '') return script === 'hant' ? 'zh-Hant' : 'zh';
  return region !== undefined && traditionalRegions.has(region) ? 'zh-Hant' : 'zh';
}
