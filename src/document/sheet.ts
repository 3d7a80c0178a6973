import { buffer } from 'node:stream/consumers';
import PdfDocument from 'pdfkit';
import { encode } from 'uqr';
import { qrOptions } from '../method/qr-png.ts';
import { type FontName, openFont, type TextRun, toRuns } from './fonts.ts';

/** The size of an A4 page and its margin, in points. */
const page = { width: 595.28, height: 841.89, margin: 56 };
export const contentArea = {
  left: page.margin,
  right: page.width - page.margin,
  width: page.width - 2 * page.margin,
  bottom: page.height - page.margin - 24,
};
const lineHeight = 1.45;
/** Keeps the last line on the page if its sum of heights differs by a rounding error. */
const heightTolerance = 0.01;
const defaultStyle = { size: 10 };

export const colors = {
  ink: '#17211e',
  muted: '#55625d',
  accent: '#0e6b5c',
  line: '#dfe4e1',
  note: '#835c04',
};

type TextOptions = {
  size?: number;
  /** A color, or `accent` for the merchant's own. */
  color?: string;
  /** Alignment between `left` and `left + width`. */
  align?: 'left' | 'center' | 'right';
  left?: number;
  width?: number;
  link?: string;
};

/** A document that is written from top to bottom, on as many pages as needed. */
export type Sheet = {
  /** The top of the next line. Set `y` back to write next to existing text. */
  y: number;
  /** Writes a text in wrapped lines and moves `y` below it. */
  text(text: string, options?: TextOptions): void;
  /** Returns the height that `text` would use. */
  measureHeight(text: string, options?: TextOptions): number;
  /** Starts a new page if less than `height` is left. */
  ensureSpace(height: number): void;
  /** Draws a PNG picture, and moves `y` below it. */
  image(file: Buffer, options: { height: number; maxWidth: number; isCentered?: boolean }): void;
  /** Draws a centered QR code with its light margin, and moves `y` below it. */
  qrCode(text: string, width: number): void;
  rule(): void;
  end(): Promise<Buffer>;
};

type SheetOptions = {
  title: string;
  author: string;
  language: string;
  createdAt: Date;
  /** The color of titles and links; defaults to that of Causeway. */
  accent?: string;
  /** Printed at the bottom of every page, truncated to one line. */
  footer: string;
};

/** Creates a document. The same input gives identical bytes, because `createdAt` is the only date in the document. */
export function createSheet(options: SheetOptions): Sheet {
  const { language, footer, accent = colors.accent } = options;
  const pdf = openPdf(options);
  const fonts = createFonts(pdf);
  const toLines = (text: string, box: { size: number; width: number }) =>
    text.split('\n').flatMap((paragraph) => wrap(fonts, paragraph, { ...box, language }));
  const sheet: Sheet = {
    y: page.margin,
    measureHeight(text, { size = defaultStyle.size, width = contentArea.width } = {}) {
      return toLines(text, { size, width }).length * size * lineHeight;
    },
    text(text, options = {}) {
      const { size = defaultStyle.size, left = contentArea.left, width = contentArea.width } = options;
      for (const line of toLines(text, { size, width })) {
        sheet.ensureSpace(size * lineHeight);
        const color = options.color === 'accent' ? accent : options.color;
        drawLine(pdf, fonts, line, { ...options, ...(color && { color }), size, left, width, y: sheet.y });
        sheet.y += size * lineHeight;
      }
    },
    image(file, { height, maxWidth, isCentered }) {
      const left = isCentered ? (page.width - maxWidth) / 2 : contentArea.left;
      const align = isCentered ? { align: 'center' as const } : {};
      pdf.image(file, left, sheet.y, { fit: [maxWidth, height], valign: 'center', ...align });
      sheet.y += height + 14;
    },
    qrCode(text, width) {
      drawQrCode(pdf, text, { left: (page.width - width) / 2, top: sheet.y, width });
      sheet.y += width;
    },
    ensureSpace(height) {
      if (sheet.y + height <= contentArea.bottom + heightTolerance) return;
      pdf.addPage();
      sheet.y = page.margin;
    },
    rule() {
      pdf
        .moveTo(contentArea.left, sheet.y)
        .lineTo(contentArea.right, sheet.y)
        .lineWidth(0.75)
        .stroke(colors.line);
    },
    end() {
      writeFooters(
        pdf,
        fonts,
        wrap(fonts, footer, { ...footerLayout, width: contentArea.width - 50, language })[0]!,
      );
      return finish(pdf);
    },
  };
  return sheet;
}

/** Draws the dark modules of the code as one path, so that viewers show no lines between them. */
function drawQrCode(
  pdf: PDFKit.PDFDocument,
  text: string,
  { left, top, width }: { left: number; top: number; width: number },
): void {
  const { data, size } = encode(text, qrOptions);
  const side = width / size;
  for (const [y, row] of data.entries()) {
    for (const [x, isDark] of row.entries())
      if (isDark) pdf.rect(left + x * side, top + y * side, side, side);
  }
  pdf.fill('#000');
}

function openPdf({ title, author, language, createdAt }: SheetOptions): PDFKit.PDFDocument {
  return new PdfDocument({
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
}

type Fonts = {
  use: (name: FontName, size: number) => void;
  measureWidth: (runs: TextRun[], size: number) => number;
};

/** Embeds each font when it is first needed. */
function createFonts(pdf: PDFKit.PDFDocument): Fonts {
  const registered = new Set<FontName>();
  const use = (name: FontName, size: number) => {
    if (!registered.has(name)) {
      // `registerFont` also accepts an opened font, but its type does not say so.
      pdf.registerFont(name, openFont(name) as unknown as Buffer);
      registered.add(name);
    }
    pdf.font(name).fontSize(size);
  };
  const measureWidth = (runs: TextRun[], size: number) =>
    runs.reduce((sum, run) => {
      use(run.font, size);
      return sum + pdf.widthOfString(run.text);
    }, 0);
  return { use, measureWidth };
}

/**
 * Wraps a text into lines no wider than `width`. Lines break between words, also in languages without
 * spaces. A word that is wider than a line breaks anywhere.
 */
function wrap(
  fonts: Fonts,
  text: string,
  { size, width, language }: { size: number; width: number; language: string },
): TextRun[][] {
  const lines: string[] = [];
  let line = '';
  let lineWidth = 0;
  const append = (piece: string) => {
    // Trailing spaces may exceed the width.
    if (line !== '' && lineWidth + measurePiece(piece.trimEnd()) > width) {
      lines.push(line);
      [line, lineWidth] = ['', 0];
    }
    const visiblePiece = line === '' ? piece.trimStart() : piece;
    line += visiblePiece;
    lineWidth += measurePiece(visiblePiece);
  };
  const measurePiece = (piece: string) => fonts.measureWidth(toRuns(piece), size);
  for (const piece of splitIntoUnbreakablePieces(text, language)) {
    if (measurePiece(piece.trimEnd()) <= width) append(piece);
    else for (const { segment } of new Intl.Segmenter(language).segment(piece)) append(segment);
  }
  return [...lines, line].map((wrappedLine) => toRuns(wrappedLine.trimEnd()));
}

/** Splits a text into words, each with the punctuation that must not start a line. */
function splitIntoUnbreakablePieces(text: string, language: string): string[] {
  const pieces: string[] = [];
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    const lastPiece = pieces.at(-1);
    const isJoined = lastPiece !== undefined && !/\s$/.test(lastPiece) && !isWordLike;
    if (isJoined) pieces[pieces.length - 1] = lastPiece + segment;
    else pieces.push(segment);
  }
  return pieces;
}

type LineLayout = TextOptions & { size: number; left: number; width: number; y: number };

/** Draws all runs of a line on one baseline, because fonts have different metrics. */
function drawLine(pdf: PDFKit.PDFDocument, fonts: Fonts, runs: TextRun[], layout: LineLayout): void {
  const { size, left, width, y, align = 'left', color = colors.ink, link } = layout;
  const lineWidth = fonts.measureWidth(runs, size);
  let x = left + { left: 0, center: (width - lineWidth) / 2, right: width - lineWidth }[align];
  if (link !== undefined) pdf.link(x, y, lineWidth, size * lineHeight, link);
  for (const run of runs) {
    fonts.use(run.font, size);
    pdf.fillColor(color).text(run.text, x, y + size * 1.05, { lineBreak: false, baseline: 'alphabetic' });
    x += pdf.widthOfString(run.text);
  }
}

const footerLayout = {
  size: 8,
  color: colors.muted,
  left: contentArea.left,
  width: contentArea.width,
  y: page.height - page.margin,
};

function writeFooters(pdf: PDFKit.PDFDocument, fonts: Fonts, footer: TextRun[]): void {
  const { start, count } = pdf.bufferedPageRange();
  for (let i = start; i < start + count; i++) {
    pdf.switchToPage(i);
    drawLine(pdf, fonts, footer, footerLayout);
    if (count > 1) {
      drawLine(pdf, fonts, toRuns(`${i + 1} / ${count}`), { ...footerLayout, align: 'right' });
    }
  }
}

function finish(pdf: PDFKit.PDFDocument): Promise<Buffer> {
  const bytes = buffer(pdf);
  pdf.end();
  return bytes;
}
