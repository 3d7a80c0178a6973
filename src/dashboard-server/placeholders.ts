/** Replaced by a nonce, a new one in each response. */
export const noncePlaceholder = '__NONCE__';

/** Replaced by the origin of PUBLIC_URL, the only origin where sessions are valid. */
export const originPlaceholder = '__ORIGIN__';

/** Replaced by `on` if email is delivered (SMTP_URL is set), otherwise by `off`. */
export const mailPlaceholder = '__MAIL__';
