import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { decodeQR } from 'qr/decode.js';
import { describe, expect, test } from 'vitest';
import { methodCodes } from '../../src/method/catalog.ts';
import { renderQrPng } from '../../src/method/qr-png.ts';
import { getScheme } from '../../src/method/schemes.ts';
import { count } from '../setup/counts.ts';
import { createCode } from './create-code.ts';
import { vectors } from './vectors.ts';

/** The width of a module in pixels. */
const moduleSize = 12;

function scan(png: Buffer): string {
  return decodeQR(readPng(png), { timeLimit: 2000 });
}

/** Reads a PNG in grayscale with one bit per pixel and without filters. */
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

describe('a QR code is read by a scanner', () => {
  test.each(Object.entries(vectors))('for the published code %s', (_, code) => {
    expect(scan(renderQrPng(code))).toBe(code);
  });

  test.each(methodCodes)('for the demo account of %s', (method) => {
    const payment = { minor: 123_400n, nonce: 'BREW23456R', holder: 'Holder', demo: true };
    const code = createCode(method, getScheme(method).demoDetails, payment);
    if (code !== '') expect(scan(renderQrPng(code))).toBe(code);
    else expect(method).toMatch(/bank-transfer$/);
  });

  test('for any text of up to 512 characters', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]{1,512}$/), (text) => {
        expect(scan(renderQrPng(text))).toBe(text);
      }),
      { numRuns: count(60, 600) },
    );
  });
});

test('the PNG has a margin of four modules and error correction M', () => {
  const { width, data } = readPng(renderQrPng(vectors['FPS-1']));
  const size = width / moduleSize;
  const isDark = (x: number, y: number) => data[(y * width + x) * moduleSize * 3] === 0;
  for (let i = 0; i < size; i++) {
    for (let edge = 0; edge < 4; edge++) {
      for (const [x, y] of [
        [i, edge],
        [edge, i],
        [i, size - 1 - edge],
        [size - 1 - edge, i],
      ] as const) {
        expect(isDark(x, y)).toBe(false);
      }
    }
  }
  expect([isDark(4, 4), isDark(size - 5, 4), isDark(4, size - 5)]).toEqual([true, true, true]);
  // The first two format bits: level M is 00, masked with 10.
  expect([isDark(4, 12), isDark(5, 12)]).toEqual([true, false]);
});

test.each([
  'upi://pay?pa=demo@example&pn=DEMO&am=1.00&cu=INR',
  '00020101021226530012hk.com.hkicl0433FPS_Identifier_CRC201D@ird.gov.hk520400005303344540419895802HK5902NA6002HK63042767',
  'x'.repeat(600),
])('the PNG contains the code %.30s', (text) => {
  const image = readPng(renderQrPng(text));
  expect(image.width).toBe(image.height);
  expect(image.width).toBeGreaterThanOrEqual(300);
  expect(decodeQR(image)).toBe(text);
});
