import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'uqr';

/** Light modules around the code (quiet zone of ISO/IEC 18004). */
const quietZone = 4;
const pixelsPerModule = 12;

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** 1 bit per pixel, greyscale, no interlace: the last five bytes of a PNG header. */
const oneBitGrey = [1, 0, 0, 0, 0];

/**
 * Returns a QR code (error correction M) as a PNG that customers can save to their photos. Payment apps read
 * codes from there and do not accept SVG.
 */
export function renderQrPng(text: string): Buffer {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone });
  const width = size * pixelsPerModule;
  const scanLines = data.flatMap((row) =>
    new Array<Buffer>(pixelsPerModule).fill(createScanLine(row, width)),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  header.set(oneBitGrey, 8);
  return Buffer.concat([
    signature,
    createChunk('IHDR', header),
    createChunk('IDAT', deflateSync(Buffer.concat(scanLines))),
    createChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns one row of pixels after the filter byte (0: none). A set bit is white. */
function createScanLine(row: readonly boolean[], width: number): Buffer {
  const line = Buffer.alloc(1 + Math.ceil(width / 8));
  for (let x = 0; x < width; x++) {
    if (!row[Math.floor(x / pixelsPerModule)]) line[1 + (x >> 3)]! |= 0x80 >> (x & 7);
  }
  return line;
}

function createChunk(type: string, body: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const bytes = Buffer.alloc(8 + content.length);
  bytes.writeUInt32BE(body.length, 0);
  content.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(content), 4 + content.length);
  return bytes;
}
