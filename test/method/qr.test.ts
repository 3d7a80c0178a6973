import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { decodeQR } from 'qr/decode.js';
import { describe, expect, test } from 'vitest';
import { methodCodes } from '../../src/method/catalog.ts';
import { qrPng } from '../../src/method/qr-png.ts';
import { qrSvg } from '../../src/method/qr-svg.ts';
import { getScheme } from '../../src/method/schemes.ts';
import { count } from '../setup/counts.ts';
import { codeFor } from './code-for.ts';
import { vectors } from './vectors.ts';

const moduleSize = 4;

/** The picture as a browser paints it: white ground, then the dark rectangles, 4 pixels a module. */
function rasterise(svg: string): {
  width: number;
  height: number;
  data: Uint8Array;
  isDark: (x: number, y: number) => boolean;
} {
  const [, box = ''] = /viewBox="0 0 (\d+) \1"/.exec(svg) ?? [];
  const size = Number(box);
  const width = size * moduleSize;
  const data = new Uint8Array(width * width * 4).fill(255);
  const [, dark = ''] = /<path fill="#000" d="([^"]+)"/.exec(svg) ?? [];
  const rectangles = [...dark.matchAll(/M(\d+) (\d+)h(\d+)v1H(\d+)z/g)];
  expect(rectangles.map(([text]) => text).join('')).toBe(dark);
  for (const [, left, top, length, back] of rectangles) {
    expect(back).toBe(left);
    for (let y = Number(top) * moduleSize; y < (Number(top) + 1) * moduleSize; y++) {
      const from = (y * width + Number(left) * moduleSize) * 4;
      for (let i = from; i < from + Number(length) * moduleSize * 4; i++) if (i % 4 !== 3) data[i] = 0;
    }
  }
  const isDark = (x: number, y: number) => data[(y * width + x) * moduleSize * 4] === 0;
  return { width, height: width, data, isDark };
}

function scan(svg: string): string {
  return decodeQR(rasterise(svg), { timeLimit: 2000 });
}

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

describe('a QR picture is read by a scanner', () => {
  test.each(Object.entries(vectors))('%s', (_, code) => {
    expect(scan(qrSvg(code))).toBe(code);
  });

  test.each(methodCodes)('%s: the code of its demo account', (method) => {
    const payment = { minor: 123_400n, nonce: 'BREW23456R', holder: 'Holder', demo: true };
    const code = codeFor(method, getScheme(method).demoDetails, payment);
    if (code !== '') expect(scan(qrSvg(code))).toBe(code);
    else expect(method).toMatch(/bank-transfer$/);
  });

  test('any text of up to 512 characters', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]{1,512}$/), (text) => {
        expect(scan(qrSvg(text))).toBe(text);
      }),
      { numRuns: count(60, 600) },
    );
  });
});

describe('the picture', () => {
  const svg = qrSvg(vectors['FPS-1']);

  test('has four light modules around it and error correction M', () => {
    const { width, isDark } = rasterise(svg);
    const size = width / moduleSize;
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
    // The first two format bits, beside the upper left finder: 00 is level M, masked with 10.
    expect([isDark(4, 12), isDark(5, 12)]).toEqual([true, false]);
  });

  test('has no size of its own, crisp edges, and a name for those who do not see it', () => {
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 \d+ \d+" role="img" aria-label="QR code" shape-rendering="crispEdges">/,
    );
    expect(svg).not.toMatch(/\b(width|height)=/);
  });

  test('takes its name in the page’s language, escaped', () => {
    expect(qrSvg('x', '二维码')).toContain('aria-label="二维码"');
    expect(qrSvg('x', `"><script>&'`)).toContain('aria-label="&quot;&gt;&lt;script&gt;&amp;&#39;"');
  });
});

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
