import type { ReceivingAccount, Transfer } from '../../../../../prisma/client/client.ts';
import { invalidInputError } from '../../../../kit/errors.ts';
import { checkTrimmed } from '../../../../kit/text.ts';
import type { ExceptionReason } from '../../../payments/allocation/transfer-state.ts';

/** Only a transfer that names no charge is ignored, so that a rule never hides the payment of a charge. */
export const ignorableReasons = [
  'missing_reference',
  'unknown_reference',
] as const satisfies ExceptionReason[];

/** Returns the text of the rule that ignores an unmatched transfer, or undefined if none does. */
export function findIgnoredText(
  { ignoredTexts }: Pick<ReceivingAccount, 'ignoredTexts'>,
  { transfer, reason }: { transfer: Transfer; reason?: ExceptionReason | undefined },
): string | undefined {
  if (!ignorableReasons.some((ignorable) => ignorable === reason)) return undefined;
  return ignoredTexts.find((text) =>
    [transfer.reference, transfer.payerName ?? ''].some((part) => foldCase(part).includes(foldCase(text))),
  );
}

/** Converts only ASCII letters to upper case, as PostgreSQL does for columns with the collation C. */
export function foldCase(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}

const textLengths = { min: 3, max: 100 };

export function parseIgnoredText(text: string): string {
  const trimmed = checkTrimmed(text, '/text', textLengths.max);
  if (trimmed.length < textLengths.min)
    throw invalidInputError('/text', `must have at least ${textLengths.min} characters`);
  return trimmed;
}
