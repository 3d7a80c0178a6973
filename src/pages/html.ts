import { escapeHtml } from '../kit/escape-html.ts';

/** A symbol, so that an object from parsed JSON can never pass as markup. */
const markup = Symbol('markup');

/** Markup that is safe to send, because all values in it are escaped or are markup themselves. */
export type Html = { readonly [markup]: string };

/** The values allowed in a template. Text is escaped; null, undefined and false render as `''`. */
export type HtmlValue = Html | string | number | bigint | null | undefined | false | readonly HtmlValue[];

/**
 * Creates markup from a template. Values are escaped for text and for quoted attributes, so attribute values
 * must always be quoted: html`<a href="${address}">${name}</a>`. Lists are joined without a separator.
 */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let text = parts[0] ?? '';
  for (const [i, value] of values.entries()) text += toMarkup(value) + parts[i + 1];
  return { [markup]: text };
}

/** Wraps trusted markup that we generate without a template, such as a QR code. Never pass external text. */
export function raw(text: string): Html {
  return { [markup]: text };
}

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
