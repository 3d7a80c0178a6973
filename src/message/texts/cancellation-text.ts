import { type Brand, getDisplayName } from '../../kit/brand.ts';
import { fillText } from '../../language/fill-text.ts';
import { type Language, languages } from '../../language/languages.ts';
import { shortName } from './short-name.ts';

type CancellationTextFacts = { merchant: Pick<Brand, 'name' | 'displayName'>; plan: string; url: string };

const segmentsMax = 2;
const nameLengths = [24, 16, 12, 8];

/**
 * The text of an SMS with the link that confirms a cancellation. In at most two segments, it has the longest names
 * that fit, and says what to do with an unexpected message if there is room for that.
 */
export function cancellationText(language: Language, { merchant, plan, url }: CancellationTextFacts): string {
  const { cancellation, unexpected } = languages[language].sms;
  const texts = nameLengths.flatMap((lengthMax) => {
    const names = {
      merchant: shortName(getDisplayName(merchant), lengthMax),
      plan: shortName(plan, lengthMax),
    };
    const text = fillText(cancellation, { ...names, url });
    return [`${text} ${unexpected}`, text];
  });
  return texts.find((text) => countSegments(text) <= segmentsMax) ?? texts.at(-1)!;
}

/** Characters of GSM 03.38 that count once. An SMS with any other character is sent in UCS-2, with shorter segments. */
const gsmText = /^[\w\s@!"#%&'()*+,\-./:;<=>?]*$/;

/** Returns the number of segments of an SMS, each of which is charged like a message. */
export function countSegments(text: string): number {
  const [single, joined] = gsmText.test(text) ? [160, 153] : [70, 67];
  return text.length <= single ? 1 : Math.ceil(text.length / joined);
}
