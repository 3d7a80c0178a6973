import { readFileSync } from 'node:fs';
import { create, type Font } from 'fontkit';

export type FontName = 'latin' | 'thai' | 'cjk';

/** A part of a text in one font. */
export type TextRun = { font: FontName; text: string };

/** The font files. `family` selects a font in a collection. */
const files: Record<FontName, { file: string; family?: string }> = {
  latin: { file: 'NotoSans-Regular.ttf' },
  thai: { file: 'NotoSansThai-Regular.ttf' },
  cjk: { file: 'wqy-microhei.ttc', family: 'WenQuanYiMicroHei' },
};

const fontCache = new Map<FontName, Font>();

/** Fonts are cached, because parsing one takes long. */
export function openFont(name: FontName): Font {
  const cached = fontCache.get(name);
  if (cached) return cached;
  const { file, family } = files[name];
  const font = create(readFileSync(new URL(`./fonts/${file}`, import.meta.url)), family);
  if (!('layout' in font)) throw new Error(`${file} is a collection without the font ${family}`);
  fontCache.set(name, font);
  return font;
}

/** Thai characters, and the baht sign, which belongs to no script. */
const thaiPattern = /[\p{Script_Extensions=Thai}\u0E00-\u0E7F]/u;
/** Chinese, Japanese and Korean characters, their punctuation, and half-width and full-width forms. */
const cjkPattern =
  /[\p{Script_Extensions=Han}\p{Script_Extensions=Hangul}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\u3000-\u303F\uFF00-\uFFEF]/u;
/** Control and format characters, which have no glyph. */
const invisiblePattern = /[\p{Cc}\p{Cf}]/gu;

/** Splits a text into runs by font. Characters without a glyph, such as emoji, are shown as a box. */
export function toRuns(text: string): TextRun[] {
  const runs: TextRun[] = [];
  for (const character of text.normalize('NFC').replace(invisiblePattern, '')) {
    const last = runs.at(-1);
    // A combining mark uses the font of its base letter.
    const font = last && /\p{Mn}/u.test(character) ? last.font : selectFont(character);
    if (last?.font === font) last.text += character;
    else runs.push({ font, text: character });
  }
  return runs;
}

function selectFont(character: string): FontName {
  if (/[ -\u024F]/.test(character)) return 'latin';
  if (thaiPattern.test(character)) return 'thai';
  return cjkPattern.test(character) ? 'cjk' : 'latin';
}
