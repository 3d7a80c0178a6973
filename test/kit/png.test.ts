import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodePng, encodeRgbPng, PngError } from '../../src/kit/png.ts';
import { count } from '../setup/counts.ts';
import { createPicture } from '../setup/pictures.ts';

const decode = (file: Buffer) => decodePng(file, { sideMax: 64 });

/** A PNG file with a palette, written by Python: two pixels, of which the second is transparent. */
const palettePicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAMAAADD/I+4AAAABlBMVEX/AAAAAP9sof2OAAAAAnRSTlP/AOW3MEoAAAALSURBVHicY2BgBAAABAACv3o/SgAAAABJRU5ErkJggg==',
  'base64',
);

describe('decodePng', () => {
  test('returns the pixels that encodeRgbPng was given', () => {
    const images = fc
      .record({ width: fc.integer({ min: 1, max: 20 }), height: fc.integer({ min: 1, max: 20 }) })
      .chain(({ width, height }) => {
        const length = width * height * 3;
        return fc
          .uint8Array({ minLength: length, maxLength: length })
          .map((pixels) => ({ width, height, pixels: Buffer.from(pixels) }));
      });
    fc.assert(
      fc.property(images, (image) => {
        expect(decode(encodeRgbPng(image))).toEqual(image);
      }),
      { numRuns: count(50, 1_000) },
    );
  });

  test.each([
    [0, [120], [120, 120, 120]],
    [2, [1, 2, 3], [1, 2, 3]],
    [4, [0, 0], [255, 255, 255]],
    [4, [100, 255], [100, 100, 100]],
    [6, [0, 0, 0, 51], [204, 204, 204]],
    [6, [9, 8, 7, 255], [9, 8, 7]],
  ] as const)('blends transparent pixels of color type %i with white: %j', (colorType, sample, pixel) => {
    const { pixels } = decode(createPicture({ width: 2, height: 2, colorType, sample: [...sample] }));
    expect([...pixels]).toEqual([...pixel, ...pixel, ...pixel, ...pixel]);
  });

  test('reads a palette', () => {
    expect([...decode(palettePicture).pixels]).toEqual([255, 0, 0, 255, 255, 255]);
  });

  /** Files with a `tRNS` chunk, written by Python: the first of two pixels has the transparent color. */
  test.each([
    [
      'grayscale',
      'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAAAAADRSSBWAAAAAnRSTlMAB+j3WJsAAAALSURBVHjaY2A/AQAA2QDQRAJV2wAAAABJRU5ErkJggg==',
      [200, 200, 200],
    ],
    [
      'RGB',
      'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAABnRSTlMAAQACAAPJS6v1AAAAD0lEQVR42mNgZGJmZGIBAAAuAA5WxqjjAAAAAElFTkSuQmCC',
      [1, 2, 4],
    ],
  ] as const)('reads the transparent color of a %s image as white', (_, file, opaque) => {
    expect([...decode(Buffer.from(file, 'base64')).pixels]).toEqual([255, 255, 255, ...opaque]);
  });

  test('rejects other files, other depths, large pictures and damaged ones', () => {
    const picture = createPicture({ width: 2, height: 2 });
    const damaged = Buffer.from(picture);
    damaged[45]! ^= 1;
    for (const [file, message] of [
      [Buffer.from('<svg onload="alert(1)"/>'), /not a PNG/],
      [Buffer.alloc(0), /not a PNG/],
      [createPicture({ width: 65, height: 2 }), /at most 64 pixels/],
      [createPicture({ width: 2, height: 2, bitDepth: 16 }), /8 bits/],
      [picture.subarray(0, -12), /damaged/],
      [damaged, /damaged/],
    ] as const) {
      expect(() => decode(file)).toThrow(PngError);
      expect(() => decode(file)).toThrow(message);
    }
  });

  test('fails only with PngError for any change of a file', () => {
    const picture = createPicture({ width: 3, height: 3, colorType: 6 });
    fc.assert(
      fc.property(fc.nat(picture.length - 1), fc.nat(255), (position, value) => {
        const file = Buffer.from(picture);
        file[position] = value;
        try {
          decode(file);
        } catch (error) {
          expect(error).toBeInstanceOf(PngError);
        }
      }),
      { numRuns: count(300, 10_000) },
    );
  });
});
