import { encode } from 'uqr';
import { encodePng, encodeRgbPng } from '../../src/kit/png.ts';
import { qrOptions } from '../../src/method/qr-png.ts';

const channelCounts = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;

/** Creates a PNG file of one color. `sample` has the channels of a pixel. */
export function createPicture(options: {
  width: number;
  height: number;
  colorType?: keyof typeof channelCounts;
  sample?: number[];
  bitDepth?: number;
}): Buffer {
  const { width, height, colorType = 2, bitDepth = 8 } = options;
  const sample = options.sample ?? new Array(channelCounts[colorType]).fill(120);
  const line = Buffer.from([0, ...new Array(width).fill(sample).flat()]);
  return encodePng({ width, height, bitDepth, colorType }, new Array(height).fill(line));
}

const photo = { width: 1200, height: 900, moduleSize: 9.3, angle: 0.12 };

/**
 * Creates a PNG that resembles a phone's photo of a printed QR code: rotated, not in the middle, and darker on one
 * side.
 */
export function createPhoto(text: string): Buffer {
  const { width, height, moduleSize, angle } = photo;
  const code = encode(text, qrOptions);
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const isDark = (x: number, y: number) => {
    const [fromLeft, fromTop] = [x - width * 0.48, y - height * 0.53];
    const column = Math.floor((fromLeft * cos + fromTop * sin) / moduleSize + code.size / 2);
    const row = Math.floor((fromTop * cos - fromLeft * sin) / moduleSize + code.size / 2);
    return code.data[row]?.[column] ?? false;
  };
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      // The edges of modules are blurred over a pixel.
      const darkCount = [0.25, 0.75].flatMap((dx) => [0.25, 0.75].map((dy) => isDark(x + dx, y + dy)));
      const ink = darkCount.filter(Boolean).length / darkCount.length;
      pixels.fill(
        Math.round((235 - 175 * ink) * (1 - (0.3 * x) / width)),
        (y * width + x) * 3,
        (y * width + x + 1) * 3,
      );
    }
  }
  return encodeRgbPng({ width, height, pixels });
}
