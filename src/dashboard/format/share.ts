/** `0.015` as people write it: `1.5`. Digits move, none is rounded. */
export function shareToPercent(share: string): string {
  return shiftDecimalPoint(share, 2);
}

/** `1.5` or `1,5` as the API takes it: `0.015`. What is no number is given on, for the API to say so. */
export function percentToShare(percent: string): string {
  const text = percent.trim().replace(',', '.').replace(/\s*%$/, '');
  return /^\d+(?:\.\d+)?$/.test(text) ? shiftDecimalPoint(text, -2) : text;
}

/** Moves the decimal point of a plain decimal by so many places. */
function shiftDecimalPoint(decimal: string, places: number): string {
  const [whole = '', fraction = ''] = decimal.split('.');
  const digits = (whole + fraction).padStart(whole.length + fraction.length + 3, '0');
  const point = digits.length - fraction.length + places;
  const padded = digits.padEnd(point, '0');
  const shifted = `${padded.slice(0, point)}.${padded.slice(point)}`;
  return shifted.replace(/\.?0*$/, '').replace(/^0+(?=\d)/, '') || '0';
}
