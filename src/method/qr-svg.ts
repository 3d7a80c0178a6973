import { encode } from 'uqr';
import { escapeHtml } from '../kit/escape-html.ts';

/** Light modules around the code (quiet zone of ISO/IEC 18004). */
const quietZone = 4;

/**
 * Returns a QR code (error correction M) as an SVG that fills its box and stays black on white in any theme.
 * `label` is the accessible name, in the page's language.
 */
export function renderQrSvg(text: string, label = 'QR code'): string {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone });
  const dark = data.map((row, y) => drawDarkRuns(row, y)).join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" role="img" aria-label="${escapeHtml(label)}" ` +
    `shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${dark}"/></svg>`
  );
}

/** Draws one rectangle for each run of dark modules in a row. */
function drawDarkRuns(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue;
    const start = x;
    while (row[x]) x++;
    path += `M${start} ${y}h${x - start}v1H${start}z`;
  }
  return path;
}
