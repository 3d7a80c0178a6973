/** How a feed is polled, as the merchant configured it. */
export type FeedPullSettings = {
  intervalMinutes: number;
  /** Patterns of the names of files to fetch, such as `*.xml`; see `matchesFileName`. */
  patterns: string[];
  /** Whether imported files are moved to the subfolder `archive`. */
  archivesFiles: boolean;
  host?: string | undefined;
  port?: number | undefined;
  folder?: string | undefined;
  /** The SHA-256 fingerprint of the server's host key that the merchant approved. */
  hostKeyFingerprint?: string | undefined;
  /** The merchant's ID at the provider: Wise's profile ID, or the business number for Popbill. */
  providerAccountId?: string | undefined;
};
