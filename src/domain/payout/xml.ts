/** An element: its name, its attributes, and its text or the elements in it; undefined ones are left out. */
export type Xml = {
  name: string;
  attributes?: Record<string, string>;
  content: string | readonly (Xml | undefined)[];
};

export function element(name: string, content: Xml['content'], attributes?: Xml['attributes']): Xml {
  return { name, content, ...(attributes && { attributes }) };
}

/** The element as a document of XML 1.0 in UTF-8. */
export function printXml(root: Xml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${print(root)}\n`;
}

function print({ name, attributes = {}, content }: Xml): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const inner =
    typeof content === 'string'
      ? escapeXml(content)
      : content.map((one) => (one === undefined ? '' : print(one))).join('');
  return `<${name}${given.join('')}>${inner}</${name}>`;
}

/** Characters that XML 1.0 knows no way to write are left out. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
