import { readFileSync } from 'node:fs';
import { create, type Font } from 'fontkit';

export type FontName = 'latin' | 'thai' | 'cjk';

/** A part of a text that one font can set. */
export type TextRun = { font: FontName; text: string };

/** `family`: which font of a collection. */
const files: Record<FontName, { file: string; family?: string }> = {
  latin: { file: 'NotoSans-Regular.ttf' },
  thai: { file: 'NotoSansThai-Regular.ttf' },
  cjk: { file: 'wqy-microhei.ttc', family: 'WenQuanYiMicroHei' },
};

const fontCache = new Map<FontName, Font>();

/** A font, read when it is first needed and then kept: what it says of itself takes long to read. */
export function openFont(name: FontName): Font {
  const cached = fontCache.get(name);
  if (cached) return cached;
  const { file, family } = files[name];
  const font = create(readFileSync(new URL(`./fonts/${file}`, import.meta.url)), family);
  if (!('layout' in font)) throw new Error(`${file} is a collection without the font ${family}`);
  fontCache.set(name, font);
  return font;
}

/** With the sign of the baht, which no script has for its own. */
const thai = /[\p{Script_Extensions=Thai}\u0E00-\u0E7F]/u;
/** Letters of Chinese, Japanese and Korean, their punctuation and the wide forms of ours. */
const cjk =
  /[\p{Script_Extensions=Han}\p{Script_Extensions=Hangul}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\u3000-\u303F\uFF00-\uFFEF]/u;
/** Marks that shape or direct others and have no look of their own. */
const invisible = /[\p{Cc}\p{Cf}]/gu;

/** Divides a text by the fonts that set it. What no font has, such as emoji, shows as a box. */
export function toRuns(text: string): TextRun[] {
  const runs: TextRun[] = [];
  for (const character of text.normalize('NFC').replace(invisible, '')) {
    const last = runs.at(-1);
    // A mark goes with the letter it stands on.
    const font = last && /\p{Mn}/u.test(character) ? last.font : selectFont(character);
    if (last?.font === font) last.text += character;
    else runs.push({ font, text: character });
  }
  return runs;
}

function selectFont(character: string): FontName {
  if (/[ -\u024F]/.test(character)) return 'latin';
  if (thai.test(character)) return 'thai';
  return cjk.test(character) ? 'cjk' : 'latin';
}
