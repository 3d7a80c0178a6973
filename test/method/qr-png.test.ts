import { inflateSync } from 'node:zlib';
import { decodeQR } from 'qr/decode.js';
import { expect, test } from 'vitest';
import { qrPng } from '../../src/method/qr-png.ts';

/** Reads a greyscale PNG of one bit a pixel without filters, after the PNG specification. */
function readPng(png: Buffer): { width: number; height: number; data: Uint8Array } {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const body = png.indexOf('IDAT') + 4;
  const lines = inflateSync(png.subarray(body, body + png.readUInt32BE(body - 8)));
  const stride = 1 + Math.ceil(width / 8);
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const x = i % width;
    const byte = lines[Math.floor(i / width) * stride + 1 + (x >> 3)] ?? 0;
    data.fill((byte >> (7 - (x & 7))) & 1 ? 255 : 0, i * 3, i * 3 + 3);
  }
  return { width, height, data };
}

test.each([
  'upi://pay?pa=demo@example&pn=DEMO&am=1.00&cu=INR',
  '00020101021226530012hk.com.hkicl0433FPS_Identifier_CRC201D@ird.gov.hk520400005303344540419895802HK5902NA6002HK63042767',
  'x'.repeat(600),
])('the picture holds the code: %.30s', (text) => {
  const image = readPng(qrPng(text));
  expect(image.width).toBe(image.height);
  expect(image.width).toBeGreaterThanOrEqual(300);
  expect(decodeQR(image)).toBe(text);
});
