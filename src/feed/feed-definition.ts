import type { CurrencyCode } from '../kit/currency.ts';
import type { FeedAuthentication, FeedCredentials } from './authentication.ts';
import type { FeedMapping } from './feed-mapping.ts';
import type { JsonNode } from './json-document.ts';

/**
 * The evidence on which a preset is based:
 * - `verified`: tested with a sample, or the complete contract, that the vendor published.
 * - `documented`: built from the vendor's public documentation.
 * - `unverified`: built from code or documents of third parties.
 */
export type FeedEvidence = 'verified' | 'documented' | 'unverified';

export type FeedAnswer = { status: number; body: object };

/** A transfer that the simulator sends. `amount` is a decimal with the currency's digits. */
export type FeedSampleInput = {
  id: string;
  /** The account as the bank writes it. */
  account: string;
  amount: string;
  currency: CurrencyCode;
  reference: string;
  payerName: string;
  paidAt: Date;
};

export type FeedSample = {
  /** Appended to the URL of the feed; for a feed with files, the name of the file. */
  path?: string;
  headers?: Record<string, string>;
  body: string;
};

export type FeedPull = {
  /** `files`: statement files, which are imported. `transactions`: JSON of an API, which the mappings read. */
  kind: 'files' | 'transactions';
  /** The default and the minimum number of minutes between two polls. */
  intervalMinutes: number;
  intervalMinutesMin: number;
  /** The members of the settings that the merchant must enter. */
  requiredSettings: readonly ('host' | 'providerAccountId')[];
  requiredCredentials: readonly (keyof FeedCredentials)[];
};

export type FeedDefinition = {
  name: string;
  evidence: FeedEvidence;
  /** The URL at which the format is published. */
  source: string;
  /** The ways in which the sender can authenticate, by name; the first is the default. */
  authentications: Readonly<Record<string, readonly FeedAuthentication[]>>;
  mappings: readonly FeedMapping[];
  /** How the feed is polled; undefined for a feed that only receives deliveries. */
  pull?: FeedPull;
  /** The path, below the URL of the feed, at which the sender first requests an access token. */
  token?: {
    path: string;
    authentication: FeedAuthentication;
    accept(token: string): FeedAnswer;
    reject(): FeedAnswer;
  };
  /** Set if a payment is recorded only after the bank's API has confirmed it. */
  confirmation?: 'scb';
  /** The answer to a stored delivery. `document` is undefined if it could not be parsed. */
  accept(document: JsonNode | undefined): FeedAnswer;
  /** The answer to a rejected delivery; by default 401 with the reason. */
  reject?(): FeedAnswer;
  /**
   * Builds a sample body in the sender's format. Undefined for a custom feed, whose format only the merchant
   * knows.
   */
  createSample?(input: FeedSampleInput): FeedSample;
};

/** The last mapping of a list, which accepts and ignores all documents that no other mapping accepts. */
export const ignoreOthers: FeedMapping = {
  items: '',
  id: [],
  amount: '',
  currency: { value: '' },
  direction: 'credit',
  references: [],
  paidAt: { pointers: [], format: 'iso' },
  acceptIf: [{ pointer: '', values: [] }],
};
