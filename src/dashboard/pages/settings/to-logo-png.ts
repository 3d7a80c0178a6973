/** The limits of `updateMerchantSettings`. */
const bytesMax = 128 * 1024;
const sides = [512, 384, 256, 192, 128];

/**
 * Scales the picture down until the PNG file is within the limits. Returns the file in Base64. Throws if the file is
 * not a picture, or is too detailed.
 */
export async function toLogoPng(file: File): Promise<string> {
  const picture = await createImageBitmap(file);
  for (const side of sides) {
    const blob = await draw(picture, side);
    if (blob.size <= bytesMax) return toBase64(blob);
  }
  throw new Error('the picture is too detailed');
}

async function draw(picture: ImageBitmap, sideMax: number): Promise<Blob> {
  const scale = Math.min(1, sideMax / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is empty'))), 'image/png');
  });
}

async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
