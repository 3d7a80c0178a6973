import { findSimilarReferences } from '../../../method/find-similar-references.ts';
import { findPaymentReferences, foldReference } from '../../../method/payment-reference.ts';

const textLengthMax = 200;

/**
 * Appends the texts that contain a payment reference, also a mistyped one, to the payer's text. Banks put the
 * payer's text into names, IDs and fields of their own. Other texts are left out, because they are not what the
 * payer wrote.
 */
export function appendReferences(reference: string, otherTexts: readonly (string | undefined)[]): string {
  return otherTexts.reduce<string>((all, text) => {
    if (!text || (text.length <= textLengthMax && all.includes(text))) return all;
    const folded = foldReference(text);
    const known = foldReference(all);
    const references = findPaymentReferences(folded);
    const isUnknown = (found: string[], knownReferences: string[]) =>
      found.some((one) => !knownReferences.includes(one));
    if (isUnknown(references, findPaymentReferences(known))) {
      // A long text is not copied: only its payment references are needed.
      return [all, text.length <= textLengthMax ? text : references.join(' ')].filter(Boolean).join(' ');
    }
    const isMistyped =
      text.length <= textLengthMax &&
      references.length === 0 &&
      isUnknown(findSimilarReferences(folded), findSimilarReferences(known));
    return isMistyped ? [all, text].filter(Boolean).join(' ') : all;
  }, reference);
}
