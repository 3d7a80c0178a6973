import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { amountText, dateTime } from '../../src/pages/format.ts';
import { renderToString } from '../../src/pages/html.ts';
import { resolveI18n } from '../../src/pages/i18n.ts';
import { languages, loadLanguages } from '../../src/pages/languages.ts';
import { createTempDir } from '../setup/temp-dir.ts';

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
    expect(resolveI18n(`${code}-XX;q=0.9, fr`, undefined)).toMatchObject({ code, strings: language });
    expect(resolveI18n('fr', code)).toMatchObject({ code, locale: code });
    expect(resolveI18n('en-GB', code).strings).toBe(language);
  });

  test('writes amounts and times as its readers do', () => {
    const reader = resolveI18n(code, undefined);
    expect(amountText(reader, { minor: 123_450n, currency: 'THB' })).toMatch(/^฿1,234\.50 THB$/);
    const time = new Date('2026-11-17T12:30:00Z');
    expect(renderToString(dateTime(reader, time, 'Asia/Bangkok'))).toContain(
      'datetime="2026-11-17T12:30:00.000Z"',
    );
  });
});

test('a language is added by adding its file, and nothing else', async () => {
  const folder = await createTempDir(onTestFinished);
  await cp(join(import.meta.dirname, '../../src/pages/language'), folder, { recursive: true });
  const malay =
    "import { en } from './en.ts';\nexport const ms: typeof en = { ...en, language: { name: 'Bahasa Melayu', choose: 'Bahasa' } };\n";
  await writeFile(join(folder, 'ms.ts'), malay);
  const known = await loadLanguages(folder);
  expect(Object.keys(known)).toEqual([...Object.keys(languages), 'ms'].sort());
  const reader = resolveI18n('ms-MY, en;q=0.5', undefined, known);
  expect(reader).toMatchObject({ code: 'ms', locale: 'ms-MY', regions: ['MY'] });
  expect(reader.strings.language.name).toBe('Bahasa Melayu');
  await writeFile(join(folder, 'id.ts'), 'export const indonesian = {};\n');
  await expect(loadLanguages(folder)).rejects.toThrow('exports no id');
});
