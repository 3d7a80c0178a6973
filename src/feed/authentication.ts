/**
 * The time that a sender signs, in a separate header or as `{timestamp}` in the pattern of the signature's
 * header.
 */
type FeedTimestamp = {
  header?: string | undefined;
  unit: 'seconds' | 'milliseconds' | 'iso';
};

type SignedHeader = {
  header: string;
  /** The pattern of the header's value: fixed text with `{signature}` and, optionally, `{timestamp}`. */
  pattern: string;
  encoding: 'hex' | 'base64';
  /** The signed text, with the placeholders of `signedTextParts` in braces. */
  signedText: string;
  timestamp?: FeedTimestamp | undefined;
};

/** The ways in which a sender authenticates. A feed may require several. */
export type FeedAuthentication =
  | ({ scheme: 'hmac'; algorithm: 'sha256' | 'sha512' } & SignedHeader)
  | ({ scheme: 'rsa' } & SignedHeader)
  /** A detached JWS (RS256) over the body: the signature alone, or `header..signature`. */
  | { scheme: 'jws'; header: string }
  /** A static key. An optional one is required only if the merchant has entered a key. */
  | { scheme: 'key'; header: string; pattern: string; isOptional?: boolean | undefined }
  | { scheme: 'basic' };

/** How well a feed's deliveries are authenticated. `connection`: the service fetches them. */
export type FeedTrust = 'signature' | 'key' | 'connection' | 'none';

export type FeedCredentials = {
  /** The shared secret of HMAC signatures. */
  secret?: string | undefined;
  /** The public key of RSA and JWS signatures; see `readPublicKey`. */
  publicKey?: string | undefined;
  /** The static key, the password of HTTP Basic authentication or SFTP, or the access token of the bank's API. */
  key?: string | undefined;
  username?: string | undefined;
  /** The private key of the sandbox's simulator, if no bank signs. */
  simulatorKey?: string | undefined;
  /** Credentials of the bank's API, with which payments are confirmed or transactions fetched. */
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  /** The private key for SFTP, as an alternative to a password in `key`, and its passphrase. */
  privateKey?: string | undefined;
  passphrase?: string | undefined;
  /** The OpenPGP key that decrypts fetched files, its passphrase, and the key that must have signed them. */
  pgpPrivateKey?: string | undefined;
  pgpPassphrase?: string | undefined;
  pgpPublicKey?: string | undefined;
};

export type FeedRequest = {
  method: string;
  path: string;
  /** Names are in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  body: Buffer;
};

export type FeedRejection =
  | 'address_not_allowed'
  | 'body_too_large'
  | 'credentials_missing'
  | 'credentials_invalid'
  | 'signature_missing'
  | 'signature_invalid'
  | 'timestamp_missing'
  | 'timestamp_stale';

/** A signature proves body and sender; a key proves only the sender. */
export function getFeedTrust(authentications: readonly FeedAuthentication[]): FeedTrust {
  if (authentications.some(({ scheme }) => ['hmac', 'rsa', 'jws'].includes(scheme))) return 'signature';
  return authentications.length > 0 ? 'key' : 'none';
}

export function listRequiredCredentials(
  authentications: readonly FeedAuthentication[],
): (keyof FeedCredentials)[] {
  return [
    ...new Set(
      authentications.flatMap((authentication): (keyof FeedCredentials)[] => {
        if (authentication.scheme === 'hmac') return ['secret'];
        if (authentication.scheme === 'rsa' || authentication.scheme === 'jws') return ['publicKey'];
        if (authentication.scheme === 'basic') return ['username', 'key'];
        return authentication.isOptional ? [] : ['key'];
      }),
    ),
  ];
}

/** Returns the headers whose values are credentials, in lower case; they are not stored. */
export function listCredentialHeaders(authentications: readonly FeedAuthentication[]): string[] {
  const headers = authentications.flatMap((authentication) =>
    authentication.scheme === 'key' ? [authentication.header.toLowerCase()] : [],
  );
  return ['authorization', 'cookie', 'proxy-authorization', ...headers];
}
