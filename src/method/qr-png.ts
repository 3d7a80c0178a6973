import { encode } from 'uqr';
import { encodePng } from '../kit/png.ts';

/** Error correction M, with the light modules around the code that ISO/IEC 18004 requires (quiet zone). */
export const qrOptions = { ecc: 'M', border: 4 } as const;
const pixelsPerModule = 12;

/**
 * Returns a QR code as a PNG that customers can save to their photos. Payment apps read
 * codes from there and do not accept SVG.
 */
export function renderQrPng(text: string): Buffer {
  const { data, size } = encode(text, qrOptions);
  const width = size * pixelsPerModule;
  const scanLines = data.flatMap((row) =>
    new Array<Buffer>(pixelsPerModule).fill(createScanLine(row, width)),
  );
  return encodePng({ width, height: width, bitDepth: 1, colorType: 0 }, scanLines);
}

/** Returns one row of pixels after the filter byte (0: none). A set bit is white. */
function createScanLine(row: readonly boolean[], width: number): Buffer {
  const line = Buffer.alloc(1 + Math.ceil(width / 8));
  for (let x = 0; x < width; x++) {
    if (!row[Math.floor(x / pixelsPerModule)]) line[1 + (x >> 3)]! |= 0x80 >> (x & 7);
  }
  return line;
}
