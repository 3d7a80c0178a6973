/** Converts a fraction, such as `0.015`, to a percentage, such as `1.5`, without rounding. */
export function fractionToPercent(fraction: string): string {
  return shiftDecimalPoint(fraction, 2);
}

/**
 * Converts a percentage, such as `1.5` or `1,5`, to a fraction, such as `0.015`. Invalid input is returned
 * unchanged, so that the API reports it.
 */
export function percentToFraction(percent: string): string {
  const text = percent.trim().replace(',', '.').replace(/\s*%$/, '');
  return /^\d+(?:\.\d+)?$/.test(text) ? shiftDecimalPoint(text, -2) : text;
}

function shiftDecimalPoint(decimal: string, places: number): string {
  const [whole = '', fraction = ''] = decimal.split('.');
  const digits = (whole + fraction).padStart(whole.length + fraction.length + 3, '0');
  const point = digits.length - fraction.length + places;
  const padded = digits.padEnd(point, '0');
  const shifted = `${padded.slice(0, point)}.${padded.slice(point)}`;
  return shifted.replace(/\.?0*$/, '').replace(/^0+(?=\d)/, '') || '0';
}
