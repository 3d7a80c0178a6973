import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toBrandColors } from '../../src/kit/brand-colors.ts';

const colors = fc.nat(0xffffff).map((value) => `#${value.toString(16).padStart(6, '0')}`);

/** Returns the contrast of two colors, computed in another way than the tested code: by the formula of WCAG 2.2. */
function getContrast(...pair: [string, string]): number {
  const luminances = pair.map((color) => {
    const channel = (at: number) => {
      const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
  });
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
}

test('every brand color gives readable buttons, links and highlighted parts', () => {
  fc.assert(
    fc.property(colors, (color) => {
      const { button, buttonHover, buttonText, buttonContrast, light, dark } = toBrandColors(color);
      expect(button).toBe(color);
      expect(buttonContrast).toBeCloseTo(getContrast(button, buttonText), 6);
      for (const [text, background] of [
        [buttonText, button],
        [buttonText, buttonHover],
        ['#ffffff', light.accent],
        ['#000000', dark.accent],
        ...['#ffffff', '#f4f5f3', light.accentSoft].map((ground) => [light.accent, ground]),
        ...['#0e1412', '#17201d', '#1d2825', dark.accentSoft].map((ground) => [dark.accent, ground]),
      ] as [string, string][])
        expect(getContrast(text, background), `${text} on ${background}`).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test.each([
  ['#0e6b5c', '#ffffff', '#0e6b5c'],
  ['#ffd400', '#000000', '#856e00'],
  ['#ffffff', '#000000', '#707070'],
])('%s has text in %s and links in %s', (color, text, link) => {
  const { buttonText, light } = toBrandColors(color);
  expect(buttonText).toBe(text);
  expect(light.accent).toBe(link);
});
