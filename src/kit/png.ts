import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** The header of a PNG file (ISO/IEC 15948). */
type PngFormat = { width: number; height: number; bitDepth: number; colorType: number };

/** Opaque pixels, row by row, with one byte for each of red, green and blue. */
type RgbImage = { width: number; height: number; pixels: Buffer };

/** The file is not a PNG, or not one that {@link decodePng} can read. */
export class PngError extends Error {
  override readonly name = 'PngError';
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const rgb = 2;
const palette = 3;
const channelCounts: Readonly<Record<number, number>> = { 0: 1, [rgb]: 3, [palette]: 1, 4: 2, 6: 4 };

/** Returns a PNG file. Each scan line begins with its filter byte. */
export function encodePng(
  { width, height, bitDepth, colorType }: PngFormat,
  scanLines: readonly Buffer[],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bitDepth, colorType], 8);
  return Buffer.concat([
    signature,
    createChunk('IHDR', header),
    createChunk('IDAT', deflateSync(Buffer.concat(scanLines), { level: 9 })),
    createChunk('IEND', Buffer.alloc(0)),
  ]);
}

function createChunk(type: string, body: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const bytes = Buffer.alloc(8 + content.length);
  bytes.writeUInt32BE(body.length, 0);
  content.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(content), 4 + content.length);
  return bytes;
}

/** Returns the image as a PNG file that contains nothing but its pixels. */
export function encodeRgbPng({ width, height, pixels }: RgbImage): Buffer {
  const lineBytes = width * 3;
  const lines = Array.from({ length: height }, (_, y) => {
    const line = Buffer.alloc(1 + lineBytes);
    // Filter 1 (Sub) stores differences to the pixel on the left, which compress well.
    line[0] = 1;
    for (let x = 0; x < lineBytes; x++) {
      const left = x < 3 ? 0 : pixels[y * lineBytes + x - 3]!;
      line[1 + x] = pixels[y * lineBytes + x]! - left;
    }
    return line;
  });
  return encodePng({ width, height, bitDepth: 8, colorType: rgb }, lines);
}

/**
 * Reads a PNG file with 8 bits per channel and without interlacing. Transparent pixels are blended with white. Throws
 * {@link PngError}, also for a file that is wider or higher than `sideMax`.
 */
export function decodePng(file: Buffer, { sideMax }: { sideMax: number }): RgbImage {
  const chunks = readChunks(file);
  const header = chunks[0]?.type === 'IHDR' ? chunks[0].body : undefined;
  if (header?.length !== 13) throw new PngError('is not a PNG image');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [bitDepth, colorType = -1, , , interlace] = header.subarray(8);
  const channelCount = channelCounts[colorType];
  if (bitDepth !== 8 || interlace !== 0 || channelCount === undefined)
    throw new PngError('must have 8 bits per channel and no interlacing');
  if (width === 0 || height === 0 || width > sideMax || height > sideMax)
    throw new PngError(`must be at most ${sideMax} pixels wide and high`);
  const find = (type: string) => chunks.filter((chunk) => chunk.type === type).map(({ body }) => body);
  const samples = unfilter(inflate(find('IDAT'), (1 + width * channelCount) * height), {
    lineBytes: width * channelCount,
    channelCount,
  });
  const colors = { palette: find('PLTE')[0], transparency: find('tRNS')[0] };
  const pixels = Buffer.alloc(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const sample = samples.subarray(i * channelCount, (i + 1) * channelCount);
    const [red, green, blue, alpha] = toRgba(sample, colorType, colors);
    pixels.set(
      [red, green, blue].map((value) => Math.round((value * alpha + 255 * (255 - alpha)) / 255)),
      i * 3,
    );
  }
  return { width, height, pixels };
}

function readChunks(file: Buffer): { type: string; body: Buffer }[] {
  if (!file.subarray(0, signature.length).equals(signature)) throw new PngError('is not a PNG image');
  const chunks: { type: string; body: Buffer }[] = [];
  let position = signature.length;
  while (position + 12 <= file.length) {
    const end = position + 8 + file.readUInt32BE(position);
    if (end + 4 > file.length || crc32(file.subarray(position + 4, end)) !== file.readUInt32BE(end)) break;
    const type = file.toString('latin1', position + 4, position + 8);
    if (type === 'IEND') return chunks;
    chunks.push({ type, body: file.subarray(position + 8, end) });
    position = end + 4;
  }
  throw new PngError('is damaged');
}

function inflate(parts: Buffer[], size: number): Buffer {
  try {
    const data = inflateSync(Buffer.concat(parts), { maxOutputLength: size });
    if (data.length === size) return data;
  } catch {
    // The check below reports the error.
  }
  throw new PngError('is damaged');
}

/** Reverses the filters of the scan lines. */
function unfilter(
  data: Buffer,
  { lineBytes, channelCount }: { lineBytes: number; channelCount: number },
): Buffer {
  const height = data.length / (lineBytes + 1);
  const samples = Buffer.alloc(lineBytes * height);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (lineBytes + 1)]!;
    if (filter > 4) throw new PngError('is damaged');
    for (let x = 0; x < lineBytes; x++) {
      const at = y * lineBytes + x;
      const left = x < channelCount ? 0 : samples[at - channelCount]!;
      const up = y === 0 ? 0 : samples[at - lineBytes]!;
      const upLeft = x < channelCount || y === 0 ? 0 : samples[at - lineBytes - channelCount]!;
      samples[at] = data[y * (lineBytes + 1) + 1 + x]! + predict(filter, left, up, upLeft);
    }
  }
  return samples;
}

function predict(filter: number, left: number, up: number, upLeft: number): number {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    default:
      return predictPaeth(left, up, upLeft);
  }
}

/** Returns the neighbor that is nearest to `left + up - upLeft`. */
function predictPaeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft;
  const toLeft = Math.abs(estimate - left);
  const toUp = Math.abs(estimate - up);
  const toUpLeft = Math.abs(estimate - upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

type Rgba = [red: number, green: number, blue: number, alpha: number];

/** `transparency` has the alpha values of a palette, or the transparent color, with 16 bits per channel. */
function toRgba(
  sample: Buffer,
  colorType: number,
  colors: { palette: Buffer | undefined; transparency: Buffer | undefined },
): Rgba {
  const [first = 0, second = 255, third = 0, fourth = 255] = sample;
  if (colorType === palette) {
    const entry = colors.palette?.subarray(first * 3, first * 3 + 3);
    if (entry?.length !== 3) throw new PngError('is damaged');
    return [entry[0]!, entry[1]!, entry[2]!, colors.transparency?.[first] ?? 255];
  }
  const isTransparent =
    colors.transparency?.length === 2 * sample.length &&
    sample.every((value, i) => value === colors.transparency?.[2 * i + 1]);
  if (isTransparent) return [255, 255, 255, 0];
  return sample.length <= 2 ? [first, first, first, second] : [first, second, third, fourth];
}
