import { decodeQR } from 'qr/decode.js';
import { getText, parseEmv } from '../../../method/emv.ts';

/**
 * The longest sides, in pixels, to which pictures are scaled. Codes in photos are often found only at a smaller scale.
 */
const sizes = [1600, 1000, 600];

/** Returns the text of the QR code in a picture, or undefined if there is none or the file is not a picture. */
export async function decodePicture(file: File): Promise<string | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return undefined;
  for (const size of sizes) {
    const scale = Math.min(1, size / Math.max(picture.width, picture.height));
    const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
    const context = new OffscreenCanvas(width, height).getContext('2d');
    if (!context) return undefined;
    // Transparent pictures are meant to be seen on white.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
    context.drawImage(picture, 0, 0, width, height);
    try {
      return decodeQR(context.getImageData(0, 0, width, height));
    } catch {
      // The decoder throws if it finds no code, so the next size is tried.
    }
  }
  return undefined;
}

/** The EMV field with the name of the payee. */
const payeeNameField = '59';

/** Returns undefined if the text is not an EMV code or does not name the payee. */
export function findPayeeName(code: string): string | undefined {
  const fields = parseEmv(code);
  return typeof fields === 'string' ? undefined : getText(fields, payeeNameField)?.trim();
}
