import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** One try to deliver a notification. */
export const attemptRowFields = graphql(`
  fragment AttemptRow on NotificationAttempt {
    id
    number
    startedAt
    durationMs
    status
    error
    answer
  }
`);

export type AttemptRow = ResultOf<typeof attemptRowFields>;
