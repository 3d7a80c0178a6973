import { encode } from 'uqr';

/** The width of the light margin around the code, in modules (the quiet zone of ISO/IEC 18004). */
const quietZone = 4;

/** A QR code (error correction M), black on white in any theme, as on the customer pages. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone });
  const darkPath = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={darkPath} />
    </svg>
  );
}
