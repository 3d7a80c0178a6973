import type { Mode } from '../../prisma/client/client.ts';

/** The channel of PostgreSQL's LISTEN and NOTIFY on which processes tell each other what changed. */
export const noticeChannel = 'causeway';

/** Says that an object changed; the row is the truth and is read again. */
export type Notice = { objectId: string; merchantId: string; mode: Mode };

/** In place of notices that could not be sent: whoever hears it looks for itself. */
export const missedNotice = '*';

export function formatNotice(notice: Notice): string {
  return `${notice.objectId} ${notice.merchantId} ${notice.mode}`;
}

/** Several notices travel joined by newlines; undefined is `missedNotice`. */
export function parseNotices(payload: string): (Notice | undefined)[] {
  return payload.split('\n').map((line) => {
    if (line === missedNotice) return undefined;
    const [objectId = '', merchantId = '', mode = ''] = line.split(' ');
    return { objectId, merchantId, mode: mode as Mode };
  });
}
