import sax from 'sax';
import { splitIntoBlocks } from '../kit/split-into-blocks.ts';
import { decodeText, type TextPiece } from './decode-text.ts';
import { invalidStatementError } from './invalid-statement.ts';
import { detectXmlEncoding } from './xml-encoding.ts';

/** An opening tag. `name` has no prefix; `namespace` is empty if there is none. */
export type XmlTag = {
  name: string;
  namespace: string;
  attributes: Map<string, string>;
  line: number;
  isRoot: boolean;
};

/** Callbacks in document order. `close` ends the innermost open element. */
export type XmlHandler = { open(tag: XmlTag): void; text(text: string): void; close(line: number): void };

type XmlLimits = { depth: number; attributes: number; textLength: number };

/** The limits are far above what any statement needs, and far below what would exhaust memory. */
const limits: XmlLimits = { depth: 100, attributes: 100, textLength: 65_536 };

const blockSize = 64 * 1024;

/**
 * The parser rescans a whole markup declaration for each of its characters: 50,000 characters took 14 seconds. So the
 * parser gets small chunks, and the text before the end of a declaration may only be long enough to identify a comment,
 * CDATA or a document type.
 */
const chunkSize = 1_024;
const declarationLengthMax = 16;

const emptyNamespaces = Object.freeze({});

/** Characters that XML 1.0 forbids everywhere. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
const forbiddenCharacter = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

/**
 * Parses XML as a stream: decodes it, checks well-formedness and namespaces, and calls `handler`. Several documents
 * may follow one after the other, because banks and scripts append files. Yields after each block of 64 KiB, so
 * that the caller can pass on collected data. Rejects document type declarations, so that no entity can be
 * declared, expanded or fetched.
 */
export async function* readXml(source: AsyncIterable<Uint8Array>, handler: XmlHandler): AsyncGenerator<void> {
  const state: XmlReaderState = {
    piece: { text: '', line: 1 },
    attributes: new Map(),
    depth: 0,
    textLength: 0,
    hasRoot: false,
  };
  const parser = createParser(state, handler);
  for await (const rawPiece of readXmlText(source)) {
    const piece = { ...rawPiece, text: withoutInnerMarks(rawPiece.text) };
    checkCharacters(piece);
    state.piece = piece;
    for (let at = 0; at < piece.text.length; at += chunkSize) {
      parser.write(piece.text.slice(at, at + chunkSize));
      checkUnclosedMarkup(parser, piece);
    }
    yield;
  }
  const openElement = parser.tags?.at(-1);
  if (openElement)
    throw invalidStatementError(
      parser.line + 1,
      `the file ends inside <${openElement.name.slice(0, 80)}>: it is truncated`,
    );
  if (!state.hasRoot) throw invalidStatementError(parser.line + 1, 'the file contains no XML element');
  parser.close();
}

/** Removes the byte order marks of further documents, whose `<?xml` may begin at the end of a piece. */
function withoutInnerMarks(text: string): string {
  if (!text.includes('\uFEFF')) return text;
  return text
    .split(/(<\?xml|<\??$)/)
    .map((part) => {
      const end = part.trimEnd().length;
      return part.slice(0, end) + part.slice(end).replaceAll('\uFEFF', '');
    })
    .join('');
}

/** Rejects constructs that the parser reports only at their end, which may never come. */
function checkUnclosedMarkup(parser: XmlParser, piece: TextPiece): void {
  const { doctype, sgmlDecl, attribList } = parser;
  if (doctype) throw doctypeError(piece);
  if ((sgmlDecl?.length ?? 0) > declarationLengthMax) throw declarationError(parser.line + 1);
  // The parser buffers attributes until their tag ends; an endless tag must not exhaust memory.
  if ((attribList?.length ?? 0) > limits.attributes) throw attributeError(parser.line + 1);
}

async function* readXmlText(source: AsyncIterable<Uint8Array>): AsyncGenerator<TextPiece> {
  const blocks = splitIntoBlocks(source, { size: blockSize });
  const first = await blocks.next();
  if (first.done) throw invalidStatementError(1, 'the file is empty');
  const { encoding, markSize } = detectXmlEncoding(first.value);
  const rest = async function* () {
    yield first.value.subarray(markSize);
    yield* blocks;
  };
  yield* decodeText(rest(), { encoding });
}

/** The parser with properties that are missing from its types. */
type XmlParser = sax.SAXParser & {
  doctype?: string | true;
  sgmlDecl?: string;
  attribList?: unknown[];
  tags?: { name: string }[];
  closedRoot?: boolean;
};

/** The state of the checks for one file. */
type XmlReaderState = {
  piece: TextPiece;
  attributes: Map<string, string>;
  depth: number;
  textLength: number;
  hasRoot: boolean;
};

function createParser(state: XmlReaderState, handler: XmlHandler): XmlParser {
  const parser: XmlParser = sax.parser(true, { xmlns: true, position: true });
  // The parser looks up entity names in an object, which must have no prototype: otherwise `&constructor;` would be an
  // entity.
  parser.ENTITIES = Object.assign(Object.create(null), { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" });
  const line = () => parser.line + 1;
  parser.onerror = (error) => {
    throw invalidStatementError(line(), `not well-formed XML: ${error.message.split('\n')[0]}`);
  };
  parser.ondoctype = () => {
    throw doctypeError(state.piece);
  };
  parser.onsgmldeclaration = () => {
    throw declarationError(line());
  };
  parser.onopentagstart = () => {
    // The parser itself expects only one root element.
    parser.closedRoot = false;
    state.attributes = new Map();
  };
  parser.onattribute = ({ name, value }) => {
    if (state.attributes.has(name))
      throw invalidStatementError(line(), `not well-formed XML: the attribute ${name} occurs twice`);
    if (state.attributes.size >= limits.attributes) throw attributeError(line());
    state.attributes.set(name, value);
  };
  parser.onopentag = (tag) => openTag(state, handler, tag as sax.QualifiedTag, line());
  parser.onclosetag = () => {
    // After this, the parser would copy all namespaces in scope, which takes a sixth of the time and is not needed
    // here.
    (parser.tag as { ns?: object }).ns = emptyNamespaces;
    state.depth -= 1;
    state.textLength = 0;
    handler.close(line());
  };
  parser.ontext = (text) => addText(state, handler, text, line());
  parser.oncdata = parser.ontext;
  return parser;
}

function openTag(state: XmlReaderState, handler: XmlHandler, tag: sax.QualifiedTag, line: number): void {
  if (state.depth >= limits.depth)
    throw invalidStatementError(line, `elements are nested more than ${limits.depth} levels deep`);
  // An unbound prefix such as `toString` is found on the prototype of the parser's table, but its value is not a text.
  if (typeof tag.uri !== 'string') {
    throw invalidStatementError(line, `not well-formed XML: unbound namespace prefix in <${tag.name}>`);
  }
  const isRoot = state.depth === 0;
  state.hasRoot = true;
  state.depth += 1;
  state.textLength = 0;
  handler.open({ name: tag.local, namespace: tag.uri, attributes: state.attributes, line, isRoot });
}

function addText(state: XmlReaderState, handler: XmlHandler, text: string, line: number): void {
  state.textLength += text.length;
  if (state.textLength > limits.textLength) {
    throw invalidStatementError(
      line,
      `the text of an element is longer than ${limits.textLength} characters`,
    );
  }
  if (state.depth > 0) handler.text(text);
  else if (text.trim() !== '')
    throw invalidStatementError(line, 'not well-formed XML: text outside of the root element');
}

function attributeError(line: number): Error {
  return invalidStatementError(line, `a tag has more than ${limits.attributes} attributes`);
}

function declarationError(line: number): Error {
  return invalidStatementError(line, 'markup declarations (<!…>) are not allowed');
}

function doctypeError({ text, line }: TextPiece): Error {
  const before = text.slice(0, Math.max(0, text.search(/<!doctype/i)));
  return invalidStatementError(
    line + before.split('\n').length - 1,
    'document type declarations (DTD) are not allowed',
  );
}

function checkCharacters({ text, line }: TextPiece): void {
  const at = text.search(forbiddenCharacter);
  if (at === -1) return;
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  throw invalidStatementError(
    line + text.slice(0, at).split('\n').length - 1,
    `character U+${code} is not allowed in XML`,
  );
}
