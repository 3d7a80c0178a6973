import { describe, expect, test } from 'vitest';
import { amountText, moment } from '../../src/pages/format.ts';
import { toText } from '../../src/pages/html.ts';
import { languages, readReader } from '../../src/pages/reader.ts';

/** Every string with its place, such as `/pay/title`. */
function strings(node: object, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(node)) {
    const at = `${path}/${key}`;
    if (typeof value === 'string') found.set(at, value);
    else for (const [inner, text] of strings(value as object, at)) found.set(inner, text);
  }
  return found;
}

function words(text: string): string[] {
  return (text.match(/\{\w+\}/g) ?? []).sort();
}

const english = strings(languages.en);

describe.each(Object.entries(languages))('%s', (code, language) => {
  const translated = strings(language);

  test('has every string, and no other', () => {
    expect([...translated.keys()]).toEqual([...english.keys()]);
    for (const text of translated.values()) expect(text.trim()).not.toBe('');
  });

  test('fills in the same words', () => {
    for (const [path, text] of translated)
      expect([path, words(text)]).toEqual([path, words(english.get(path) ?? '')]);
  });

  test('is chosen by the browser’s languages, and by ?lang= before them', () => {
    expect(readReader(`${code}-XX;q=0.9, fr`, undefined)).toMatchObject({ code, strings: language });
    expect(readReader('fr', code)).toMatchObject({ code, locale: code });
    expect(readReader('en-GB', code).strings).toBe(language);
  });

  test('writes amounts and times as its readers do', () => {
    const reader = readReader(code, undefined);
    expect(amountText(reader, { minor: 123_450n, currency: 'THB' })).toMatch(/^฿1,234\.50 THB$/);
    const time = new Date('2026-11-17T12:30:00Z');
    expect(toText(moment(reader, time, 'Asia/Bangkok'))).toContain('datetime="2026-11-17T12:30:00.000Z"');
  });
});
