/** Converts a fraction `0.015` to a percentage `1.5`. It moves digits, so nothing is rounded. */
export function shareToPercent(share: string): string {
  return shiftDecimalPoint(share, 2);
}

/**
 * Converts a percentage (`1.5` or `1,5`) to API format: `0.015`. Returns invalid input
 * unchanged, so that the API reports it.
 */
export function percentToShare(percent: string): string {
  const text = percent.trim().replace(',', '.').replace(/\s*%$/, '');
  return /^\d+(?:\.\d+)?$/.test(text) ? shiftDecimalPoint(text, -2) : text;
}

/** Moves the decimal point of a plain decimal by `places` to the right. */
function shiftDecimalPoint(decimal: string, places: number): string {
  const [whole = '', fraction = ''] = decimal.split('.');
  const digits = (whole + fraction).padStart(whole.length + fraction.length + 3, '0');
  const point = digits.length - fraction.length + places;
  const padded = digits.padEnd(point, '0');
  const shifted = `${padded.slice(0, point)}.${padded.slice(point)}`;
  return shifted.replace(/\.?0*$/, '').replace(/^0+(?=\d)/, '') || '0';
}
