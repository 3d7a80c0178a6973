import { encodePng } from '../../src/kit/png.ts';

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
