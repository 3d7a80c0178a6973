import { metadataWords } from './csv-words.ts';

type MetadataKind = keyof typeof metadataWords;

/**
 * A label in a row outside a table, with the texts that may be its value: the rest of its cell, and the next cells that
 * are not blank.
 */
export type LabelledText = { kind: MetadataKind; rest: string; nextCells: string[] };

const cellLengthMax = 200;
const nextCellsMax = 20;

/** The longest words come first, because some begin with another one. */
const labels = Object.entries(metadataWords)
  .flatMap(([kind, words]) =>
    words.map((word) => ({ word: normalize(word).toLowerCase(), kind: kind as MetadataKind })),
  )
  .toSorted((a, b) => b.word.length - a.word.length);

/** Finds the labels in a row. A cell may have several, separated by semicolons or line breaks. */
export function findLabels(cells: readonly string[]): LabelledText[] {
  const texts = cells.filter((cell) => /[\p{L}\p{N}]/u.test(cell));
  return texts.flatMap((text, index) => {
    // Limited, so that the time grows linearly with the number of cells.
    const nextCells = texts.slice(index + 1, index + 1 + nextCellsMax);
    const parts = text.slice(0, cellLengthMax).split(/[;\n]/);
    return parts.flatMap((part) => findLabel(part, nextCells) ?? []);
  });
}

function findLabel(text: string, nextCells: string[]): LabelledText | undefined {
  const label = matchLabel(normalize(text));
  if (!label) return undefined;
  // The label may follow in another language, such as `เลขที่บัญชี / Account No.`.
  const other = matchLabel(label.rest.replace(/^[\s/|(]+/, ''));
  const isTranslation =
    other?.kind === label.kind || (label.kind === 'ambiguousAccount' && other?.kind === 'account');
  const { kind, rest } = isTranslation ? other : label;
  return { kind, rest: rest.replace(/^[\s.:=)\]-]+/, ''), nextCells };
}

function matchLabel(text: string): { kind: MetadataKind; rest: string } | undefined {
  const folded = text.toLowerCase();
  const label = labels.find(
    ({ word }) => folded.startsWith(word) && !/^[\p{L}\p{M}]/u.test(folded.slice(word.length)),
  );
  return label && { kind: label.kind, rest: text.slice(label.word.length) };
}

function normalize(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ').trim();
}
