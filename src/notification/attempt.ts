import type { Claim } from './claim-notifications.ts';
import type { NextState } from './notification-state.ts';
import type { PostResult } from './post.ts';

/** One try to deliver a claimed notification, and what follows from it. */
export type Attempt = { claim: Claim; startedAt: Date; endedAt: Date; result: PostResult; next: NextState };
