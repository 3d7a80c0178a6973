import { t } from '../../language/texts.ts';

/** Returns the text of a receiving account form, which the API returns in English, in the user’s language. */
export function translateFormText(text: string): string {
  return t.receivingAccountForms[text] ?? text;
}
