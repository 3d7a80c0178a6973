import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const attemptRowFields = graphql(`
  fragment AttemptRow on NotificationAttempt {
    id
    number
    startedAt
    durationMs
    responseStatus
    error
    responseBody
  }
`);

export type AttemptRow = ResultOf<typeof attemptRowFields>;
