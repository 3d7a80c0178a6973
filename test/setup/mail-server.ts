import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

type ReceivedMail = {
  from: string;
  to: string[];
  /** The whole message with \n line ends. */
  raw: string;
  headers: Map<string, string>;
  /** The decoded parts by their content type, such as `text/plain`. */
  parts: Map<string, string>;
  user: string | undefined;
  isSecure: boolean;
};

export type MailServer = AsyncDisposable & {
  port: number;
  mails: ReceivedMail[];
  connections(): number;
  waitFor(count: number): Promise<ReceivedMail[]>;
  stop(): Promise<void>;
};

type Rejection = { at: 'MAIL FROM' | 'RCPT TO' | 'DATA'; code: number };

type MailServerOptions = {
  port?: number;
  /** Returns how a mail is rejected; undefined to accept the mail. The result may differ between mails. */
  rejectWith?: (recipient: string) => Rejection | undefined;
  /** Runs after a mail was received, before the reply. */
  beforeReply?: () => Promise<void>;
  credentials?: { user: string; password: string };
  secure?: boolean;
  key?: string;
  cert?: string;
  /** Does not offer STARTTLS. */
  hideTls?: boolean;
};

/** The SMTP server is the package of Nodemailer’s authors. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { rejectWith = () => undefined, beforeReply, credentials, key, cert } = options;
  const mails: ReceivedMail[] = [];
  const waiting = new Set<() => void>();
  let connections = 0;
  const toRejectionError = (recipient: string, at: Rejection['at']) => {
    const rejection = rejectWith(recipient);
    return rejection?.at === at
      ? Object.assign(new Error('rejected'), { responseCode: rejection.code })
      : null;
  };
  const server = new SMTPServer({
    logger: false,
    authOptional: credentials === undefined,
    allowInsecureAuth: true,
    secure: options.secure ?? false,
    disabledCommands: options.hideTls ? ['STARTTLS'] : [],
    closeTimeout: 100,
    ...(key !== undefined && { key }),
    ...(cert !== undefined && { cert }),
    onConnect(_session, callback) {
      connections++;
      callback();
    },
    onAuth({ username, password }, _session, callback) {
      const isRight = username === credentials?.user && password === credentials?.password;
      if (isRight) callback(null, { user: username });
      else callback(new Error('wrong'));
    },
    onMailFrom: (_address, _session, callback) => callback(toRejectionError('', 'MAIL FROM')),
    onRcptTo: ({ address }, _session, callback) => callback(toRejectionError(address, 'RCPT TO')),
    async onData(stream, session, callback) {
      const raw = (await text(stream)).replaceAll('\r\n', '\n');
      const { mailFrom, rcptTo } = session.envelope;
      const to = rcptTo.map(({ address }) => address);
      const rejectionError = toRejectionError(to[0] ?? '', 'DATA');
      if (rejectionError) return callback(rejectionError);
      mails.push({
        from: mailFrom ? mailFrom.address : '',
        to,
        raw,
        ...readMail(raw),
        user: session.user as string | undefined,
        isSecure: session.secure,
      });
      for (const check of [...waiting]) check();
      await beforeReply?.();
      callback(null);
    },
  });
  // Clients that reject the certificate disconnect.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    connections: () => connections,
    waitFor: (count) => waitForMails(mails, waiting, count),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function waitForMails(mails: ReceivedMail[], waiting: Set<() => void>, count: number) {
  return new Promise<ReceivedMail[]>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${mails.length} of ${count} mails came`)), 25_000);
    const check = () => {
      if (mails.length < count) return;
      clearTimeout(timer);
      waiting.delete(check);
      resolve(mails);
    };
    waiting.add(check);
    check();
  });
}

function readMail(raw: string): Pick<ReceivedMail, 'headers' | 'parts'> {
  const { headers, body } = splitPart(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1];
  const sections = boundary
    ? body
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((line) => line.slice(1))
    : [raw];
  const parts = sections.map((section) => {
    const part = splitPart(section);
    const type = part.headers.get('content-type')?.split(';')[0] ?? 'text/plain';
    return [type, decode(part.body, part.headers.get('content-transfer-encoding'))] as const;
  });
  return { headers, parts: new Map(parts) };
}

function splitPart(part: string): { headers: Map<string, string>; body: string } {
  const [head = '', ...paragraphs] = part.split('\n\n');
  const lines = head.replace(/\n[ \t]+/g, ' ').split('\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  return { headers, body: paragraphs.join('\n\n') };
}

function decode(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
