import type { Mode } from '../../prisma/client/client.ts';

/** The channel of PostgreSQL's LISTEN and NOTIFY on which processes tell each other what changed. */
export const noticeChannel = 'causeway';

/** Says that an object changed; the row is the truth and is read again. */
export type Notice = { objectId: string; merchantId: string; mode: Mode };

export function formatNotice(notice: Notice): string {
  return `${notice.objectId} ${notice.merchantId} ${notice.mode}`;
}

/** Several notices travel joined by newlines. */
export function parseNotices(payload: string): Notice[] {
  return payload.split('\n').map((line) => {
    const [objectId = '', merchantId = '', mode = ''] = line.split(' ');
    return { objectId, merchantId, mode: mode as Mode };
  });
}
