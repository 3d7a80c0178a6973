import { findSimilarReferences } from '../../../../method/find-similar-references.ts';
import { findPaymentReferences, foldReference } from '../../../../method/payment-reference.ts';

/** Longer texts are not copied; only their payment references are. */
const copiedLengthMax = 200;
/** A fast check: most names and IDs have too few letters or digits for a reference with one typing error. */
const mayHaveReference = (text: string) =>
  (text.match(/\p{L}/gu)?.length ?? 0) >= 3 && (text.match(/\p{N}/gu)?.length ?? 0) >= 4;

/**
 * Appends the texts that contain a payment reference, also a mistyped one, to the payer's text. Banks put the
 * payer's text into names, IDs and fields of their own. Other texts are left out, because they are not what the
 * payer wrote.
 */
export function appendReferences(reference: string, otherTexts: readonly (string | undefined)[]): string {
  return otherTexts.reduce<string>((all, text) => {
    if (!text || !mayHaveReference(text) || (text.length <= copiedLengthMax && all.includes(text)))
      return all;
    const addedText = getAddedText(all, text);
    return addedText === undefined ? all : [all, addedText].filter(Boolean).join(' ');
  }, reference);
}

function getAddedText(known: string, text: string): string | undefined {
  const folded = foldReference(text);
  const isShort = text.length <= copiedLengthMax;
  const references = findPaymentReferences(folded);
  if (references.length > 0) {
    const knownReferences = findPaymentReferences(foldReference(known));
    const newReferences = references.filter((reference) => !knownReferences.includes(reference));
    if (newReferences.length === 0) return undefined;
    return isShort ? text : newReferences.join(' ');
  }
  const similar = isShort ? findSimilarReferences(folded) : [];
  if (similar.length === 0) return undefined;
  const knownSimilar = findSimilarReferences(foldReference(known));
  return similar.some((reference) => !knownSimilar.includes(reference)) ? text : undefined;
}
