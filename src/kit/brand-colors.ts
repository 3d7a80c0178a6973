// The dashboard imports this file too, so it must not depend on Node.js or packages.

type Rgb = readonly [red: number, green: number, blue: number];

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];

/** The backgrounds of text on customer pages that give it the least contrast (`base.css`). */
const lightGround: Rgb = [244, 245, 243];
const darkGround: Rgb = [29, 40, 37];

/** The contrast that WCAG 2.2 requires of text of normal size (level AA). */
const contrastMin = 4.5;

/** How the pages of one color scheme use a brand color. */
export type BrandScheme = {
  /** Links and borders: the brand color, or a shade of it that is readable on the page. */
  accent: string;
  /** The background of highlighted parts. */
  accentSoft: string;
};

type BrandColors = {
  button: string;
  buttonHover: string;
  /** The text on buttons: white, or black where white would be hard to read. */
  buttonText: '#ffffff' | '#000000';
  /** The contrast of the text on buttons, from 1 to 21. */
  buttonContrast: number;
  light: BrandScheme;
  dark: BrandScheme;
};

/** Returns the colors of a brand, in which all text has enough contrast. `color` has the form `#rrggbb`. */
export function toBrandColors(color: string): BrandColors {
  const brand = parseColor(color);
  const text = getContrast(brand, white) >= contrastMin ? white : black;
  return {
    button: toHex(brand),
    // Mixes in the opposite of the text's color, which increases the contrast.
    buttonHover: toHex(mix(brand, text === white ? black : white, 0.15)),
    buttonText: text === white ? '#ffffff' : '#000000',
    buttonContrast: getContrast(brand, text),
    light: toScheme(brand, { ground: lightGround, soft: mix(white, brand, 0.1), target: black }),
    dark: toScheme(brand, { ground: darkGround, soft: mix(darkGround, brand, 0.12), target: white }),
  };
}

function toScheme(
  brand: Rgb,
  { ground, soft, target }: { ground: Rgb; soft: Rgb; target: Rgb },
): BrandScheme {
  const isReadable = (color: Rgb) =>
    [ground, soft].every((background) => getContrast(color, background) >= contrastMin);
  let share = 0;
  while (!isReadable(mix(brand, target, share)) && share < 1) share += 0.02;
  return { accent: toHex(mix(brand, target, Math.min(share, 1))), accentSoft: toHex(soft) };
}

function parseColor(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function toHex(color: Rgb): string {
  return `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function mix([red, green, blue]: Rgb, other: Rgb, share: number): Rgb {
  const blend = (value: number, target: number) => Math.round(value + (target - value) * share);
  return [blend(red, other[0]), blend(green, other[1]), blend(blue, other[2])];
}

/** Returns the contrast ratio of WCAG 2.2, from 1 to 21. */
function getContrast(first: Rgb, second: Rgb): number {
  const [lower = 0, higher = 0] = [getLuminance(first), getLuminance(second)].sort((a, b) => a - b);
  return (higher + 0.05) / (lower + 0.05);
}

/** Returns the relative luminance of WCAG 2.2. */
function getLuminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
