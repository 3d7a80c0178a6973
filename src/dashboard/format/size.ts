const units = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats a number of bytes, such as `12 KiB` or `1.5 GiB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  return `${(bytes / 1024 ** power).toFixed(power === 1 ? 0 : 1)} ${units[power - 1]}`;
}
