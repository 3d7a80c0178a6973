import { t } from '../language/texts.ts';

/** Joins the items of a list with the separator of the language. */
export function formatList(items: readonly string[]): string {
  return items.join(t.common.listSeparator);
}
