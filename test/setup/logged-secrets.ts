/**
 * The log of all that the tests start is read line by line as it is written, at its most talkative: a secret, or a
 * customer's address, in it fails the file whose tests wrote it.
 */

/** What no line of a log may have, by what it is. */
const forbidden: Record<string, RegExp> = {
  'an API secret': /\bcs_(?:live|test)_[\w-]{20,}/,
  'a signing secret': /\bwhsec_[\w+/=-]{20,}/,
  credentials: /\b(?:basic|bearer) +[\w.~+/=-]{24,}/i,
  'a cookie': /\bcauseway[_-](?:session|browser|made_\w+)=[\w-]{20,}/,
  'a token of a page or client': /\b[a-z]{2,5}_\w{10,}\.[\w-]{43}\b/,
  'a token in a query': /\b(?:cancelToken|charge|confirm|token)=[\w.-]{20,}/i,
  'a link of a mail': /\/dashboard\/[\w-]+#[\w-]{20,}/,
  'a private key': /PRIVATE KEY/,
  'a hash of a password': /\$argon2/,
  'a database’s password': /\bpostgres(?:ql)?:\/\/[^\s:@/]+:[^\s@/]+@/,
  'the secret of the tests': /the secret of the tests/,
  'a password of the tests': /correct horse battery staple|tea leaves at dawn/,
  'an address of a customer': /\w@example\.com/i,
};

/** What is forbidden in a text. */
export function secretsIn(text: string): string[] {
  return Object.entries(forbidden)
    .filter(([, pattern]) => pattern.test(text))
    .map(([name]) => name);
}

const found: string[] = [];

/** Takes note of what a log says that it may not. */
export function readLog(text: string): void {
  const secrets = secretsIn(text);
  if (secrets.length > 0) found.push(`${secrets.join(', ')}: ${text}`);
}

/** What was logged since, and may not be, fails whoever asks. */
export function refuseLoggedSecrets(): void {
  const lines = found.splice(0);
  if (lines.length > 0) throw new Error(`The log tells secrets:\n${lines.slice(0, 5).join('\n')}`);
}

/** Reads a stream of a process line by line. */
export function lineReader(): (chunk: unknown) => void {
  let rest = '';
  return (chunk) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) readLog(line);
  };
}
