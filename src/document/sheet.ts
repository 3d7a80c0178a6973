import { buffer } from 'node:stream/consumers';
import PdfDocument from 'pdfkit';
import { type FontName, openFont, type Run, toRuns } from './fonts.ts';

/** A4 in points. */
const page = { width: 595.28, height: 841.89, margin: 56 };
export const inner = {
  left: page.margin,
  right: page.width - page.margin,
  width: page.width - 2 * page.margin,
};
const bottom = page.height - page.margin - 24;
const lineHeight = 1.45;
const preset = { size: 10 };

export const colors = {
  ink: '#17211e',
  muted: '#55625d',
  accent: '#0e6b5c',
  line: '#dfe4e1',
  note: '#835c04',
};

type TextOptions = {
  size?: number;
  color?: string;
  /** Where it stands between `left` and `left + width`. */
  align?: 'left' | 'right';
  left?: number;
  width?: number;
  link?: string;
};

/** A document being written from top to bottom, on as many pages as it needs. */
export type Sheet = {
  /** Where the next line begins; set back to write beside what stands already. */
  y: number;
  /** Writes a text in lines; the next begins below it. */
  text(text: string, options?: TextOptions): void;
  /** How high a text is written so. */
  heightOf(text: string, options?: TextOptions): number;
  /** Begins a new page where there is no room for so much more. */
  keep(height: number): void;
  rule(): void;
  end(): Promise<Buffer>;
};

type Facts = {
  title: string;
  author: string;
  language: string;
  createdAt: Date;
  /** At the bottom of every page, as far as it fits on a line. */
  foot: string;
};

/** Begins a document. The same facts and texts give the same bytes: all that it is dated by is given. */
export function openSheet({ title, author, language, createdAt, foot }: Facts): Sheet {
  const pdf = new PdfDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: true,
    bufferPages: true,
    lang: language,
    displayTitle: true,
    pdfVersion: '1.7',
    info: {
      Title: title,
      Author: author,
      CreationDate: createdAt,
      ModDate: createdAt,
      Producer: 'Causeway',
      Creator: 'Causeway',
    },
  });
  const fonts = createFonts(pdf);
  const linesOf = (text: string, room: { size: number; width: number }) =>
    text.split('\n').flatMap((one) => wrap(fonts, one, { ...room, language }));
  const sheet: Sheet = {
    y: page.margin,
    heightOf(text, { size = preset.size, width = inner.width } = {}) {
      return linesOf(text, { size, width }).length * size * lineHeight;
    },
    text(text, options = {}) {
      const { size = preset.size, left = inner.left, width = inner.width } = options;
      for (const line of linesOf(text, { size, width })) {
        sheet.keep(size * lineHeight);
        drawLine(pdf, fonts, line, { ...options, size, left, width, y: sheet.y });
        sheet.y += size * lineHeight;
      }
    },
    keep(height) {
      if (sheet.y + height <= bottom) return;
      pdf.addPage();
      sheet.y = page.margin;
    },
    rule() {
      pdf.moveTo(inner.left, sheet.y).lineTo(inner.right, sheet.y).lineWidth(0.75).stroke(colors.line);
    },
    end() {
      writeFeet(pdf, fonts, wrap(fonts, foot, { ...footPlace, width: inner.width - 50, language })[0]!);
      return finish(pdf);
    },
  };
  return sheet;
}

type Fonts = { use: (name: FontName, size: number) => void; widthOf: (runs: Run[], size: number) => number };

/** Each font is put into the document when a text first needs it. */
function createFonts(pdf: PDFKit.PDFDocument): Fonts {
  const registered = new Set<FontName>();
  const use = (name: FontName, size: number) => {
    if (!registered.has(name)) {
      // It takes an opened font too, which its types do not know.
      pdf.registerFont(name, openFont(name) as unknown as Buffer);
      registered.add(name);
    }
    pdf.font(name).fontSize(size);
  };
  const widthOf = (runs: Run[], size: number) =>
    runs.reduce((sum, run) => {
      use(run.font, size);
      return sum + pdf.widthOfString(run.text);
    }, 0);
  return { use, widthOf };
}

/** Divides a text into lines no wider than asked: between words, also of languages that put no spaces; else anywhere. */
function wrap(
  fonts: Fonts,
  text: string,
  { size, width, language }: { size: number; width: number; language: string },
): Run[][] {
  const lines: string[] = [];
  let line = '';
  let length = 0;
  const put = (piece: string) => {
    // A space at the end of a line may stand over.
    if (line !== '' && length + widthOf(piece.trimEnd()) > width) {
      lines.push(line);
      [line, length] = ['', 0];
    }
    const shown = line === '' ? piece.trimStart() : piece;
    line += shown;
    length += widthOf(shown);
  };
  const widthOf = (piece: string) => fonts.widthOf(toRuns(piece), size);
  for (const piece of unbreakable(text, language)) {
    if (widthOf(piece.trimEnd()) <= width) put(piece);
    else for (const { segment } of new Intl.Segmenter(language).segment(piece)) put(segment);
  }
  return [...lines, line].map((one) => toRuns(one.trimEnd()));
}

/** Words with the punctuation that must not begin a line. */
function unbreakable(text: string, language: string): string[] {
  const pieces: string[] = [];
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    const last = pieces.at(-1);
    const joins = last !== undefined && !/\s$/.test(last) && !isWordLike;
    if (joins) pieces[pieces.length - 1] = last + segment;
    else pieces.push(segment);
  }
  return pieces;
}

type Placed = TextOptions & { size: number; left: number; width: number; y: number };

/** All runs of a line stand on one base line, whatever their fonts say of themselves. */
function drawLine(pdf: PDFKit.PDFDocument, fonts: Fonts, runs: Run[], placed: Placed): void {
  const { size, left, width, y, align = 'left', color = colors.ink, link } = placed;
  const length = fonts.widthOf(runs, size);
  let x = align === 'right' ? left + width - length : left;
  if (link !== undefined) pdf.link(x, y, length, size * lineHeight, link);
  for (const run of runs) {
    fonts.use(run.font, size);
    pdf.fillColor(color).text(run.text, x, y + size * 1.05, { lineBreak: false, baseline: 'alphabetic' });
    x += pdf.widthOfString(run.text);
  }
}

const footPlace = {
  size: 8,
  color: colors.muted,
  left: inner.left,
  width: inner.width,
  y: page.height - page.margin,
};

function writeFeet(pdf: PDFKit.PDFDocument, fonts: Fonts, foot: Run[]): void {
  const { start, count } = pdf.bufferedPageRange();
  for (let i = start; i < start + count; i++) {
    pdf.switchToPage(i);
    drawLine(pdf, fonts, foot, footPlace);
    if (count > 1) {
      drawLine(pdf, fonts, toRuns(`${i + 1} / ${count}`), { ...footPlace, align: 'right' });
    }
  }
}

function finish(pdf: PDFKit.PDFDocument): Promise<Buffer> {
  const bytes = buffer(pdf);
  pdf.end();
  return bytes;
}
