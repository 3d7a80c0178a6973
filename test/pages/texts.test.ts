import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { Decimal } from '../../src/kit/decimal.ts';
import { fillText } from '../../src/language/fill-text.ts';
import { formatDate, formatDateTime, getLocale, plainAmount } from '../../src/language/format.ts';
import { formatInterval } from '../../src/language/format-interval.ts';
import { formatName } from '../../src/language/format-name.ts';
import { type Language, languages } from '../../src/language/languages.ts';
import {
  amountText,
  dateTime,
  dateTimeText,
  fill,
  maskEmail,
  maskPhone,
  rateText,
  regionName,
} from '../../src/pages/format.ts';
import { type HtmlValue, html, raw, renderToString } from '../../src/pages/html.ts';
import { type PageI18n, resolveI18n } from '../../src/pages/i18n.ts';

const reader = (header: string): PageI18n => resolveI18n(header, undefined);

const hostile = `"><img src=x onerror=alert(1)> & '`;

/** Every string by its path, such as `/pay/title`. */
function listStrings(node: object, path = ''): Map<string, string> {
  const places = new Map<string, string>();
  for (const [key, value] of Object.entries(node)) {
    const stringPath = `${path}/${key}`;
    if (typeof value === 'string') places.set(stringPath, value);
    else for (const [inner, text] of listStrings(value as object, stringPath)) places.set(inner, text);
  }
  return places;
}

function listPlaceholders(text: string): string[] {
  return (text.match(/\{\w+\}/g) ?? []).sort();
}

const english = listStrings(languages.en);

const folder = fileURLToPath(new URL('../../src/pages/', import.meta.url));

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.startsWith('script/') && name !== 'html.ts',
);

/** Replaces the values of a template. */
const hole = '\0';

const textAttributes = /\b(?:aria-label|alt|title|placeholder|label|summary)="([^"]*)"/g;

/** The literal words of a template, outside of its tags and values. */
function listWords(template: string): string[] {
  const attributes = [...template.matchAll(textAttributes)].map((match) => match[1] as string);
  const between = template
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<!--[\s\S]*?-->|<[^>]*>/g, ' ')
    // The template has attributes only.
    .replace(/[\w-]+="[^"]*"/g, ' ')
    .replace(
      template.includes('<') ? '' : /\b(?:checked|open|required|hidden|selected|disabled|data-[a-z-]+)\b/g,
      ' ',
    )
    .replace(/&#?\w+;/g, ' ');
  return [...attributes, between].flatMap((text) => text.match(/\p{L}{2,}/gu) ?? []);
}

/** The html templates of a source, nested ones separately, with a hole for each value. */
function listTemplates(source: string): string[] {
  return [...source.matchAll(/\bhtml`/g)].map(
    ({ index }) => readTemplate(source, index + 'html`'.length).text,
  );
}

function readTemplate(source: string, from: number): { text: string; end: number } {
  let text = '';
  let position = from;
  while (source[position] !== '`') {
    if (source.startsWith('${', position)) {
      position = skipValue(source, position + 2);
      text += hole;
    } else {
      text += source[position];
      position += source[position] === '\\' ? 2 : 1;
    }
  }
  return { text, end: position + 1 };
}

/** Returns the position after the closing brace of the value that starts here; skips templates, strings and braces. */
function skipValue(source: string, from: number): number {
  let position = from;
  for (let depth = 1; depth > 0; ) {
    const character = source[position] as string;
    if (character === '`') position = readTemplate(source, position + 1).end;
    else if (character === "'" || character === '"') position = source.indexOf(character, position + 1) + 1;
    else {
      if (character === '{') depth += 1;
      if (character === '}') depth -= 1;
      position += 1;
    }
  }
  return position;
}

describe('formats', () => {
  test.each<[string, bigint, string, string, string]>([
    ['en-HK', 12_850n, 'HKD', 'HK$128.50', '128.50'],
    ['en-IN', 10_000_000n, 'INR', '₹1,00,000.00', '100000.00'],
    ['en', 25_000_000n, 'IDR', 'Rp 250,000', '250000'],
    ['en', 25_000_050n, 'IDR', 'Rp 250,000.50', '250000.50'],
    ['en-SG', 12_850n, 'SGD', 'S$128.50', '128.50'],
    ['en-US', 12_850n, 'USD', 'US$128.50', '128.50'],
    ['en-AU', 12_850n, 'AUD', 'A$128.50', '128.50'],
    ['zh', 12_850n, 'NZD', 'NZ$128.50', '128.50'],
    ['en', 12_850n, 'JPY', '¥12,850', '12850'],
    ['en', 12_850n, 'CNY', 'CN¥128.50', '128.50'],
    ['en', 1_000n, 'VND', '₫1,000', '1000'],
    ['en', 1_500n, 'BHD', 'BHD 1.500', '1.500'],
    // Beyond what a binary float holds exactly.
    ['en', 99_999_999_999_999n, 'HKD', 'HK$999,999,999,999.99', '999999999999.99'],
  ])('display in %s exactly %s minor units of %s', (tag, minor, currency, shown, plain) => {
    const money = { minor, currency };
    expect(amountText(reader(tag), money)).toBe(shown);
    expect(plainAmount(money)).toBe(plain);
  });

  test('display rates with six significant digits', () => {
    expect(rateText(reader('en'), new Decimal('7.849914676'))).toBe('7.84991');
    expect(rateText(reader('en'), new Decimal('0.00003269042'))).toBe('0.0000326904');
    expect(rateText(reader('en'), new Decimal('16229.522'))).toBe('16,229.5');
  });

  test('replace every placeholder, and throw for a missing value', () => {
    expect(fillText('Pay {amount} to {merchant}', { amount: '$1', merchant: 'T' })).toBe('Pay $1 to T');
    expect(renderToString(fill('Pay {merchant}', { merchant: '<b>' }))).toBe('Pay &lt;b&gt;');
    expect(() => fillText('Pay {amount}', {})).toThrow('{amount}');
  });

  test.each([
    ['en', 'Mei', 'Lin', 'Mei Lin'],
    ['en', '小明', '陳', '陳小明'],
    ['ko', '지우', '김', '김지우'],
    ['vi', 'Hoa', 'Nguyễn', 'Nguyễn Hoa'],
    ['th', 'สมชาย', 'ใจดี', 'สมชาย ใจดี'],
    ['zh', 'Mei', '', 'Mei'],
  ])('order the parts of a name for %s: %s, %s', (language, firstName, lastName, shown) => {
    expect(formatName(language, { firstName, lastName })).toBe(shown);
  });

  test.each<[Language, string]>([
    ['en', '28 February 2026'],
    ['zh', '2026年2月28日'],
    ['th', '28 กุมภาพันธ์ 2569'],
    ['zh-Hant', '2026年2月28日'],
    ['id', '28 Februari 2026'],
    ['ms', '28 Februari 2026'],
    ['fil', 'Pebrero 28, 2026'],
    ['vi', '28 tháng 2, 2026'],
    ['ko', '2026년 2월 28일'],
    ['hi', '28 फ़रवरी 2026'],
  ])('write a day in %s as %s', (language, shown) => {
    expect(formatDate(getLocale(language), new Date('2026-02-27T16:30:00Z'), 'Asia/Hong_Kong')).toBe(shown);
  });

  test('mask emails and phone numbers', () => {
    expect(maskEmail('mei@example.com')).toBe('m•••@example.com');
    expect(maskEmail('𝓜ei@example.com')).toBe('𝓜•••@example.com');
    expect(maskPhone('+85251234567')).toBe('•••• 67');
  });

  test('follow the Accept-Language header, and ignore invalid ones', () => {
    expect(reader('en-AU,en;q=0.9')).toMatchObject({ code: 'en', locale: 'en-AU', regions: ['AU'] });
    expect(reader('de-KR, en-SG;q=0.4, fr;q=0')).toMatchObject({
      code: 'en',
      locale: 'en-SG',
      regions: ['KR', 'SG'],
    });
    for (const nonsense of ['', '*', 'x-klingon', ';;;,q=', 'en-u-nu-thai-x-"><', '1'.repeat(5_000)]) {
      expect(amountText(reader(nonsense), { minor: 100n, currency: 'HKD' })).toBe('HK$1.00');
    }
    expect(resolveI18n('en', '__proto__').code).toBe('en');
  });

  test.each([
    ['zh-HK', 'zh-Hant', 'zh-Hant-HK'],
    ['zh-TW', 'zh-Hant', 'zh-Hant-TW'],
    ['zh-Hant', 'zh-Hant', 'zh-Hant-HK'],
    ['yue-HK', 'zh-Hant', 'zh-Hant-HK'],
    ['zh-Hans-HK', 'zh', 'zh-Hans-HK'],
    ['zh-CN', 'zh', 'zh-Hans-CN'],
    ['zh', 'zh', 'zh'],
    ['in-ID', 'id', 'id-ID'],
    ['tl-PH', 'fil', 'fil-PH'],
    ['ms-MY', 'ms', 'ms-MY'],
    ['en', 'en', 'en-001'],
  ])('follow the script and the region of %s', (header, code, locale) => {
    expect(reader(header)).toMatchObject({ code, locale });
  });

  test('have names and units in the script of the strings', () => {
    expect(regionName(reader('zh-HK'), 'MY')).toBe('馬來西亞');
    expect(regionName(reader('zh-Hans-HK'), 'MY')).toBe('马来西亚');
    expect(formatInterval(reader('zh-CN'), { unit: 'months', count: 3 })).toBe('每3个月');
  });
});

describe('html templates', () => {
  test('escape values in elements and attributes', () => {
    const markup = renderToString(html`<p title="${hostile}" class='${hostile}'>${hostile}</p>`);
    const escaped = '&quot;&gt;&lt;img src=x onerror=alert(1)&gt; &amp; &#39;';
    expect(markup).toBe(`<p title="${escaped}" class='${escaped}'>${escaped}</p>`);
  });

  test('nest, join lists, and render nothing for empty values', () => {
    const items = ['a<b', html`<b>${'c&d'}</b>`, null, undefined, false as const, 0, 12n, ['e', ['f']]];
    expect(renderToString(html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>${items}`)).toBe(
      '<ul><li>a&lt;b</li><li><b>c&amp;d</b></li><li></li><li></li><li></li><li>0</li><li>12</li><li>ef</li></ul>' +
        'a&lt;b<b>c&amp;d</b>012ef',
    );
  });

  test('insert only raw values unescaped', () => {
    expect(renderToString(html`${raw('<svg/>')}${'<svg/>'}`)).toBe('<svg/>&lt;svg/&gt;');
    const parsed = JSON.parse('{"markup":"<svg/>"}') as HtmlValue;
    expect(renderToString(html`${parsed}`)).not.toContain('<svg/>');
  });
});

describe('languages', () => {
  describe.each(Object.entries(languages) as [Language, (typeof languages)[Language]][])(
    '%s',
    (code, language) => {
      const translated = listStrings(language);

      test('has exactly the strings of English', () => {
        expect([...translated.keys()]).toEqual([...english.keys()]);
        for (const text of translated.values()) expect(text.trim()).not.toBe('');
      });

      test('has the same placeholders as English', () => {
        for (const [path, text] of translated)
          expect([path, listPlaceholders(text)]).toEqual([path, listPlaceholders(english.get(path) ?? '')]);
      });

      test('is selected by ?lang=, otherwise by the browser’s languages', () => {
        expect(resolveI18n(`${code};q=0.9, fr`, undefined)).toMatchObject({ code, strings: language });
        expect(resolveI18n('fr', code)).toMatchObject({ code, locale: getLocale(code) });
        expect(resolveI18n('en-GB', code).strings).toBe(language);
      });

      test('formats amounts and times', () => {
        const reader = resolveI18n(code, undefined);
        expect(amountText(reader, { minor: 123_450n, currency: 'THB' })).toMatch(
          /^(?:฿1[,.]234[.,]50|1\.234,50 ฿)$/,
        );
        const time = new Date('2026-11-17T12:30:00Z');
        expect(renderToString(dateTime(reader, time, 'Asia/Bangkok'))).toContain(
          'datetime="2026-11-17T12:30:00.000Z"',
        );
        for (const text of [
          dateTimeText(reader, time, 'Asia/Hong_Kong'),
          formatDateTime(reader.locale, time, 'Asia/Hong_Kong'),
        ])
          expect(text).toMatch(/(?:^| )(?:GMT\+8|HKT)(?: |$)/);
      });
    },
  );
});

test('no Korean particle depends on the last sound of a value, such as an amount', () => {
  for (const text of listStrings(languages.ko).values())
    expect(text).not.toMatch(/\}(?:[을를은는이가과와]|으?로|\([을으])/);
});

describe('template texts', () => {
  test.each(files)('are all in the language files: %s', (file) => {
    const templates = listTemplates(readFileSync(folder + file, 'utf8'));
    expect(templates.flatMap(listWords)).toEqual([]);
  });

  test('are found in elements and in attributes that are read aloud', () => {
    const source = [
      'html`<p class="row">#{amount} paid</p>#{list.map((one) => html`<b title="More">#{one}</b>`)}`',
      'html`<img alt="#{text.alt}" src="/a.svg"> · #{at({ a: "}" })}`',
    ]
      .join('\n')
      .replaceAll('#{', '$'.concat('{'));
    expect(listTemplates(source).flatMap(listWords)).toEqual(['paid', 'More']);
    expect(
      files.flatMap((file) => listTemplates(readFileSync(folder + file, 'utf8'))).length,
    ).toBeGreaterThan(50);
  });
});
