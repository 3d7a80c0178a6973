import type { Html } from '../html.ts';
import type { Reader } from '../reader.ts';
import type { ChooseInput, Offer } from './offer.ts';
import { textField } from './text-field.ts';

/** `hint`: what the address is for, where that is more than questions. */
export function emailField(
  { strings: { choose } }: Reader,
  offer: Offer,
  input: ChooseInput | undefined,
  hint = choose.emailHint,
): Html {
  return textField({
    name: 'email',
    type: 'email',
    inputMode: 'email',
    autocomplete: 'email',
    maxLength: 254,
    label: choose.email,
    hint,
    fault: input?.faults.email,
    value: input?.email ?? offer.prefill?.email ?? '',
  });
}
