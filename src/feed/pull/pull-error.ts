/** Reasons that only a person can correct, so the feed is failing from the first such poll. */
const permanentPullReasons = [
  'folder_missing',
  'host_key_changed',
  'host_key_unapproved',
  'login_rejected',
  'credentials_rejected',
] as const;

type PullReason =
  | (typeof permanentPullReasons)[number]
  | 'api_error'
  | 'api_repeats_page'
  | 'connection_failed'
  | 'file_truncated'
  | 'internal_error'
  | 'timeout'
  | 'too_many_uploads';

/** The error of a failed poll, with a reason that the merchant sees. */
export class PullError extends Error {
  override readonly name = 'PullError';
  readonly reason: PullReason;
  /** The fingerprint that the server presented, if it is not the approved one. */
  hostKeyFingerprint?: string;

  constructor(reason: PullReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }

  /** Whether another attempt cannot succeed before a person has corrected something. */
  get isPermanent(): boolean {
    return (permanentPullReasons as readonly string[]).includes(this.reason);
  }
}
