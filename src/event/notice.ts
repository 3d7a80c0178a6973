import type { Mode } from '../../prisma/client/client.ts';

/** The LISTEN/NOTIFY channel on which processes notify each other of changes. */
export const noticeChannel = 'causeway';

/** Reports that an object changed. A notice contains no data, so receivers read the row again. */
export type Notice = { objectId: string; merchantId: string; mode: Mode };

/** The object ID of notices that report newly numbered events of a merchant and mode. */
export const eventLogTopic = 'events';

/** Replaces notices that could not be sent, so receivers must assume that any object changed. */
export const missedNotice = '*';

export function formatNotice(notice: Notice): string {
  return `${notice.objectId} ${notice.merchantId} ${notice.mode}`;
}

/** Parses notices, which are joined by newlines. Returns undefined for `missedNotice`. */
export function parseNotices(payload: string): (Notice | undefined)[] {
  return payload.split('\n').map((line) => {
    if (line === missedNotice) return undefined;
    const [objectId = '', merchantId = '', mode = ''] = line.split(' ');
    return { objectId, merchantId, mode: mode as Mode };
  });
}
