import { escapeHtml } from '../kit/escape-html.ts';

/** A symbol, because nothing that was parsed from JSON can carry one. */
const markup = Symbol('markup');

/** Markup that is safe to send: every value in it has been escaped, or was markup already. */
export type Html = { readonly [markup]: string };

/** What may stand in a template: text is escaped; nothing (`''`) comes of null, undefined and false. */
export type HtmlValue = Html | string | number | bigint | null | undefined | false | readonly HtmlValue[];

/**
 * Makes markup from a template. Values are escaped for text and for quoted attributes, so an attribute's value always
 * stands in quotes: html`<a href="${address}">${name}</a>`. Lists are joined without a separator.
 */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let text = parts[0] ?? '';
  for (const [i, value] of values.entries()) text += toMarkup(value) + parts[i + 1];
  return { [markup]: text };
}

/** Markup that did not come from a template, such as a QR picture of our own making. Never for text from outside. */
export function raw(text: string): Html {
  return { [markup]: text };
}

/** The text to send. */
export function renderToString(page: Html): string {
  return page[markup];
}

function toMarkup(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (isList(value)) return value.map(toMarkup).join('');
  return typeof value === 'object' ? value[markup] : escapeHtml(String(value));
}

function isList(value: HtmlValue): value is readonly HtmlValue[] {
  return Array.isArray(value);
}
