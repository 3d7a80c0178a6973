import { createHash } from 'node:crypto';
import type { Db, Tx } from '../../../kit/db.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import { decodePng, encodeRgbPng, PngError } from '../../../kit/png.ts';

const logoBytesMax = 128 * 1024;
/** The maximum size after encoding, which is less compact than that of image editors. */
const storedBytesMax = 256 * 1024;
const logoSideMax = 512;
const logoSideMin = 32;

/** A logo as stored. The key contains its width and height. */
type LogoFile = { key: string; bytes: Buffer };

const keyPattern = /^[\w-]+$/;

/**
 * Reads an uploaded logo, a PNG file in Base64, and encodes its pixels again. The stored file therefore contains
 * nothing else of the upload, such as metadata or the code of a script. Throws `invalid_request`.
 */
export function parseLogo(base64: string, merchantId: string): LogoFile {
  const file = Buffer.from(base64, 'base64');
  if (file.length > logoBytesMax)
    throw invalidInputError('/logo', `must be a file of at most ${logoBytesMax / 1024} KiB`);
  const image = decodeLogo(file);
  if (Math.min(image.width, image.height) < logoSideMin)
    throw invalidInputError('/logo', `must be at least ${logoSideMin} pixels wide and high`);
  const bytes = encodeRgbPng(image);
  if (bytes.length > storedBytesMax)
    throw invalidInputError('/logo', 'is too detailed: use a smaller picture');
  const hash = createHash('sha256').update(merchantId).update(bytes).digest('base64url').slice(0, 24);
  return { key: `${hash}-${image.width}x${image.height}`, bytes };
}

function decodeLogo(file: Buffer) {
  try {
    return decodePng(file, { sideMax: logoSideMax });
  } catch (error) {
    if (error instanceof PngError) throw invalidInputError('/logo', `${error.message}: use a PNG file`);
    throw error;
  }
}

/** Replaces the merchant's logo, or removes it. */
export async function storeLogo(tx: Tx, merchantId: string, logo: LogoFile | undefined): Promise<void> {
  await tx.merchantLogo.deleteMany({ where: { merchantId } });
  if (!logo) return;
  const { key, bytes } = logo;
  await tx.merchantLogo.create({ data: { key, merchantId, bytes: new Uint8Array(bytes) } });
}

/** Returns the PNG file of a logo. Anyone may see it. Error: `route_not_found`. */
export async function getLogo(db: Pick<Db, 'prisma'>, key: string): Promise<Buffer> {
  // PostgreSQL rejects some characters, such as U+0000, that no key contains.
  const logo = keyPattern.test(key) && (await db.prisma.merchantLogo.findUnique({ where: { key } }));
  if (!logo) throw new DomainError('route_not_found', `Logo not found: ${key}`);
  return Buffer.from(logo.bytes);
}
